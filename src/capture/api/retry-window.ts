const WINDOW_MS = 10 * 60_000;
const MAX_KNOWN = 2000;

/**
 * Recognises a retry that carries neither key nor time: the same content within ten minutes is the same event,
 * with the time at which it came first.
 */
export class RetryWindow {
  /** In order of arrival. */
  private readonly firstSeen = new Map<string, number>();

  /** When this content came first (milliseconds since 1970), which is `now` unless it is a retry. */
  seenAt(digest: string, now: number): number {
    const first = this.firstSeen.get(digest);
    if (first !== undefined && now - first < WINDOW_MS) return first;
    this.firstSeen.delete(digest);
    this.firstSeen.set(digest, now);
    this.forget(now);
    return now;
  }

  private forget(now: number): void {
    for (const [digest, at] of this.firstSeen) {
      if (now - at < WINDOW_MS && this.firstSeen.size <= MAX_KNOWN) return;
      this.firstSeen.delete(digest);
    }
  }
}
