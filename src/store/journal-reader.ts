import path from 'node:path';
import { hasCode, type FileSystem } from '../platform/file-system';
import type { StoreFile } from './file-names';
import { scanFrames, type Frame } from './frame';

/** First line of a segment. */
export interface SegmentHeader {
  /** The store that the segment belongs to. */
  store: string;
  /** Version of what the frames say. */
  version: number;
  epoch: number;
  segment: number;
  /** Earlier segments and how many of their bytes count: what lies behind was never acknowledged. */
  previous: Record<string, number>;
}

export const JOURNAL_VERSION = 1;
const MAX_SEGMENT_BYTES = 256 * 1024 * 1024;

export interface Range {
  start: number;
  end: number;
}

export interface SegmentFrame extends Frame {
  end: number;
}

/** A segment as it was read. */
export interface LoadedSegment {
  file: StoreFile;
  bytes: Uint8Array;
  header: SegmentHeader | undefined;
  frames: SegmentFrame[];
  /** Lines that do not check, with whole frames behind them. */
  damaged: Range[];
  /** Bytes behind the last whole frame. */
  tail: Range | undefined;
}

/** Reads segments, oldest first; one that went meanwhile makes it reject with `ENOENT`. */
export async function loadSegments(
  fs: FileSystem,
  dir: string,
  files: readonly StoreFile[],
): Promise<LoadedSegment[]> {
  const loaded: LoadedSegment[] = [];
  for (const file of files) {
    loaded.push(parseSegment(file, await fs.readFile(path.join(dir, file.name), MAX_SEGMENT_BYTES)));
  }
  return loaded;
}

export function parseSegment(file: StoreFile, bytes: Uint8Array): LoadedSegment {
  const segment: LoadedSegment = { file, bytes, header: undefined, frames: [], damaged: [], tail: undefined };
  let bad: Range | undefined;
  for (const { start, end, frame } of scanFrames(bytes)) {
    if (!frame || frame.epoch !== file.epoch) {
      bad = { start: bad?.start ?? start, end };
      continue;
    }
    if (bad) segment.damaged.push(bad);
    bad = undefined;
    if (frame.sequence === 0) segment.header = headerOf(frame.json);
    else segment.frames.push({ ...frame, end });
  }
  segment.tail = bad;
  return segment;
}

function headerOf(json: string): SegmentHeader | undefined {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null) return undefined;
  const header = value as Partial<SegmentHeader>;
  if (typeof header.store !== 'string' || typeof header.version !== 'number') return undefined;
  return { previous: {}, epoch: 0, segment: 0, ...header, store: header.store, version: header.version };
}

/** How many bytes of each segment count, by the headers of those that came after it. */
export function segmentLimits(segments: readonly LoadedSegment[]): Map<string, number> {
  const limits = new Map<string, number>();
  for (const [index, segment] of segments.entries()) {
    const later = segments.slice(index + 1).filter((other) => other.header !== undefined);
    // Who follows in the same epoch was written by the same process: it names all it has written before.
    // Who took over names what it saw; a segment that it does not name was begun by a leader that had lost.
    const successor = later.find((other) => other.file.epoch > segment.file.epoch) ?? later[0];
    const sameEpoch = later.find((other) => other.file.epoch === segment.file.epoch);
    const limit = successor
      ? (successor.header?.previous[segment.file.name] ??
        (successor.file.epoch > segment.file.epoch ? 0 : Infinity))
      : Infinity;
    const own = sameEpoch?.header?.previous[segment.file.name] ?? Infinity;
    limits.set(segment.file.name, Math.min(limit, own, segment.bytes.length));
  }
  return limits;
}

/** True for an error that says that a file went while the folder was read. */
export function wentAway(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}
