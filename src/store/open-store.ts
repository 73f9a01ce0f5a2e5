import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlJsStatic } from 'sql.js';
import { writeFileAtomic } from '../platform/atomic-file';
import type { FileSystem } from '../platform/file-system';
import type { Applier, StoredMutation } from './apply';
import { ApplyError } from './errors';
import type { Database } from './database';
import { filesOfKind, type StoreFile } from './file-names';
import { loadImage, type LoadedImage } from './image-files';
import {
  JOURNAL_VERSION,
  loadSegments,
  segmentLimits,
  wentAway,
  type LoadedSegment,
  type SegmentFrame,
} from './journal-reader';
import type { OpenReport } from './open-report';
import { Quarantine } from './quarantine';

const ATTEMPTS = 5;
const SLICE_MS = 40;

/** What lies in the folder of a store, read at one moment. */
export interface StoreContents {
  image: LoadedImage | undefined;
  damagedImages: StoreFile[];
  /** Images that were not looked at, because a newer one was sound. */
  olderImages: StoreFile[];
  segments: LoadedSegment[];
}

/** Reads the highest sound image and all segments but `except`; again when a leader removes files meanwhile. */
export async function readContents(
  sqlite: SqlJsStatic,
  fs: FileSystem,
  dir: string,
  except: string | undefined,
): Promise<StoreContents> {
  for (let attempt = 1; ; attempt++) {
    let image: LoadedImage | undefined;
    try {
      const names = await fs.readdir(dir);
      const damagedImages: StoreFile[] = [];
      const images = filesOfKind(names, 'image').reverse();
      while (!image && images.length > 0) {
        const candidate = images.shift() as StoreFile;
        image = await loadImage(sqlite, fs, dir, candidate);
        if (!image) damagedImages.push(candidate);
      }
      const files = filesOfKind(names, 'journal').filter((file) => file.name !== except);
      const segments = await loadSegments(fs, dir, files);
      return { image, damagedImages, olderImages: images, segments };
    } catch (error) {
      image?.db.close();
      if (!wentAway(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The id of the store: its image knows it, else its first segment. */
export function storeIdOf(db: Database, segments: readonly LoadedSegment[]): string {
  const known = db.get("SELECT value FROM state WHERE key = 'store'")?.['value'];
  if (typeof known === 'string' && known !== '') return known;
  return segments.find((segment) => segment.header)?.header?.store ?? randomBytes(16).toString('hex');
}

export interface ReplayedSegment {
  bytes: number;
  lastSequence: number;
  /** Behind `bytes` lies the beginning of a frame that no later segment knows of. */
  torn: boolean;
}

export interface Replay {
  /** Segments that belong to the store and how much of each counts. */
  segments: Map<string, ReplayedSegment>;
  foreign: LoadedSegment[];
  /** Bytes of frames that were applied over the image. */
  bytes: number;
  /** True where a segment was written by a later version. */
  newer: boolean;
}

/** Applies what the journal holds beyond the image, in slices. */
export async function replay(
  db: Database,
  applier: Applier,
  storeId: string,
  loaded: readonly LoadedSegment[],
  report: OpenReport,
): Promise<Replay> {
  const own = loaded.filter((segment) => !isForeign(segment, storeId));
  const limits = segmentLimits(own);
  const result: Replay = {
    segments: new Map(),
    bytes: 0,
    foreign: loaded.filter((segment) => isForeign(segment, storeId)),
    newer: own.some((segment) => (segment.header?.version ?? 0) > JOURNAL_VERSION),
  };
  const frames: SegmentFrame[] = [];
  for (const segment of own) {
    const limit = limits.get(segment.file.name) ?? 0;
    const counted = segment.frames.filter((frame) => frame.end <= limit);
    const torn = segment.tail !== undefined && segment.tail.start < limit;
    report.ignoredBytes += segment.bytes.length - limit;
    result.segments.set(segment.file.name, {
      // A torn tail doesn't count, so that the next header cuts it off.
      bytes: torn ? (segment.tail?.start ?? limit) : limit,
      lastSequence: counted.reduce((last, frame) => Math.max(last, frame.sequence), 0),
      torn,
    });
    frames.push(...counted);
  }
  const beyond = frames.filter((frame) => frame.sequence > applier.sequence);
  result.bytes = beyond.reduce((sum, frame) => sum + frame.json.length, 0);
  await applyFrames(db, applier, beyond, report);
  return result;
}

async function applyFrames(
  db: Database,
  applier: Applier,
  frames: readonly SegmentFrame[],
  report: OpenReport,
): Promise<void> {
  let applied = applier.sequence;
  let at = 0;
  while (at < frames.length) {
    const until = performance.now() + SLICE_MS;
    db.transaction(() => {
      for (; at < frames.length && performance.now() < until; at++) {
        const frame = frames[at];
        if (!frame || frame.sequence <= applied) continue;
        if (frame.sequence > applied + 1) report.missing.push({ from: applied + 1, to: frame.sequence - 1 });
        const mutations = JSON.parse(frame.json) as StoredMutation[];
        if (applier.applyFrame(frame.sequence, mutations) instanceof ApplyError) report.failed += 1;
        report.frames += 1;
        applied = frame.sequence;
      }
    });
    await nextTurn();
  }
}

/** A segment of another store, or a file that has nothing of a segment in it. */
function isForeign(segment: LoadedSegment, storeId: string): boolean {
  if (segment.header) return segment.header.store !== storeId;
  return segment.bytes.length > 0 && segment.frames.length === 0 && !isTorn(segment);
}

/** A segment whose header had not reached the disk whole. */
function isTorn(segment: LoadedSegment): boolean {
  const head = Buffer.from(segment.bytes.subarray(0, 8)).toString('latin1');
  return /^[0-9a-f]{0,8}$/.test(head) || segment.bytes.every((byte) => byte === 0);
}

/**
 * Sets damage aside so that it is found once: damaged images and foreign segments move, a segment with damage
 * between whole frames is copied and written anew without it, a torn tail is copied.
 */
export async function quarantineDamage(
  fs: FileSystem,
  dir: string,
  contents: StoreContents,
  replayed: Replay,
  report: OpenReport,
): Promise<void> {
  const quarantine = new Quarantine(fs, dir);
  for (const file of contents.damagedImages) {
    const kept = await quarantine.take(file.name);
    report.quarantined.push({ file: file.name, reason: 'damaged_image', kept_as: kept });
  }
  for (const { file } of replayed.foreign) {
    const kept = await quarantine.take(file.name);
    report.quarantined.push({ file: file.name, reason: 'foreign', kept_as: kept });
  }
  for (const segment of contents.segments) {
    const own = replayed.segments.get(segment.file.name);
    if (!own) continue;
    if (segment.damaged.some((range) => range.start < own.bytes)) {
      own.bytes = await rewriteSegment(fs, dir, quarantine, segment, own.bytes, report);
    } else if (own.torn && segment.tail) {
      const tail = segment.bytes.subarray(segment.tail.start, segment.tail.end);
      const kept = await quarantine.keep(`${segment.file.name}.tail`, tail);
      report.quarantined.push({ file: segment.file.name, reason: 'torn_tail', kept_as: kept });
    }
  }
}

async function rewriteSegment(
  fs: FileSystem,
  dir: string,
  quarantine: Quarantine,
  segment: LoadedSegment,
  limit: number,
  report: OpenReport,
): Promise<number> {
  const { file, bytes } = segment;
  const kept = await quarantine.keep(file.name, bytes);
  report.quarantined.push({ file: file.name, reason: 'damaged_journal', kept_as: kept });
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end } of [...segment.damaged, { start: limit, end: limit }]) {
    if (start > limit) break;
    pieces.push(bytes.subarray(at, start));
    at = end;
  }
  const whole = Buffer.concat(pieces);
  await writeFileAtomic(fs, path.join(dir, file.name), whole);
  return whole.length;
}
