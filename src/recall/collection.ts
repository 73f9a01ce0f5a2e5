import type { MemoryRecord } from '../contract/memory-record';
import { scanRuns } from '../text/tokenizer';
import type { Embedder } from './embedding/embedder';
import { VectorColumn } from './embedding/vector-column';
import { Lexicon } from './lexicon';
import { MAX_SLOTS, Postings } from './postings';
import type { RankerConfig } from './ranker-config';

/** A term's weight in one record is kept in one byte: 255 stands for complete saturation. */
const IMPACT_STEPS = 255;

/** Records of a collection are renumbered when this share of the slots is dead. */
const DEAD_SHARE = 0.3;

/** The records of one namespace and their inverted index. */
export class Collection {
  readonly lexicon = new Lexicon();
  postings = new Postings();
  /** By slot; undefined where the record is gone. */
  records: (MemoryRecord | undefined)[] = [];
  /** Milliseconds since 1970 at which what the record says became true, by slot. */
  times: number[] = [];
  readonly slots = new Map<string, number>();
  /** Slots of each session in order of time. */
  readonly sessions = new Map<string, number[]>();
  /** By slot of a record that was replaced: the id of what replaced it. */
  readonly successors = new Map<number, string>();
  private readonly vectors = new VectorColumn();
  private dead = 0;
  private collected = new Int32Array(1 << 12);
  private weights = new Float32Array(1 << 10);
  private touched = new Int32Array(1 << 12);

  constructor(private readonly config: RankerConfig) {}

  get size(): number {
    return this.slots.size;
  }

  /** Bytes of the index itself, without the records. */
  get bytes(): number {
    return this.lexicon.bytes + this.postings.bytes + this.times.length * 16;
  }

  add(record: MemoryRecord): void {
    const slot = this.records.length;
    if (slot >= MAX_SLOTS) throw new RangeError('too many records in one namespace');
    this.records.push(record);
    this.times.push(Date.parse(record.valid_from));
    this.slots.set(record.record_id, slot);
    const count = this.weigh(record);
    const { saturation } = this.config;
    for (let i = 0; i < count; i++) {
      const term = this.touched[i] as number;
      const weight = this.weights[term] as number;
      this.weights[term] = 0;
      const impact = Math.max(1, Math.round((IMPACT_STEPS * weight) / (weight + saturation)));
      this.postings.append(term, slot, impact);
    }
    this.enterSession(record.session_id, slot);
    this.noteSuccessor(slot, record);
  }

  remove(recordId: string): void {
    const slot = this.slots.get(recordId);
    const record = slot === undefined ? undefined : this.records[slot];
    if (slot === undefined || record === undefined) return;
    const count = this.weigh(record);
    for (let i = 0; i < count; i++) {
      const term = this.touched[i] as number;
      this.weights[term] = 0;
      this.postings.release(term);
    }
    this.records[slot] = undefined;
    this.slots.delete(recordId);
    this.leaveSession(record.session_id, slot);
    this.successors.delete(slot);
    this.vectors.clear(slot);
    this.dead++;
    if (this.dead > 64 && this.dead > this.records.length * DEAD_SHARE) this.compact();
  }

  /** Replaces a record whose words are the same, such as after a change of status, without re-indexing. */
  replaceSilently(record: MemoryRecord): void {
    const slot = this.slots.get(record.record_id);
    if (slot === undefined) return;
    this.records[slot] = record;
    this.noteSuccessor(slot, record);
  }

  /** The slot of the record that holds now, along the chain of replacements. */
  heir(recordId: string): number | undefined {
    let slot = this.slots.get(recordId);
    for (let hops = 0; slot !== undefined && hops < 16; hops++) {
      const next = this.successors.get(slot);
      if (next === undefined) return slot;
      slot = this.slots.get(next);
    }
    return undefined;
  }

  /** The records of the session that the slot belongs to, in order of time. */
  sessionOf(slot: number): readonly number[] | undefined {
    const record = this.records[slot];
    return record === undefined ? undefined : this.sessions.get(record.session_id);
  }

  /** Cosine of every record with `text`, by slot. Up to `most` missing vectors are made first. */
  similarities(embedder: Embedder, text: string, most: number): Float32Array {
    return this.vectors.similarities(embedder, text, this.records, most);
  }

  /** Makes up to `most` missing vectors; gives how many. */
  fillVectors(embedder: Embedder, most: number): number {
    return this.vectors.fill(embedder, this.records, most);
  }

  private noteSuccessor(slot: number, record: MemoryRecord): void {
    if (record.status === 'superseded' && record.superseded_by !== undefined) {
      this.successors.set(slot, record.superseded_by);
    } else this.successors.delete(slot);
  }

  /**
   * Sums field weights of every term of the record into `weights`; `touched` lists the terms. Gives their
   * number. The caller clears the weights.
   */
  private weigh(record: MemoryRecord): number {
    let count = this.weighField('title', [record.title], 0);
    count = this.weighField('summary', [record.summary], count);
    count = this.weighField('facts', record.facts, count);
    count = this.weighField('concepts', record.concepts, count);
    return this.weighField('files', record.files_touched, count);
  }

  private weighField(
    field: keyof RankerConfig['fieldWeight'],
    texts: readonly string[],
    count: number,
  ): number {
    let length = 0;
    for (const text of texts) {
      if (this.collected.length < length + text.length * 2 + 8) {
        const wider = new Int32Array(this.collected.length * 2 + text.length * 2 + 8);
        wider.set(this.collected);
        this.collected = wider;
      }
      scanRuns(text, (source, start, end, first, second) => {
        length = this.lexicon.collect(source, start, end, first, second, this.collected, length);
      });
    }
    if (length === 0) return count;
    const { fieldWeight, fieldPivot, lengthPenalty } = this.config;
    const norm = 1 - lengthPenalty + (lengthPenalty * length) / fieldPivot[field];
    const gain = fieldWeight[field] / norm;
    if (this.weights.length < this.lexicon.size) {
      const wider = new Float32Array(this.lexicon.size * 2);
      wider.set(this.weights);
      this.weights = wider;
    }
    if (this.touched.length < count + length) {
      const wider = new Int32Array((count + length) * 2);
      wider.set(this.touched);
      this.touched = wider;
    }
    for (let i = 0; i < length; i++) {
      const term = this.collected[i] as number;
      const before = this.weights[term] as number;
      if (before === 0) this.touched[count++] = term;
      this.weights[term] = before + gain;
    }
    return count;
  }

  private enterSession(sessionId: string, slot: number): void {
    const members = this.sessions.get(sessionId);
    if (members === undefined) {
      this.sessions.set(sessionId, [slot]);
      return;
    }
    let at = members.length;
    while (at > 0 && this.isLater(members[at - 1] as number, slot)) at--;
    members.splice(at, 0, slot);
  }

  /** Order of time; what happened at once is ordered by id, however it came in. */
  private isLater(slot: number, than: number): boolean {
    const [a, b] = [this.times[slot] as number, this.times[than] as number];
    return a !== b ? a > b : (this.records[slot]?.record_id ?? '') > (this.records[than]?.record_id ?? '');
  }

  private leaveSession(sessionId: string, slot: number): void {
    const members = this.sessions.get(sessionId);
    if (members === undefined) return;
    const at = members.indexOf(slot);
    if (at >= 0) members.splice(at, 1);
    if (members.length === 0) this.sessions.delete(sessionId);
  }

  private compact(): void {
    const kept = this.records.filter((record): record is MemoryRecord => record !== undefined);
    this.postings = new Postings();
    this.records = [];
    this.times = [];
    this.slots.clear();
    this.sessions.clear();
    this.successors.clear();
    this.vectors.reset();
    this.dead = 0;
    for (const record of kept) this.add(record);
  }
}
