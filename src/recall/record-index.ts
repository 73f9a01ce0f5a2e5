import type { MemoryRecord } from '../contract/memory-record';
import { Collection } from './collection';
import type { Embedder } from './embedding/embedder';
import { DEFAULT_RANKER, type RankerConfig } from './ranker-config';

/**
 * All records in memory, one inverted index a namespace. Every change takes effect at once; a record that is
 * superseded, withdrawn or forgotten is passed to `update` with its new status.
 */
export class RecordIndex {
  private readonly config: RankerConfig;
  private readonly collections = new Map<string, Collection>();
  private readonly home = new Map<string, Collection>();

  constructor(config: Partial<RankerConfig> = {}) {
    this.config = { ...DEFAULT_RANKER, ...config };
  }

  /** Number of records, whatever their status. */
  get size(): number {
    return this.home.size;
  }

  /** Bytes that the inverted index takes, without the records themselves. */
  get bytes(): number {
    let sum = 0;
    for (const collection of this.collections.values()) sum += collection.bytes;
    return sum;
  }

  /** Adds a record; one with the same id is replaced. */
  add(record: MemoryRecord): void {
    if (this.home.has(record.record_id)) this.remove(record.record_id);
    let collection = this.collections.get(record.namespace);
    if (collection === undefined) {
      collection = new Collection(this.config);
      this.collections.set(record.namespace, collection);
    }
    collection.add(record);
    this.home.set(record.record_id, collection);
  }

  /** Replaces a record; its words are indexed anew only where they changed. */
  update(record: MemoryRecord): void {
    const collection = this.home.get(record.record_id);
    const before = this.get(record.record_id);
    if (collection !== undefined && before !== undefined && sameWords(before, record)) {
      collection.replaceSilently(record);
      return;
    }
    this.add(record);
  }

  remove(recordId: string): void {
    const collection = this.home.get(recordId);
    if (collection === undefined) return;
    collection.remove(recordId);
    this.home.delete(recordId);
  }

  get(recordId: string): MemoryRecord | undefined {
    const collection = this.home.get(recordId);
    const slot = collection?.slots.get(recordId);
    return slot === undefined ? undefined : collection?.records[slot];
  }

  /** Makes up to `most` missing vectors; gives how many. */
  fillVectors(embedder: Embedder, most: number): number {
    let made = 0;
    for (const collection of this.collections.values()) {
      if (made >= most) break;
      made += collection.fillVectors(embedder, most - made);
    }
    return made;
  }

  /** The collection of a namespace, where it has records. */
  collection(namespace: string): Collection | undefined {
    return this.collections.get(namespace);
  }
}

function sameWords(a: MemoryRecord, b: MemoryRecord): boolean {
  return (
    a.namespace === b.namespace &&
    a.session_id === b.session_id &&
    a.valid_from === b.valid_from &&
    a.title === b.title &&
    a.summary === b.summary &&
    sameList(a.facts, b.facts) &&
    sameList(a.concepts, b.concepts) &&
    sameList(a.files_touched, b.files_touched)
  );
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
