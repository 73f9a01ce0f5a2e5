/** Slots of one block, and of the next one of the same term: blocks double up to this. */
const FIRST_BLOCK = 4;
const LAST_BLOCK = 1024;

/** The most records of one collection: a posting is a record number and a one-byte impact. */
export const MAX_SLOTS = 1 << 24;

/**
 * Posting lists of all terms in one growing array. A posting packs a record's slot (24 bits) and the impact
 * of the term in it (8 bits). A list is a chain of blocks; the first cell of a block names the next one.
 */
export class Postings {
  private arena = new Uint32Array(1 << 14);
  private used = 1;
  private head = new Uint32Array(1 << 10);
  private tail = new Uint32Array(1 << 10);
  private tailRoom = new Uint16Array(1 << 10);
  private tailSize = new Uint16Array(1 << 10);
  private counts = new Uint32Array(1 << 10);
  private live = new Uint32Array(1 << 10);

  get bytes(): number {
    return this.arena.byteLength + this.head.byteLength * 5;
  }

  /** How many live records hold the term. */
  frequency(term: number): number {
    return this.live[term] ?? 0;
  }

  append(term: number, slot: number, impact: number): void {
    if (term >= this.head.length) this.growTerms(term);
    if (this.tailRoom[term] === 0) this.chain(term);
    const size = this.tailSize[term] as number;
    const cell = (this.tail[term] as number) + 1 + size - (this.tailRoom[term] as number);
    this.arena[cell] = ((slot << 8) | impact) >>> 0;
    this.tailRoom[term] = (this.tailRoom[term] as number) - 1;
    this.counts[term] = (this.counts[term] as number) + 1;
    this.live[term] = (this.live[term] as number) + 1;
  }

  /** A record that held the term is gone; its posting stays until the collection is compacted. */
  release(term: number): void {
    this.live[term] = (this.live[term] as number) - 1;
  }

  /** Adds `gain[impact]` to `scores[slot]` and `mass` to `cover[slot]` for every posting of the term. */
  accumulate(
    term: number,
    gain: Float32Array,
    scores: Float32Array,
    mass: number,
    cover: Float32Array,
  ): void {
    let left = this.counts[term] ?? 0;
    let block = this.head[term] ?? 0;
    let size = FIRST_BLOCK;
    const arena = this.arena;
    while (left > 0) {
      const end = block + 1 + Math.min(size, left);
      for (let cell = block + 1; cell < end; cell++) {
        const posting = arena[cell] as number;
        const slot = posting >>> 8;
        scores[slot] = (scores[slot] as number) + (gain[posting & 255] as number);
        cover[slot] = (cover[slot] as number) + mass;
      }
      left -= size;
      size = Math.min(LAST_BLOCK, size * 2);
      block = arena[block] as number;
    }
  }

  /** Calls back with every slot that holds the term, dead ones too. */
  visit(term: number, seen: (slot: number) => void): void {
    let left = this.counts[term] ?? 0;
    let block = this.head[term] ?? 0;
    let size = FIRST_BLOCK;
    while (left > 0) {
      const end = block + 1 + Math.min(size, left);
      for (let cell = block + 1; cell < end; cell++) seen((this.arena[cell] as number) >>> 8);
      left -= size;
      size = Math.min(LAST_BLOCK, size * 2);
      block = this.arena[block] as number;
    }
  }

  private chain(term: number): void {
    const before = this.tailSize[term] as number;
    const size = before === 0 ? FIRST_BLOCK : Math.min(LAST_BLOCK, before * 2);
    if (this.used + size + 1 > this.arena.length) {
      const wider = new Uint32Array(this.arena.length * 2);
      wider.set(this.arena);
      this.arena = wider;
    }
    const block = this.used;
    this.used += size + 1;
    if (before === 0) this.head[term] = block;
    else this.arena[this.tail[term] as number] = block;
    this.tail[term] = block;
    this.tailSize[term] = size;
    this.tailRoom[term] = size;
  }

  private growTerms(term: number): void {
    let capacity = this.head.length;
    while (capacity <= term) capacity *= 2;
    this.head = wider32(this.head, capacity);
    this.tail = wider32(this.tail, capacity);
    this.counts = wider32(this.counts, capacity);
    this.live = wider32(this.live, capacity);
    this.tailRoom = wider16(this.tailRoom, capacity);
    this.tailSize = wider16(this.tailSize, capacity);
  }
}

function wider32(array: Uint32Array, capacity: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(capacity);
  wider.set(array);
  return wider;
}

function wider16(array: Uint16Array, capacity: number): Uint16Array<ArrayBuffer> {
  const wider = new Uint16Array(capacity);
  wider.set(array);
  return wider;
}
