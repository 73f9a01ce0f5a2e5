import { z } from 'zod';
import type { Mutation } from '../../store/mutation';

const KEY = 'model:tokens';
const DAY_MS = 24 * 3_600_000;
const savedSchema = z.object({ day: z.string(), used: z.number().min(0) });

/** Tokens that models were given and gave, by day (UTC), kept over restarts (pains 65, 66). */
export class TokenBudget {
  private day = '';
  private used = 0;
  /** Tokens a day; 0 allows none. */
  limit = 0;

  constructor(saved: string | undefined) {
    try {
      const parsed = savedSchema.parse(JSON.parse(saved ?? ''));
      this.day = parsed.day;
      this.used = parsed.used;
    } catch {
      // A count that can't be read begins anew.
    }
  }

  static readonly key = KEY;

  /** @param now milliseconds since 1970 */
  usedToday(now: number): number {
    return this.day === dayOf(now) ? this.used : 0;
  }

  /** Whether a call that takes this much still fits. */
  allows(tokens: number, now: number): boolean {
    return this.usedToday(now) + tokens <= this.limit;
  }

  /** Counts a call; the mutation keeps the count. */
  spend(tokens: number, now: number): Mutation {
    this.used = this.usedToday(now) + Math.max(0, Math.round(tokens));
    this.day = dayOf(now);
    return { op: 'meta', key: KEY, value: JSON.stringify({ day: this.day, used: this.used }) };
  }

  /** When the next day begins. */
  renewsAt(now: number): number {
    return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  }
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
