import path from 'node:path';
import { DIRECTORY_MODE, FILE_MODE, type FileStat, type FileSystem } from '../platform/file-system';
import { UnsafePathError } from './errors';

const GROUP_AND_OTHERS = 0o077;

/** The user that this process runs as; -1 where the platform has none. */
function currentUid(): number {
  return process.getuid?.() ?? -1;
}

/** @throws UnsafePathError for a link, another kind of entry, or another user's. */
function check(location: string, found: FileStat, kind: 'file' | 'directory'): void {
  if (found.kind === 'link') throw new UnsafePathError(location, 'link');
  if (found.kind !== kind) throw new UnsafePathError(location, 'kind');
  const uid = currentUid();
  if (uid >= 0 && found.uid >= 0 && found.uid !== uid) throw new UnsafePathError(location, 'owner');
}

/** Makes a folder of ours or checks the one that is there. @returns true where its mode was too wide. */
export async function secureDirectory(fs: FileSystem, dir: string): Promise<boolean> {
  const found = await fs.stat(dir);
  if (!found) {
    await fs.mkdir(dir);
    await fs.fsyncDir(path.dirname(dir));
    return false;
  }
  check(dir, found, 'directory');
  return narrow(fs, dir, found, DIRECTORY_MODE);
}

/** Checks the files of a folder. @returns the names of those whose mode was too wide. */
export async function secureFiles(fs: FileSystem, dir: string, names: readonly string[]): Promise<string[]> {
  const repaired: string[] = [];
  for (const name of names) {
    const location = path.join(dir, name);
    const found = await fs.stat(location);
    if (!found) continue;
    check(location, found, 'file');
    if (await narrow(fs, location, found, FILE_MODE)) repaired.push(name);
  }
  return repaired;
}

async function narrow(fs: FileSystem, location: string, found: FileStat, mode: number): Promise<boolean> {
  if ((found.mode & GROUP_AND_OTHERS) === 0) return false;
  await fs.chmod(location, mode);
  return true;
}
