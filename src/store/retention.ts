import { DAY_MS, IMAGE_DAYS, type Archiver } from './archiver';
import { readDirectory } from './archive-file';
import type { ArchiveRewriter } from './archive-rewriter';
import type { Bodies } from './bodies';
import type { Database } from './database';
import type { Publisher } from './publisher';
import type { SegmentReader } from './segment-reader';
import type { SegmentRow, SegmentTable } from './segment-table';

export interface RetentionLimits {
  /** Events older than this many days go; records stay. */
  maxAgeDays?: number;
  /** All files of the store together; the oldest events go until they fit. */
  maxBytes?: number;
}

export interface RetentionReport {
  /** Events whose bodies go, or went. */
  events: number;
  /** Bytes that they take on disk. */
  bytes: number;
  /** Bytes of all files before. */
  total: number;
  /** True where the files are above `maxBytes` even without them. */
  still_above: boolean;
}

export interface RetentionParts {
  db: Database;
  segments: SegmentTable;
  reader: SegmentReader;
  bodies: Bodies;
  archiver: Archiver;
  rewriter: ArchiveRewriter;
  publisher: Publisher;
  /** Bytes of all files of the store. */
  totalBytes(): number;
}

interface Candidate {
  segment: SegmentRow;
  from: number;
  to: number;
}

/** Removes the bodies of old events, whole archives at a time; ids stay known, records keep their excerpts. */
export class Retention {
  constructor(private readonly parts: RetentionParts) {}

  /** What {@link apply} would remove now. Changes nothing. */
  plan(limits: RetentionLimits, now: number): RetentionReport {
    const { events, bytes } = this.report(this.choose(limits, now), limits);
    const young = this.inImage(limits, now);
    return this.summary(events + young.events, bytes + young.bytes, limits);
  }

  async apply(limits: RetentionLimits, now: number): Promise<RetentionReport> {
    const { publisher, archiver, rewriter } = this.parts;
    return publisher.exclusive(async () => {
      if (limits.maxAgeDays !== undefined && limits.maxAgeDays < IMAGE_DAYS) {
        await archiver.run(now, limits.maxAgeDays);
      }
      const chosen = this.choose(limits, now);
      const report = this.report(chosen, limits);
      for (const { segment } of chosen) await rewriter.drop(segment);
      if (chosen.length > 0) await publisher.writeTwice();
      return report;
    });
  }

  private choose(limits: RetentionLimits, now: number): Candidate[] {
    const oldest = limits.maxAgeDays === undefined ? -Infinity : now - limits.maxAgeDays * DAY_MS;
    let excess = limits.maxBytes === undefined ? 0 : this.parts.totalBytes() - limits.maxBytes;
    return this.candidates().filter(({ segment, to }) => {
      if (to >= oldest && excess <= 0) return false;
      excess -= segment.bytes;
      return true;
    });
  }

  /** Archives that hold bodies, oldest first. */
  private candidates(): Candidate[] {
    const { segments, bodies, reader } = this.parts;
    return segments
      .list('archive')
      .flatMap((segment) => {
        const read = () => readDirectory(reader, segment.name, segment.bytes);
        const directory = bodies.tolerant(segment.name, read);
        if (!directory || directory.blocks.length === 0) return [];
        return { segment, from: directory.from, to: directory.to };
      })
      .sort((a, b) => a.to - b.to);
  }

  /** Events that are to go by age and still lie in the image; their bytes as a share of the segments. */
  private inImage(limits: RetentionLimits, now: number): { events: number; bytes: number } {
    if (limits.maxAgeDays === undefined) return { events: 0, bytes: 0 };
    const { db, segments } = this.parts;
    const events = db.number('SELECT count(*) AS n FROM events WHERE time < ? AND distil <> 1', [
      now - limits.maxAgeDays * DAY_MS,
    ]);
    const all = db.number('SELECT count(*) AS n FROM events');
    const bytes = segments.list('bodies').reduce((sum, segment) => sum + segment.bytes, 0);
    return { events, bytes: all === 0 ? 0 : Math.round((bytes * events) / all) };
  }

  private report(chosen: readonly Candidate[], limits: RetentionLimits): RetentionReport {
    const events = chosen.reduce((sum, { segment }) => sum + segment.items, 0);
    const bytes = chosen.reduce((sum, { segment }) => sum + segment.bytes, 0);
    return this.summary(events, bytes, limits);
  }

  private summary(events: number, bytes: number, limits: RetentionLimits): RetentionReport {
    const total = this.parts.totalBytes();
    return {
      events,
      bytes,
      total,
      still_above: limits.maxBytes !== undefined && total - bytes > limits.maxBytes,
    };
  }
}
