import { stem } from '../text/stems';
import { runTerms, scanRuns } from '../text/tokenizer';

/** Runs longer than this are analysed each time: they seldom come twice. */
const MAX_CACHED_RUN = 64;

/** Words whose stems are kept at hand. */
const MAX_STEMS = 20_000;

/**
 * The terms of one collection. Runs of text that were analysed once are found again by hash alone, without
 * a string being made: two independent 32-bit hashes stand for the run.
 */
export class Lexicon {
  private readonly termIds = new Map<string, number>();
  private readonly terms: string[] = [];
  private readonly stems = new Map<string, string>();
  private slots = new Int32Array(1 << 12).fill(-1);
  private firsts = new Int32Array(1 << 11);
  private seconds = new Int32Array(1 << 11);
  private spanStart = new Int32Array(1 << 11);
  private spanLength = new Uint16Array(1 << 11);
  private spans = new Int32Array(1 << 12);
  private spansUsed = 0;
  private runs = 0;

  /** Number of distinct terms. */
  get size(): number {
    return this.terms.length;
  }

  get bytes(): number {
    let text = 0;
    for (const term of this.terms) text += 40 + term.length;
    return (
      text +
      this.slots.byteLength +
      this.firsts.byteLength * 3 +
      this.spanLength.byteLength +
      this.spans.byteLength
    );
  }

  /** The id of a term that is known, or -1. */
  idOf(term: string): number {
    return this.termIds.get(term) ?? -1;
  }

  /**
   * Writes the term ids of the run `text[start..end)` behind `out[at]` and gives the position after the
   * last. Function words give none. `out` must have room for `end - start` more ids plus one.
   */
  collect(
    text: string,
    start: number,
    end: number,
    first: number,
    second: number,
    out: Int32Array,
    at: number,
  ): number {
    const mask = this.slots.length - 1;
    let slot = (first ^ (second >>> 7)) & mask;
    for (;;) {
      const run = this.slots[slot] as number;
      if (run < 0) break;
      if (this.firsts[run] === first && this.seconds[run] === second) {
        let from = this.spanStart[run] as number;
        const until = from + (this.spanLength[run] as number);
        while (from < until) out[at++] = this.spans[from++] as number;
        return at;
      }
      slot = (slot + 1) & mask;
    }
    const ids = this.analyse(text.slice(start, end));
    if (end - start <= MAX_CACHED_RUN) this.remember(first, second, ids);
    for (const id of ids) out[at++] = id;
    return at;
  }

  /** Ids of the distinct terms of a text. */
  idsOf(text: string): Set<number> {
    const ids = new Set<number>();
    const out = new Int32Array(text.length * 2 + 8);
    scanRuns(text, (source, start, end, first, second) => {
      const count = this.collect(source, start, end, first, second, out, 0);
      for (let i = 0; i < count; i++) ids.add(out[i] as number);
    });
    return ids;
  }

  /** Up to `most` runs of a text that stand for one of the wanted terms, each term once. */
  matches(text: string, wanted: ReadonlySet<number>, most: number): string[] {
    const words: string[] = [];
    const told = new Set<number>();
    const out = new Int32Array(text.length * 2 + 8);
    scanRuns(text, (source, start, end, first, second) => {
      if (words.length >= most) return;
      const count = this.collect(source, start, end, first, second, out, 0);
      for (let i = 0; i < count; i++) {
        const id = out[i] as number;
        if (!wanted.has(id) || told.has(id)) continue;
        told.add(id);
        words.push(count > 4 ? (this.terms[id] as string) : source.slice(start, end));
        return;
      }
    });
    return words;
  }

  private analyse(run: string): number[] {
    const { whole, parts, stop } = runTerms(run, this.stemOf);
    if (stop) return [];
    const ids: number[] = [];
    if (whole !== '') ids.push(this.intern(whole));
    for (const part of parts) ids.push(this.intern(part));
    return ids;
  }

  private readonly stemOf = (word: string): string => {
    const known = this.stems.get(word);
    if (known !== undefined) return known;
    if (this.stems.size >= MAX_STEMS) this.stems.clear();
    const made = stem(word);
    this.stems.set(word, made);
    return made;
  };

  private intern(term: string): number {
    const known = this.termIds.get(term);
    if (known !== undefined) return known;
    const id = this.terms.length;
    this.terms.push(term);
    this.termIds.set(term, id);
    return id;
  }

  private remember(first: number, second: number, ids: readonly number[]): void {
    if (this.runs === this.firsts.length) this.growRuns();
    if (this.spansUsed + ids.length > this.spans.length) {
      const wider = new Int32Array(this.spans.length * 2 + ids.length);
      wider.set(this.spans);
      this.spans = wider;
    }
    const run = this.runs++;
    this.firsts[run] = first;
    this.seconds[run] = second;
    this.spanStart[run] = this.spansUsed;
    this.spanLength[run] = ids.length;
    for (const id of ids) this.spans[this.spansUsed++] = id;
    this.place(run);
  }

  private place(run: number): void {
    const mask = this.slots.length - 1;
    let slot = ((this.firsts[run] as number) ^ ((this.seconds[run] as number) >>> 7)) & mask;
    while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & mask;
    this.slots[slot] = run;
  }

  private growRuns(): void {
    this.firsts = doubled(this.firsts);
    this.seconds = doubled(this.seconds);
    this.spanStart = doubled(this.spanStart);
    const lengths = new Uint16Array(this.spanLength.length * 2);
    lengths.set(this.spanLength);
    this.spanLength = lengths;
    this.slots = new Int32Array(this.firsts.length * 2).fill(-1);
    for (let run = 0; run < this.runs; run++) this.place(run);
  }
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(array.length * 2);
  wider.set(array);
  return wider;
}
