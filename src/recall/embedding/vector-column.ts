import type { MemoryRecord } from '../../contract/memory-record';
import type { Embedder } from './embedder';

const PRESENT = 1;
const WORDLESS = 2;

/** The text of a record that its vector stands for. */
export function vectorText(record: MemoryRecord): string {
  return [record.title, record.summary, ...record.facts, record.concepts.join(', ')].join('\n');
}

/** Vectors of a collection's records, by slot, made when they are first needed. */
export class VectorColumn {
  private data = new Int8Array(0);
  private present = new Uint8Array(0);
  private dimensions = 0;
  private version = '';
  /** Number of slots for which all vectors were made. */
  private settled = 0;

  clear(slot: number): void {
    if (slot < this.present.length) this.present[slot] = 0;
  }

  reset(): void {
    this.data = new Int8Array(0);
    this.present = new Uint8Array(0);
    this.settled = 0;
  }

  /**
   * Cosine of `text` with every record, by slot; 0 where there is no record, or no vector yet. Makes up to
   * `most` of the missing vectors first, the newest first.
   */
  similarities(
    embedder: Embedder,
    text: string,
    records: readonly (MemoryRecord | undefined)[],
    most: number,
  ): Float32Array {
    this.fill(embedder, records, most);
    const out = new Float32Array(records.length);
    const query = embedder.embed(text);
    if (query === undefined) return out;
    const { data, dimensions, present } = this;
    for (let slot = 0; slot < records.length; slot++) {
      if (present[slot] !== PRESENT) continue;
      let dot = 0;
      const base = slot * dimensions;
      for (let i = 0; i < dimensions; i++) dot += (query[i] as number) * (data[base + i] as number);
      out[slot] = dot / (127 * 127);
    }
    return out;
  }

  /** Makes up to `most` of the missing vectors; gives how many it made. */
  fill(embedder: Embedder, records: readonly (MemoryRecord | undefined)[], most: number): number {
    if (this.version !== embedder.version) {
      this.reset();
      this.version = embedder.version;
      this.dimensions = embedder.dimensions;
    }
    this.makeRoom(records.length);
    let made = 0;
    if (this.settled === records.length) return made;
    let slot = records.length - 1;
    for (; slot >= 0 && made < most; slot--) {
      const record = records[slot];
      if (this.present[slot] !== 0 || record === undefined) continue;
      const vector = embedder.embed(vectorText(record));
      if (vector !== undefined) this.data.set(vector, slot * this.dimensions);
      this.present[slot] = vector === undefined ? WORDLESS : PRESENT;
      made++;
    }
    if (slot < 0) this.settled = records.length;
    return made;
  }

  private makeRoom(slots: number): void {
    if (this.present.length >= slots) return;
    const room = Math.max(slots, this.present.length * 2);
    const data = new Int8Array(room * this.dimensions);
    data.set(this.data);
    const present = new Uint8Array(room);
    present.set(this.present);
    this.data = data;
    this.present = present;
  }
}
