import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { FILE_MODE, type FileSystem } from './file-system';

/** Names of unfinished files end so; whoever owns the folder may remove those that are left over. */
export const TEMPORARY_SUFFIX = '.tmp';

const PIECE_BYTES = 4 * 1024 * 1024;

/**
 * Puts `bytes` at `target`, whole or not at all: temporary file beside it, sync, rename, sync of the folder. A
 * reader sees the former content or the new one (pains 8, 10, 11). A file that is there is replaced, a link
 * too, never what it points to.
 */
export async function writeFileAtomic(
  fs: FileSystem,
  target: string,
  bytes: Uint8Array,
  mode = FILE_MODE,
): Promise<void> {
  const temporary = `${target}.${randomBytes(6).toString('hex')}${TEMPORARY_SUFFIX}`;
  try {
    await writeAndSync(fs, temporary, bytes, mode);
    await fs.rename(temporary, target);
  } catch (error) {
    await fs.unlink(temporary).catch(() => undefined);
    throw error;
  }
  await fs.fsyncDir(path.dirname(target));
}

async function writeAndSync(fs: FileSystem, file: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await fs.create(file, mode);
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      await handle.append(bytes.subarray(at, at + PIECE_BYTES));
    }
    await handle.fdatasync();
  } finally {
    await handle.close();
  }
}
