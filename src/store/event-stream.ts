import type { EventRow } from '../contract/local-api';
import { bytesToUlid, ulidToBytes } from './ulid-bytes';
import { timeMs } from './stored-time';

/** A place in the order of events: newest first, by time and id. */
export interface EventPosition {
  time: number;
  id: Uint8Array;
}

/** An event that a page may take; its row is made when it is asked for. */
export interface Candidate extends EventPosition {
  row(): EventRow;
}

/** A block of the archive is about to be read: nothing in it is newer than `time`. */
export interface BlockAhead {
  time: number;
}

export function isNewer(a: EventPosition, b: EventPosition): boolean {
  return a.time > b.time || (a.time === b.time && Buffer.compare(a.id, b.id) > 0);
}

/**
 * Image and archive as one stream, newest first. A block is read only when the image has nothing newer left;
 * undefined stands for that read.
 */
export function* mergeNewestFirst(
  image: Iterator<Candidate>,
  archive: Iterator<Candidate | BlockAhead>,
): Generator<Candidate | undefined> {
  let a = image.next();
  let b = archive.next();
  for (;;) {
    if (!a.done && (b.done || ('id' in b.value ? isNewer(a.value, b.value) : a.value.time > b.value.time))) {
      yield a.value;
      a = image.next();
    } else if (!b.done) {
      yield 'id' in b.value ? b.value : undefined;
      b = archive.next();
    } else return;
  }
}

/** The text of a page's end, for the caller to give back. */
export function positionText(position: EventPosition): string {
  return `${position.time}.${bytesToUlid(position.id)}`;
}

/** Reads what {@link positionText} wrote, or an event's time and id; undefined where it is neither. */
export function parsePosition(
  before: string | { valid_time: string; event_id: string } | undefined,
): EventPosition | undefined {
  if (before === undefined) return undefined;
  try {
    if (typeof before !== 'string')
      return { time: timeMs(before.valid_time), id: ulidToBytes(before.event_id) };
    const [time, id] = before.split('.');
    return { time: Number(time) || 0, id: ulidToBytes(id ?? '') };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
