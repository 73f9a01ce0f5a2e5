const keyPattern = /^(\d{12,14})-[0-9a-zA-Z-]{8,64}$/;
const oldestMs = 30 * 24 * 3_600_000;
const aheadMs = 60_000;

/**
 * An idempotency key of a hook run: `<milliseconds>-<random>`. It holds the time of the run, so that whoever
 * stores it (the leader, late or in time, or the one that drains the spool) gives it the same `valid_time`, and
 * with it the same event id. Unique, not secret: loading `node:crypto` would double what a hook adds to a bare start.
 */
export function mintKey(nowMs: number): string {
  const random = () => Math.random().toString(36).slice(2, 12).padEnd(10, '0');
  return `${Math.trunc(nowMs)}-${process.pid.toString(36)}-${random()}${random()}`;
}

/** The time of the run that minted `key`; `nowMs` where the key holds none that can be believed. */
export function mintTime(key: string, nowMs: number): number {
  const match = keyPattern.exec(key);
  const at = match ? Number(match[1]) : NaN;
  return at > nowMs - oldestMs && at <= nowMs + aheadMs ? at : nowMs;
}
