const FIRST_MS = 30_000;
const LONGEST_MS = 15 * 60_000;
const OPENS_AFTER = 3;

/**
 * Keeps a model that fails from being asked again and again. After three failures in a row it is left alone, at first
 * for 30 s, at most for 15 minutes; then one try is let through, and a success closes the breaker. It always heals
 * by itself.
 */
export class Breaker {
  private failures = 0;
  private openUntil = 0;
  private trying = false;

  /** @param now milliseconds since 1970 */
  allows(now: number): boolean {
    if (now < this.openUntil || this.trying) return false;
    if (this.failures >= OPENS_AFTER) this.trying = true;
    return true;
  }

  /** When the next try is let through; undefined where one is now. */
  retryAt(now: number): number | undefined {
    return now < this.openUntil ? this.openUntil : undefined;
  }

  succeeded(): void {
    this.failures = 0;
    this.openUntil = 0;
    this.trying = false;
  }

  failed(now: number): void {
    this.failures += 1;
    this.trying = false;
    const wait =
      this.failures < OPENS_AFTER
        ? FIRST_MS / 10
        : Math.min(LONGEST_MS, FIRST_MS * 2 ** (this.failures - OPENS_AFTER));
    this.openUntil = now + wait;
  }

  /** Something changed that may mend it: a key, an endpoint, a window that opened. */
  reset(): void {
    this.succeeded();
  }
}
