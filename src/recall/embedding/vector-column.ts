import type { MemoryRecord } from '../../contract/memory-record';
import type { Embedder } from './embedder';

/** The text of a record that its vector stands for. */
export function vectorText(record: MemoryRecord): string {
  return [record.title, record.summary, ...record.facts, record.concepts.join(', ')].join('\n');
}

/** Vectors of a collection's records, by slot, made when they are first needed. */
export class VectorColumn {
  private data = new Int8Array(0);
  private present = new Uint8Array(0);
  private dimensions = 0;

  clear(slot: number): void {
    if (slot < this.present.length) this.present[slot] = 0;
  }

  reset(): void {
    this.data = new Int8Array(0);
    this.present = new Uint8Array(0);
  }

  /** Cosine of `text` with every record, by slot; 0 where there is no record. */
  similarities(
    embedder: Embedder,
    text: string,
    records: readonly (MemoryRecord | undefined)[],
  ): Float32Array {
    this.fill(embedder, records);
    const out = new Float32Array(records.length);
    const query = embedder.embed(text);
    if (query === undefined) return out;
    const { data, dimensions } = this;
    for (let slot = 0; slot < records.length; slot++) {
      if (this.present[slot] !== 1) continue;
      let dot = 0;
      const base = slot * dimensions;
      for (let i = 0; i < dimensions; i++) dot += (query[i] as number) * (data[base + i] as number);
      out[slot] = dot / (127 * 127);
    }
    return out;
  }

  /** Makes the vectors that are missing. */
  private fill(embedder: Embedder, records: readonly (MemoryRecord | undefined)[]): void {
    if (this.dimensions !== embedder.dimensions) {
      this.reset();
      this.dimensions = embedder.dimensions;
    }
    if (this.present.length < records.length) {
      const room = Math.max(records.length, this.present.length * 2);
      const data = new Int8Array(room * this.dimensions);
      data.set(this.data);
      const present = new Uint8Array(room);
      present.set(this.present);
      this.data = data;
      this.present = present;
    }
    for (let slot = 0; slot < records.length; slot++) {
      const record = records[slot];
      if (this.present[slot] !== 0 || record === undefined) continue;
      const vector = embedder.embed(vectorText(record));
      if (vector !== undefined) this.data.set(vector, slot * this.dimensions);
      this.present[slot] = vector === undefined ? 2 : 1;
    }
  }
}
