import { z } from 'zod';
import type { Mutation } from '../../store/mutation';

const SPAN_KEY = 'model:span';
const ITEM_KEY = 'model:turn:';
/** Turns that may wait; of more the oldest go, their records by the rules stay. */
export const QUEUE_MAX = 2000;
export const MAX_ATTEMPTS = 4;
const RETRY_MS = 60_000;

const itemSchema = z.object({
  namespace: z.string(),
  session_id: z.string(),
  turn_id: z.string(),
  /** When it last changed, milliseconds since 1970. */
  at: z.number(),
  attempts: z.number().int(),
  not_before: z.number(),
  /** Epoch of the leader that asks a model about it right now. */
  lease: z.number().int().optional(),
  dead: z.boolean().optional(),
});
type Item = z.infer<typeof itemSchema>;

/** A turn that waits for a model. */
export interface WaitingTurn extends Item {
  n: number;
}

const spanSchema = z.object({ first: z.number().int(), next: z.number().int() });

/**
 * Turns that wait for a model, kept in the store. A change is a mutation that the caller commits together with what
 * it belongs to, so a turn is in the queue exactly as long as its records are not there. A lease of an older epoch
 * is void: its holder lost the lead and can commit nothing.
 */
export class ModelQueue {
  private readonly items = new Map<number, Item>();
  private readonly numbers = new Map<string, number>();
  private first = 0;
  private next = 0;

  /** @param meta reads a value of the store */
  constructor(
    private readonly epoch: number,
    meta: (key: string) => string | undefined,
  ) {
    const span = read(spanSchema, meta(SPAN_KEY));
    if (!span) return;
    this.first = span.first;
    this.next = span.next;
    for (let n = span.first; n < span.next; n++) {
      const item = read(itemSchema, meta(`${ITEM_KEY}${n}`));
      if (item) this.keep(n, item);
    }
  }

  get pending(): number {
    return [...this.items.values()].filter((item) => !item.dead).length;
  }

  get failed(): number {
    return this.items.size - this.pending;
  }

  /** Puts a turn in, or notes that it changed. */
  add(turn: Pick<Item, 'namespace' | 'session_id' | 'turn_id'>, now: number): Mutation[] {
    const known = this.numbers.get(keyOf(turn));
    const item = known === undefined ? undefined : this.items.get(known);
    if (known !== undefined && item && item.lease !== this.epoch) {
      return [this.put(known, { ...item, at: now })];
    }
    // A turn that changes while a model reads it is asked about once more.
    const n = this.next++;
    const mutations = [this.put(n, { ...turn, at: now, attempts: 0, not_before: 0 })];
    while (this.items.size > QUEUE_MAX) {
      const oldest = [...this.items].find(([, candidate]) => candidate.lease !== this.epoch)?.[0];
      if (oldest === undefined) break;
      mutations.push(this.drop(oldest));
    }
    return [...mutations, this.span()];
  }

  /**
   * What may be asked about now: turns of one session that settled, oldest first. One that failed before goes alone,
   * so that it can't take others down with it.
   */
  ready(now: number, settleMs: number, count: number): WaitingTurn[] {
    const due = [...this.items]
      .filter(([, item]) => !item.dead && item.lease !== this.epoch && this.dueAt(item, settleMs) <= now)
      .map(([n, item]): WaitingTurn => ({ ...item, n }));
    const [first] = due;
    if (!first) return [];
    if (first.attempts > 0) return [first];
    return due
      .filter(
        (item) =>
          item.attempts === 0 && item.session_id === first.session_id && item.namespace === first.namespace,
      )
      .slice(0, count);
  }

  /** When something becomes ready; undefined where nothing waits. */
  nextDue(settleMs: number): number | undefined {
    const times = [...this.items.values()]
      .filter((item) => !item.dead && item.lease !== this.epoch)
      .map((item) => this.dueAt(item, settleMs));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** A model is about to be asked: counted at once, so that a turn that brings a process down is given up too. */
  claim(turns: readonly WaitingTurn[]): Mutation[] {
    return turns.flatMap(({ n }) => {
      const item = this.items.get(n);
      return item ? [this.put(n, { ...item, attempts: item.attempts + 1, lease: this.epoch })] : [];
    });
  }

  /** The model answered: to be committed with the records. */
  done(turns: readonly WaitingTurn[]): Mutation[] {
    const dropped = turns.flatMap(({ n }) => (this.items.has(n) ? [this.drop(n)] : []));
    return [...dropped, this.span()];
  }

  /** The model could not be asked: as if it had not been tried. */
  release(turns: readonly WaitingTurn[]): Mutation[] {
    return this.after(turns, (item) => ({ ...item, attempts: Math.max(0, item.attempts - 1) }));
  }

  /** The model failed at them: tried again later, given up after the fourth time. */
  fail(turns: readonly WaitingTurn[], now: number): Mutation[] {
    return this.after(turns, (item) =>
      item.attempts >= MAX_ATTEMPTS
        ? { ...item, dead: true }
        : { ...item, not_before: now + RETRY_MS * 4 ** (item.attempts - 1) },
    );
  }

  /** Puts back what was given up. */
  retry(): { turns: number; mutations: Mutation[] } {
    const dead = [...this.items].filter(([, item]) => item.dead);
    const mutations = dead.map(([n, { dead: _dead, ...item }]) =>
      this.put(n, { ...item, attempts: 0, not_before: 0 }),
    );
    return { turns: dead.length, mutations };
  }

  private after(turns: readonly WaitingTurn[], change: (item: Item) => Item): Mutation[] {
    return turns.flatMap(({ n }) => {
      const item = this.items.get(n);
      if (!item) return [];
      const { lease: _lease, ...free } = item;
      return [this.put(n, change(free))];
    });
  }

  private dueAt(item: Item, settleMs: number): number {
    return Math.max(item.at + settleMs, item.not_before);
  }

  private put(n: number, item: Item): Mutation {
    this.keep(n, item);
    return { op: 'meta', key: `${ITEM_KEY}${n}`, value: JSON.stringify(item) };
  }

  private keep(n: number, item: Item): void {
    this.items.set(n, item);
    this.numbers.set(keyOf(item), n);
  }

  private drop(n: number): Mutation {
    const item = this.items.get(n);
    this.items.delete(n);
    if (item && this.numbers.get(keyOf(item)) === n) this.numbers.delete(keyOf(item));
    while (this.first < this.next && !this.items.has(this.first)) this.first++;
    return { op: 'meta', key: `${ITEM_KEY}${n}`, value: null };
  }

  private span(): Mutation {
    return { op: 'meta', key: SPAN_KEY, value: JSON.stringify({ first: this.first, next: this.next }) };
  }
}

function keyOf(turn: Pick<Item, 'namespace' | 'session_id' | 'turn_id'>): string {
  return JSON.stringify([turn.namespace, turn.session_id, turn.turn_id]);
}

function read<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
