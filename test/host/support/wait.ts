/** Thrown when something awaited did not come; the message says what. */
export class WaitTimeoutError extends Error {
  constructor(what: string, ms: number) {
    super(`waited ${ms} ms for ${what}`);
    this.name = 'WaitTimeoutError';
  }
}

/**
 * Asks `probe` every 50 ms until it gives something other than undefined, and gives that. For states of other
 * processes and files, which send no event.
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | undefined | Promise<T | undefined>,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new WaitTimeoutError(what, timeoutMs);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
