/**
 * A time as the image keeps it: milliseconds where the text is what those milliseconds are written as, else
 * the text itself, so that an offset survives.
 */
export function packTime(iso: string): number | string {
  const ms = Date.parse(iso);
  return Number.isFinite(ms) && new Date(ms).toISOString() === iso ? ms : iso;
}

export function unpackTime(stored: number | string): string {
  return typeof stored === 'number' ? new Date(stored).toISOString() : stored;
}

/** Milliseconds of an ISO time; 0 where it is none, so that a row can always be ordered. */
export function timeMs(iso: string): number {
  const ms = Date.parse(iso);
  return Number.isFinite(ms) ? ms : 0;
}
