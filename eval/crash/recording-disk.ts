import path from 'node:path';
import type { AppendFile, FileStat, FileSystem } from '../../src/platform/file-system';

/** What a disk was asked to do, in order. Files are numbers, names are entries of folders. */
export type DiskOperation =
  | { do: 'append'; file: number; bytes: Buffer }
  | { do: 'truncate'; file: number; length: number }
  | { do: 'sync'; file: number }
  | { do: 'name'; dir: string; name: string; file: number }
  | { do: 'unname'; dir: string; name: string }
  | { do: 'rename'; dir: string; name: string; toDir: string; toName: string; file: number }
  | { do: 'sync_dir'; dir: string }
  | { do: 'mark'; mark: unknown };

/** Content of a disk at one moment: folders with names of files, files with bytes. */
export interface DiskState {
  folders: Map<string, Map<string, number>>;
  files: Map<number, Buffer>;
}

function fail(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A disk in memory that remembers every operation, for the states that a power cut may leave. */
export class RecordingDisk implements FileSystem {
  readonly log: DiskOperation[] = [];
  private readonly folders: Map<string, Map<string, number>>;
  private readonly files: Map<number, { bytes: Buffer; length: number }>;
  private nextFile: number;

  constructor(state?: DiskState) {
    this.folders = new Map([...(state?.folders ?? [])].map(([dir, names]) => [dir, new Map(names)]));
    this.files = new Map(
      [...(state?.files ?? [])].map(([id, bytes]) => [id, { bytes, length: bytes.length }]),
    );
    this.nextFile = Math.max(0, ...this.files.keys()) + 1;
  }

  /** Notes a moment in the log, such as an acknowledgement. */
  mark(mark: unknown): void {
    this.log.push({ do: 'mark', mark });
  }

  create(location: string): Promise<AppendFile> {
    return Promise.resolve().then(() => {
      const names = this.folder(path.dirname(location));
      const name = path.basename(location);
      if (names.has(name)) throw fail('EEXIST');
      const file = this.nextFile++;
      names.set(name, file);
      this.files.set(file, { bytes: Buffer.alloc(0), length: 0 });
      this.log.push({ do: 'name', dir: path.dirname(location), name, file });
      return this.handle(file);
    });
  }

  readFile(location: string, maxBytes = Infinity): Promise<Uint8Array> {
    return Promise.resolve().then(() => {
      const bytes = this.bytes(location);
      if (bytes.length > maxBytes) throw fail('EFBIG');
      return Buffer.from(bytes);
    });
  }

  readSlice(location: string, position: number, length: number): Uint8Array {
    return Buffer.from(this.bytes(location).subarray(position, position + Math.max(0, length)));
  }

  rename(from: string, to: string): Promise<void> {
    return Promise.resolve().then(() => {
      const source = this.folder(path.dirname(from));
      const file = source.get(path.basename(from));
      if (file === undefined) throw fail('ENOENT');
      source.delete(path.basename(from));
      this.folder(path.dirname(to)).set(path.basename(to), file);
      this.log.push({
        do: 'rename',
        dir: path.dirname(from),
        name: path.basename(from),
        toDir: path.dirname(to),
        toName: path.basename(to),
        file,
      });
    });
  }

  unlink(location: string): Promise<void> {
    return Promise.resolve().then(() => {
      const dir = path.dirname(location);
      if (!this.folder(dir).delete(path.basename(location))) throw fail('ENOENT');
      this.log.push({ do: 'unname', dir, name: path.basename(location) });
    });
  }

  mkdir(location: string): Promise<void> {
    for (let at = location; !this.folders.has(at); at = path.dirname(at)) this.folders.set(at, new Map());
    return Promise.resolve();
  }

  readdir(location: string): Promise<string[]> {
    return Promise.resolve().then(() => [...this.folder(location).keys()].sort());
  }

  stat(location: string): Promise<FileStat | undefined> {
    const base = { uid: -1, modifiedMs: 0 };
    if (this.folders.has(location)) {
      return Promise.resolve({ ...base, kind: 'directory', size: 0, mode: 0o700 } as const);
    }
    const file = this.folders.get(path.dirname(location))?.get(path.basename(location));
    const found = file === undefined ? undefined : this.files.get(file);
    return Promise.resolve(found && ({ ...base, kind: 'file', size: found.length, mode: 0o600 } as const));
  }

  chmod(): Promise<void> {
    return Promise.resolve();
  }

  fsyncDir(location: string): Promise<void> {
    this.log.push({ do: 'sync_dir', dir: location });
    return Promise.resolve();
  }

  private handle(file: number): AppendFile {
    return {
      append: (bytes) => {
        const copy = Buffer.from(bytes);
        this.extend(file, copy);
        this.log.push({ do: 'append', file, bytes: copy });
        return Promise.resolve();
      },
      fdatasync: () => {
        this.log.push({ do: 'sync', file });
        return Promise.resolve();
      },
      truncate: (length) => {
        const found = this.files.get(file);
        if (found) found.length = Math.min(found.length, length);
        this.log.push({ do: 'truncate', file, length });
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    };
  }

  private extend(file: number, more: Buffer): void {
    const found = this.files.get(file);
    if (!found) return;
    if (found.length + more.length > found.bytes.length) {
      const larger = Buffer.alloc(Math.max(4096, (found.length + more.length) * 2));
      found.bytes.copy(larger, 0, 0, found.length);
      found.bytes = larger;
    }
    more.copy(found.bytes, found.length);
    found.length += more.length;
  }

  private bytes(location: string): Buffer {
    const file = this.folder(path.dirname(location)).get(path.basename(location));
    const found = file === undefined ? undefined : this.files.get(file);
    if (!found) throw fail('ENOENT');
    return found.bytes.subarray(0, found.length);
  }

  private folder(location: string): Map<string, number> {
    const found = this.folders.get(location);
    if (!found) throw fail('ENOENT');
    return found;
  }
}
