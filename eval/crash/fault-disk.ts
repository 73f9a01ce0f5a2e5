import path from 'node:path';
import { closeSync, ftruncateSync, openSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { nodeFileSystem, type AppendFile, type FileSystem } from '../../src/platform/file-system';
import { parseStoreFile } from '../../src/store/file-names';

/** Moments at which a leader dies. */
export const FAILPOINTS = [
  'journal_write',
  'fsync',
  'segment_creation',
  'export',
  'rename',
  'takeover',
  'migration',
  'erase',
  'drain',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/** A failpoint is hit at its `hit`th passing; `phase` 0 is before the operation, 1 in its middle, 2 behind it. */
export interface Arming {
  failpoint: Failpoint;
  hit: number;
  phase: 0 | 1 | 2;
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered before the call returns; this line is for the compiler.
  throw new Error('killed');
}

/** The real disk, with a death or a full disk at an armed moment. */
export class FaultDisk {
  readonly fs: FileSystem;
  /** While true every write fails with `ENOSPC`, after half of it. */
  full = false;
  private passed = 0;

  /** While true, operations of a running erase count as passings of `erase`. */
  erasing = false;

  constructor(
    private readonly arming: Arming | undefined,
    private readonly base: FileSystem = nodeFileSystem,
  ) {
    this.fs = {
      ...base,
      create: (location, mode) => this.create(location, mode),
      rename: async (from, to) => {
        await this.at(isImage(to) ? 'rename' : undefined, () => base.rename(from, to));
        if (this.erasing) this.pass('erase');
      },
      unlink: async (location) => {
        await base.unlink(location);
        if (this.erasing) this.pass('erase');
      },
    };
  }

  /** Passes a moment that is no operation of the disk. */
  pass(failpoint: Failpoint): void {
    if (this.isHit(failpoint)) die();
  }

  private async create(location: string, mode?: number): Promise<AppendFile> {
    const file = parseStoreFile(path.basename(location));
    const point = file?.kind !== 'journal' ? undefined : file.number === 0 ? 'takeover' : 'segment_creation';
    let made: AppendFile | undefined;
    await this.at(point, async () => {
      made = await this.base.create(location, mode);
    });
    if (!made) throw new Error('no file');
    const image = isImage(location.replace(/\.tmp$/, ''));
    const journal = file?.kind === 'journal';
    if (image) this.pass('migration');
    if (this.erasing) this.pass('erase');
    const write = file?.number === 0 ? 'takeover' : undefined;
    return this.wrap(
      made,
      journal ? 'journal_write' : image ? 'export' : undefined,
      journal ? 'fsync' : undefined,
      write,
    );
  }

  /** @param first the failpoint of the first write, where it is another */
  private wrap(
    file: AppendFile,
    write: Failpoint | undefined,
    sync: Failpoint | undefined,
    first: Failpoint | undefined,
  ): AppendFile {
    let point = first ?? write;
    return {
      append: async (bytes) => {
        const half = bytes.subarray(0, bytes.length >> 1);
        if (this.full) {
          await file.append(half);
          throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        }
        const here = point;
        point = write;
        await this.at(
          here,
          () => file.append(bytes),
          () => file.append(half),
        );
      },
      fdatasync: () => this.at(sync, () => file.fdatasync()),
      truncate: (length) => file.truncate(length),
      close: () => file.close(),
    };
  }

  private async at(
    point: Failpoint | undefined,
    whole: () => Promise<void>,
    half: () => Promise<void> = whole,
  ): Promise<void> {
    const hit = point !== undefined && this.isHit(point);
    if (hit && this.arming?.phase === 0) die();
    if (hit && this.arming?.phase === 1) await half();
    else await whole();
    if (hit) die();
  }

  private isHit(failpoint: Failpoint): boolean {
    if (this.arming?.failpoint !== failpoint) return false;
    this.passed += 1;
    return this.passed === this.arming.hit;
  }
}

function isImage(location: string): boolean {
  return parseStoreFile(path.basename(location))?.kind === 'image';
}

/** Sabotage: an image is written over the former one, in place, so that there never is a second generation. */
export function renameInPlace(fs: FileSystem): FileSystem {
  return {
    ...fs,
    async create(location, mode) {
      const target = location.replace(/\.tmp$/, '');
      if (!isImage(target)) return fs.create(location, mode);
      const dir = path.dirname(location);
      const images = (await fs.readdir(dir)).filter(isImage);
      for (const extra of images.slice(0, -1)) await fs.unlink(path.join(dir, extra));
      const former = images[images.length - 1];
      if (former) {
        renameSync(path.join(dir, former), target);
        const fd = openSync(target, 'r+');
        ftruncateSync(fd, 0);
        closeSync(fd);
      } else await (await fs.create(target, mode)).close();
      const handle = await open(target, 'r+');
      const file = {
        append: async (bytes: Uint8Array) => void (await handle.write(bytes)),
        fdatasync: () => handle.datasync(),
        truncate: (length: number) => handle.truncate(length),
        close: () => handle.close(),
      };
      return file;
    },
    rename: (from, to) => (isImage(to) ? Promise.resolve() : fs.rename(from, to)),
  };
}

/** Sabotage: the leader does not see that a higher epoch exists. */
export function blindTo(fs: FileSystem, epoch: () => number): FileSystem {
  return {
    ...fs,
    async readdir(location) {
      const names = await fs.readdir(location);
      const own = epoch();
      return own === 0 ? names : names.filter((name) => (parseStoreFile(name)?.epoch ?? 0) <= own);
    },
  };
}
