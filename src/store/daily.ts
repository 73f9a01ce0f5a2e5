import type { Database } from './database';

const DAY_MS = 24 * 60 * 60_000;

/** The day (UTC) of a time, as a number. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Adds to a counter of a day; counters outlive the rows that they were counted from. */
export function countDaily(
  db: Database,
  ms: number,
  namespace: number,
  counter: number,
  key: number,
  n: number,
): void {
  db.run(
    `INSERT INTO daily (day, namespace, counter, key, n) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (day, namespace, counter, key) DO UPDATE SET n = n + excluded.n`,
    [dayOf(ms), namespace, counter, key, n],
  );
}
