import { createHash, randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import type { EventDraft } from '../contract/event-draft';
import { mintTime } from '../platform/launcher-key';
import { FILE_MODE, nodeFileSystem, type FileSystem } from '../platform/file-system';
import { ensurePrivateDirectory } from './private-files';

/** One event that could not be handed over: scrubbed, with what makes it the same event later. */
export interface SpoolEntry {
  v: 1;
  /** Idempotency key of the hook run, or of whoever spooled. */
  key: string;
  spooled_at: string;
  draft: EventDraft;
}

/** Why an event was not kept; one letter each, appended to a file whose size is their count. */
export const DROP_MARKS = {
  unscrubbed: 's',
  full: 'f',
  unwritable: 'w',
  no_runtime: 'r',
  refused: 'q',
} as const;
export type DropReason = keyof typeof DROP_MARKS;

export const SPOOL_LIMITS = {
  entryBytes: 1024 * 1024 + 64 * 1024,
  entries: 2000,
  totalBytes: 32 * 1024 * 1024,
} as const;

const DROPPED = 'dropped';
export const QUARANTINE = 'quarantine';
export const ENTRY_PATTERN = /^\d{14}-\d{14}-[0-9a-f]{16}\.json$/;
const COUNT_SIZES_FROM = 30;

export type SpoolVerdict = 'spooled' | DropReason;

/**
 * Puts an event into the spool: 0600, whole or not at all, synced. Names sort by the time of the hook run, so
 * that a drain keeps the order.
 *
 * @param now milliseconds since 1970
 * @returns why it was not kept, where it was not; then it was counted. Never throws.
 */
export async function spool(
  dir: string,
  key: string,
  draft: EventDraft,
  now: number,
  fs: FileSystem = nodeFileSystem,
): Promise<SpoolVerdict> {
  const entry: SpoolEntry = { v: 1, key, spooled_at: new Date(now).toISOString(), draft };
  const bytes = Buffer.from(JSON.stringify(entry));
  try {
    await ensurePrivateDirectory(dir);
    if (!(await hasRoom(dir, bytes.length, fs))) return await drop(dir, 'full');
    await writeEntry(dir, entryName(key, now), bytes, fs);
    return 'spooled';
  } catch {
    return drop(dir, 'unwritable');
  }
}

/** Counts an event that was not kept. Never throws. */
export async function drop(dir: string, reason: DropReason): Promise<DropReason> {
  try {
    await ensurePrivateDirectory(dir);
    const file = path.join(dir, DROPPED);
    const stat = await nodeFileSystem.stat(file);
    if (!stat || stat.kind === 'file') await appendFile(file, DROP_MARKS[reason], { mode: FILE_MODE });
  } catch {
    // A disk that takes no letter takes no event either; nobody is left to tell.
  }
  return reason;
}

/** What waits in the spool and how many were dropped so far; zeros where there is none. */
export async function spoolState(dir: string): Promise<{ waiting: number; dropped: number }> {
  const names = await nodeFileSystem.readdir(dir).catch(() => []);
  const dropped = await nodeFileSystem.stat(path.join(dir, DROPPED)).catch(() => undefined);
  return {
    waiting: names.filter((name) => ENTRY_PATTERN.test(name)).length,
    dropped: dropped?.kind === 'file' ? dropped.size : 0,
  };
}

async function hasRoom(dir: string, bytes: number, fs: FileSystem): Promise<boolean> {
  if (bytes > SPOOL_LIMITS.entryBytes) return false;
  const names = (await fs.readdir(dir)).filter((name) => ENTRY_PATTERN.test(name));
  if (names.length >= SPOOL_LIMITS.entries) return false;
  if (names.length < COUNT_SIZES_FROM) return true;
  const stats = await Promise.all(names.map((name) => fs.stat(path.join(dir, name))));
  return stats.reduce((sum, stat) => sum + (stat?.size ?? 0), bytes) <= SPOOL_LIMITS.totalBytes;
}

async function writeEntry(dir: string, name: string, bytes: Uint8Array, fs: FileSystem): Promise<void> {
  const temporary = path.join(dir, `${name}.${randomBytes(6).toString('hex')}.tmp`);
  const file = await fs.create(temporary, FILE_MODE);
  try {
    await file.append(bytes);
    await file.fdatasync();
  } catch (error) {
    await fs.unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  await fs.rename(temporary, path.join(dir, name));
  await fs.fsyncDir(dir);
}

function entryName(key: string, now: number): string {
  const digits = (ms: number) => Math.trunc(ms).toString().padStart(14, '0');
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 16);
  return `${digits(mintTime(key, now))}-${digits(now)}-${hash}.json`;
}
