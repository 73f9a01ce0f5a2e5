import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { DIRECTORY_MODE, FILE_MODE, hasCode } from './file-system';

const installationSchema = z.object({ key: z.string().regex(/^[0-9a-z]{8,64}$/) });

/**
 * The random key of this installation's context blocks (`installation.json`, 0600), made at the first call: a
 * block without it (from a page, a file, a tool) is not ours. Windows that start together agree, since only
 * one link to the name succeeds. A file that can't be read is replaced by a new key.
 */
export async function installationKey(storageDir: string): Promise<string> {
  const file = path.join(storageDir, 'installation.json');
  const read = async () => installationSchema.parse(JSON.parse(await readFile(file, 'utf8'))).key;
  try {
    return await read();
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) await rm(file, { force: true });
  }
  await mkdir(storageDir, { recursive: true, mode: DIRECTORY_MODE });
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const text = JSON.stringify({ key: randomBytes(8).toString('hex') });
  await writeFile(temporary, text, { mode: FILE_MODE, flag: 'wx' });
  try {
    await link(temporary, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  return read();
}
