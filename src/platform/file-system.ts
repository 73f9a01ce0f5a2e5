import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  unlink,
  type FileHandle as NodeFileHandle,
} from 'node:fs/promises';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Folders of ours are the owner's alone, files too. */
export const DIRECTORY_MODE = 0o700;
export const FILE_MODE = 0o600;

export interface FileStat {
  kind: 'file' | 'directory' | 'link' | 'other';
  /** Bytes. */
  size: number;
  /** Permission bits alone, such as 0o600; 0 where the platform has none. */
  mode: number;
  /** Owner; -1 where the platform has none. */
  uid: number;
  modifiedMs: number;
}

/** A file that is open for writing: all writes go to its end. */
export interface AppendFile {
  /** Writes all of `bytes`; after a rejection an unknown part of them is in the file. */
  append(bytes: Uint8Array): Promise<void>;
  /** Resolves when all that was appended is on the disk. */
  fdatasync(): Promise<void>;
  /** Cuts the file to `length` bytes. */
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * The disk, as the store and the spool see it. No call follows a symbolic link in the last part of a path.
 * Whatever is made belongs to the owner alone. Errors are the platform's (`code`: `ENOSPC`, `ENOENT`, …).
 */
export interface FileSystem {
  /** A new file; rejects with `EEXIST` where the name is taken. */
  create(path: string, mode?: number): Promise<AppendFile>;
  /** The whole file; rejects with `EFBIG` where it is larger than `maxBytes`. */
  readFile(path: string, maxBytes?: number): Promise<Uint8Array>;
  /** Up to `length` bytes from `position`, fewer at the end of the file. Blocks: for small reads. */
  readSlice(path: string, position: number, length: number): Uint8Array;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Makes the folder and its parents; one that is there is left as it is. */
  mkdir(path: string): Promise<void>;
  /** Names in a folder, sorted. */
  readdir(path: string): Promise<string[]>;
  /** Of the entry itself, not of what a link points to; undefined where there is none. */
  stat(path: string): Promise<FileStat | undefined>;
  chmod(path: string, mode: number): Promise<void>;
  /** Puts the names in a folder on the disk; no effect where the platform can't. */
  fsyncDir(path: string): Promise<void>;
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

class NodeAppendFile implements AppendFile {
  constructor(private readonly handle: NodeFileHandle) {}

  async append(bytes: Uint8Array): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.handle.write(bytes, written, bytes.length - written, null);
      written += bytesWritten;
    }
  }

  fdatasync(): Promise<void> {
    return this.handle.datasync();
  }

  truncate(length: number): Promise<void> {
    return this.handle.truncate(length);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** True for an error of the platform with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
  );
}

async function readWhole(path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | NO_FOLLOW);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw Object.assign(new Error('The file is too large.'), { code: 'EFBIG' });
    const bytes = Buffer.allocUnsafeSlow(size);
    let read = 0;
    while (read < size) {
      const { bytesRead } = await handle.read(bytes, read, size - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  } finally {
    await handle.close();
  }
}

function readSlice(path: string, position: number, length: number): Uint8Array {
  const fd = openSync(path, constants.O_RDONLY | NO_FOLLOW);
  try {
    // A length that was read from a damaged file must not become an allocation.
    const wanted = Math.max(0, Math.min(length, fstatSync(fd).size - position));
    const bytes = Buffer.allocUnsafeSlow(wanted);
    let read = 0;
    while (read < wanted) {
      const got = readSync(fd, bytes, read, wanted - read, position + read);
      if (got === 0) break;
      read += got;
    }
    return bytes.subarray(0, read);
  } finally {
    closeSync(fd);
  }
}

async function statOf(path: string): Promise<FileStat | undefined> {
  try {
    const found = await lstat(path);
    const kind = found.isSymbolicLink()
      ? 'link'
      : found.isFile()
        ? 'file'
        : found.isDirectory()
          ? 'directory'
          : 'other';
    const posix = process.platform !== 'win32';
    return {
      kind,
      size: found.size,
      mode: posix ? found.mode & 0o777 : 0,
      uid: posix ? found.uid : -1,
      modifiedMs: found.mtimeMs,
    };
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

async function fsyncDir(path: string): Promise<void> {
  // Windows can't open a folder; its file systems journal names themselves.
  if (process.platform === 'win32') return;
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The real disk. */
export const nodeFileSystem: FileSystem = {
  async create(path, mode = FILE_MODE) {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | NO_FOLLOW;
    return new NodeAppendFile(await open(path, flags, mode));
  },
  readFile: (path, maxBytes = Number.MAX_SAFE_INTEGER) => readWhole(path, maxBytes),
  readSlice,
  rename,
  unlink,
  async mkdir(path) {
    await mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
  },
  async readdir(path) {
    return (await readdir(path)).sort();
  },
  stat: statOf,
  chmod,
  fsyncDir,
};
