import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open } from 'node:fs/promises';
import { DIRECTORY_MODE, FILE_MODE } from '../platform/file-system';

/** A file or folder of ours belongs to somebody else, may be read by others, or is a link. */
export class UnsafePathError extends Error {
  constructor(
    readonly path: string,
    reason: string,
  ) {
    super(`${path} ${reason}.`);
    this.name = 'UnsafePathError';
  }
}

/**
 * Makes `directory` with mode 0700, or checks the one that is there: a directory, no link, of this user. A mode
 * that lets others in is narrowed, since the folder may come from a copy or an archive.
 *
 * @throws UnsafePathError
 */
export async function ensurePrivateDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
  const stats = await lstat(directory);
  if (!stats.isDirectory()) throw new UnsafePathError(directory, 'is not a directory');
  if (process.platform === 'win32') return;
  if (stats.uid !== process.getuid?.()) throw new UnsafePathError(directory, 'belongs to another user');
  if ((stats.mode & 0o077) !== 0) await chmod(directory, DIRECTORY_MODE);
}

/** Writes a new file of mode 0600 beside `target` and returns its path; the caller links it. */
export async function writeBeside(target: string, content: string): Promise<string> {
  const temporary = `${target}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  const handle = await open(temporary, 'wx', FILE_MODE);
  try {
    await handle.writeFile(content);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  return temporary;
}

/**
 * Reads a small file of ours without following a link.
 *
 * @returns undefined where it is missing, larger than `maxBytes`, no plain file, or (POSIX) open to others
 */
export async function readPrivateFile(file: string, maxBytes: number): Promise<Buffer | undefined> {
  let handle;
  try {
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    if (process.platform !== 'win32') {
      if (stats.uid !== process.getuid?.() || (stats.mode & 0o077) !== 0) return undefined;
    }
    return await handle.readFile();
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
