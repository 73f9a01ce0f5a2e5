import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../contract/clock';
import { hasCode, type FileSystem } from '../platform/file-system';
import { TEMPORARY_SUFFIX } from '../platform/atomic-file';
import type { Log } from '../platform/log';
import type { Applier } from './apply';
import { DAY_MS, IMAGE_DAYS, type Archiver } from './archiver';
import type { BodyMover } from './body-mover';
import type { Database } from './database';
import { FencedError } from './errors';
import { parseStoreFile, storeFileName } from './file-names';
import { writeImage } from './image-files';
import type { Journal } from './journal';
import type { SegmentTable } from './segment-table';
import type { SegmentWriter } from './segment-writer';

export interface PublisherDeps {
  dir: string;
  /** Folder of the segments. */
  bodiesDir: string;
  fs: FileSystem;
  epoch: number;
  clock: Clock;
  log: Log;
  /** Milliseconds without a commit after which an image is written; 0 for never. */
  idleMs: number;
}

export interface PublisherParts {
  db: Database;
  journal: Journal;
  applier: Applier;
  segments: SegmentTable;
  writer: SegmentWriter;
  mover: BodyMover;
  archiver: Archiver;
}

export interface Generation {
  name: string;
  /** Last sequence that the image holds. */
  sequence: number;
  bytes: number;
  /** Segments that it points into. */
  segments: ReadonlySet<string>;
}

/** A journal of this size is put into an image at once. */
const JOURNAL_LIMIT = 8 * 1024 * 1024;
/** On idle, a journal is worth an image when it has this size, or this share of the image. */
const IDLE_MIN_BYTES = 256 * 1024;
const IDLE_IMAGE_SHARE = 32;
const VACUUM_PAGES = 256;

/** Writes images, and removes what two of them have made superfluous. */
export class Publisher {
  private generations: Generation[] = [];
  private number = 0;
  private coveredBytes = 0;
  private tail: Promise<void> = Promise.resolve();
  private scheduled = false;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly deps: PublisherDeps,
    private readonly parts: PublisherParts,
    loaded: Generation | undefined,
    /** Bytes of the journal that opening replayed. */
    private backlog: number,
  ) {
    if (loaded) this.generations.push(loaded);
  }

  get imageBytes(): number {
    return this.generations.reduce((sum, generation) => sum + generation.bytes, 0);
  }

  /** Told after each group that went to the journal. */
  grew(): void {
    if (this.uncovered >= JOURNAL_LIMIT) this.inBackground();
    else this.arm();
  }

  /** Begins to wait for quiet, where there is something to write. */
  arm(): void {
    clearTimeout(this.idle);
    const worth = Math.max(IDLE_MIN_BYTES, (this.generations[0]?.bytes ?? 0) / IDLE_IMAGE_SHARE);
    if (this.deps.idleMs === 0 || this.uncovered < worth) return;
    this.idle = setTimeout(() => this.inBackground(), this.deps.idleMs);
    this.idle.unref();
  }

  publish(): Promise<void> {
    return this.exclusive(() => this.write());
  }

  /** Runs work that must not meet a publish. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.tail.then(work);
    this.tail = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Two images in a row, so that nothing of an earlier one is left; to be called inside {@link exclusive}. */
  async writeTwice(): Promise<void> {
    await this.write();
    await this.write();
  }

  async dispose(): Promise<void> {
    clearTimeout(this.idle);
    await this.tail;
    await this.parts.writer.close();
  }

  private get uncovered(): number {
    return this.parts.journal.written + this.backlog - this.coveredBytes;
  }

  private inBackground(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.publish()
      .catch((error: unknown) => {
        if (error instanceof FencedError) return;
        this.deps.log.error(
          'store',
          `No image was written: ${error instanceof Error ? error.name : 'error'}`,
        );
      })
      .finally(() => {
        this.scheduled = false;
      });
  }

  private async write(): Promise<void> {
    const { db, journal, applier, mover, archiver, segments } = this.parts;
    const { fs, dir, epoch, clock } = this.deps;
    await mover.move();
    await archiver.run(clock.now());
    this.dropExpired(clock.now());
    await this.freePages();
    const sequence = applier.sequence;
    this.coveredBytes = journal.written + this.backlog;
    const names = segments.allNames();
    const image = db.export();
    journal.roll();
    this.number += 1;
    const name = storeFileName('image', epoch, this.number);
    const bytes = await writeImage(fs, dir, name, image);
    this.generations = [{ name, sequence, bytes, segments: names }, ...this.generations].slice(0, 2);
    await journal.checkFence();
    await this.removeSuperfluous();
  }

  /** The log of injections is kept as long as thin rows are; body segments go with the last that needs them. */
  private dropExpired(now: number): void {
    const { db, segments, writer } = this.parts;
    const limit = now - IMAGE_DAYS * DAY_MS;
    db.transaction(() => {
      db.run('DELETE FROM injection_records WHERE injection IN (SELECT id FROM injections WHERE time < ?)', [
        limit,
      ]);
      db.run('DELETE FROM injection_bodies WHERE injection IN (SELECT id FROM injections WHERE time < ?)', [
        limit,
      ]);
      db.run('DELETE FROM injections WHERE time < ?', [limit]);
      const references = segments.references();
      for (const segment of segments.list('bodies')) {
        if (!references.has(segment.id) && segment.name !== writer.current) segments.remove(segment.id);
      }
    });
  }

  private async freePages(): Promise<void> {
    const { db } = this.parts;
    for (let left = db.number('PRAGMA freelist_count'); left > 0; left -= VACUUM_PAGES) {
      db.script(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
      await nextTurn();
    }
  }

  /** Removes images, segments and journal that the last two images don't need. */
  async removeSuperfluous(): Promise<void> {
    const { fs, dir, bodiesDir } = this.deps;
    const older = this.generations[1];
    if (!older) return;
    const images = new Set(this.generations.map((generation) => generation.name));
    const superfluous = (await fs.readdir(dir)).filter((name) => {
      const file = parseStoreFile(name.replace(TEMPORARY_SUFFIX, ''));
      return file?.kind === 'image' && !images.has(name);
    });
    await this.unlinkAll(dir, superfluous);
    await this.parts.journal.dropThrough(older.sequence);
    const needed = new Set(this.generations.flatMap((generation) => [...generation.segments]));
    for (const name of this.parts.segments.allNames()) needed.add(name);
    needed.add(this.parts.writer.current);
    const orphans = (await fs.readdir(bodiesDir)).filter((name) => !needed.has(name));
    await this.unlinkAll(bodiesDir, orphans);
  }

  private async unlinkAll(dir: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      try {
        await this.deps.fs.unlink(path.join(dir, name));
      } catch (error) {
        if (!hasCode(error, 'ENOENT'))
          this.deps.log.warn('store', 'A superfluous file could not be removed.');
      }
    }
  }
}
