import { setImmediate as nextTurn } from 'node:timers/promises';

/** A slice of work in the collector ends after this long, so that the socket stays answered. */
export const SLICE_MS = 20;

/** Calls `step` for each item in order, giving the event loop a turn whenever a slice has ended. */
export async function inSlices<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  let until = performance.now() + SLICE_MS;
  for (const item of items) {
    step(item);
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + SLICE_MS;
  }
}

/** Lists of at most `size`. */
export function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
