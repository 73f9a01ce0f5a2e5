import { createHash } from 'node:crypto';

const KEPT = 200;
const SPAN_MS = 5 * 60_000;

interface Seen {
  times: number;
  last: number;
  /** What a change answered; said again instead of doing it again. */
  answer?: string;
}

/**
 * Keeps an agent that loops from asking the same thing for ever (pain 77): the fourth identical question within
 * five minutes is not answered again, and an identical change is done once. Any change starts the count anew.
 */
export class RepeatGuard {
  private readonly seen = new Map<string, Seen>();

  constructor(
    private readonly now: () => number,
    private readonly allowed = 3,
  ) {}

  /** What to answer instead of running the call; undefined where it may run. */
  check(tool: string, input: unknown, readOnly: boolean): string | undefined {
    const key = keyOf(tool, input);
    const known = this.seen.get(key);
    const fresh = known && this.now() - known.last <= SPAN_MS ? known : { times: 0, last: 0 };
    if (!readOnly) return fresh.answer;
    fresh.times += 1;
    fresh.last = this.now();
    this.put(key, fresh);
    if (fresh.times <= this.allowed) return undefined;
    return `This was asked and answered ${fresh.times - 1} times; nothing has changed since. Use the earlier answer, or ask something else.`;
  }

  /** A change was made. */
  changed(tool: string, input: unknown, answer: string): void {
    for (const seen of this.seen.values()) seen.times = 0;
    this.put(keyOf(tool, input), { times: 1, last: this.now(), answer });
  }

  private put(key: string, seen: Seen): void {
    this.seen.delete(key);
    this.seen.set(key, seen);
    for (const oldest of this.seen.keys()) {
      if (this.seen.size <= KEPT) return;
      this.seen.delete(oldest);
    }
  }
}

function keyOf(tool: string, input: unknown): string {
  return createHash('sha256')
    .update(`${tool}\0${JSON.stringify(input)}`)
    .digest('hex');
}
