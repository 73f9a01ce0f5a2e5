import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../contract/disposable';
import type { EventDraft } from '../contract/event-draft';
import { nodeFileSystem } from '../platform/file-system';
import { silentLog, type Log } from '../platform/log';
import { storagePaths } from '../platform/paths';
import { ensurePrivateDirectory, readPrivateFile } from './private-files';
import { parseSpoolEntry } from './spool-entry';
import { ENTRY_PATTERN, QUARANTINE, SPOOL_LIMITS, type SpoolEntry } from './spool-files';

export { spoolState } from './spool-files';

/** Stores one event; must be idempotent by the draft's identity and time. Rejects where the store failed. */
export type SpoolHandler = (draft: EventDraft, entry: SpoolEntry) => Promise<void>;

const unfinishedAgeMs = 3_600_000;
const settleMs = 50;

/**
 * Takes in what hooks left in `dir`, oldest first. An entry goes once the handler kept it; a crash in between
 * gives it to the handler again, who knows it by its id, so each is stored once. What is no entry of ours (a
 * link, a file of another user, damage) is set aside in `quarantine/`, never followed and never deleted.
 *
 * An entry that alone fails, while the next one is taken, is set aside too; where two in a row fail the store
 * is at fault and the rest waits.
 *
 * @returns how many were taken
 * @throws what the handler threw, where the store is at fault; UnsafePathError where `dir` is not ours
 */
export async function drainSpool(dir: string, handler: SpoolHandler, log: Log = silentLog): Promise<number> {
  if (!(await nodeFileSystem.stat(dir))) return 0;
  await ensurePrivateDirectory(dir);
  const names = await nodeFileSystem.readdir(dir);
  await removeUnfinished(dir, names);
  let taken = 0;
  let failed: { name: string; error: unknown } | undefined;
  for (const name of names.filter(isCandidate).sort()) {
    const entry = await readEntry(dir, name);
    if (!entry) {
      await quarantine(dir, name, log);
      continue;
    }
    try {
      await handler(entry.draft, entry);
    } catch (error) {
      if (failed) throw error;
      failed = { name, error };
      continue;
    }
    await nodeFileSystem.unlink(path.join(dir, name)).catch(() => undefined);
    taken++;
    if (failed) await quarantine(dir, failed.name, log);
    failed = undefined;
  }
  if (failed) throw failed.error;
  if (taken > 0) await nodeFileSystem.fsyncDir(dir);
  return taken;
}

/**
 * Calls `onEntry` when a hook left something in the spool of `storageDir`: a leader that was too busy to answer
 * takes it in soon, not at its next start. Several in a row make one call.
 */
export function watchSpool(storageDir: string, onEntry: () => void): Disposable {
  const { spool } = storagePaths(storageDir);
  let timer: NodeJS.Timeout | undefined;
  let disposed = false;
  let stop = () => undefined as void;
  const changed = (name: string | null) => {
    if (timer || (name !== null && !(ENTRY_PATTERN.test(name) && existsSync(path.join(spool, name))))) return;
    timer = setTimeout(() => {
      timer = undefined;
      onEntry();
    }, settleMs);
  };
  const start = async () => {
    await ensurePrivateDirectory(spool);
    if (disposed) return;
    const watcher = watch(spool, { persistent: false }, (_event, name) => changed(name));
    watcher.on('error', () => watcher.close());
    stop = () => watcher.close();
    changed(null);
  };
  void start().catch(() => undefined);
  return {
    dispose: () => {
      disposed = true;
      clearTimeout(timer);
      stop();
    },
  };
}

/** Whatever is named like an entry, and strangers in the folder, but not our own book-keeping. */
function isCandidate(name: string): boolean {
  return ENTRY_PATTERN.test(name) || !(name === QUARANTINE || name === 'dropped' || name.endsWith('.tmp'));
}

async function readEntry(dir: string, name: string): Promise<SpoolEntry | undefined> {
  if (!ENTRY_PATTERN.test(name)) return undefined;
  const bytes = await readPrivateFile(path.join(dir, name), SPOOL_LIMITS.entryBytes);
  return bytes && parseSpoolEntry(bytes);
}

/** Renames the entry itself, also where it is a link. */
async function quarantine(dir: string, name: string, log: Log): Promise<void> {
  const aside = path.join(dir, QUARANTINE);
  await ensurePrivateDirectory(aside);
  const source = path.join(dir, name);
  if (!(await nodeFileSystem.stat(source))) return;
  await nodeFileSystem.rename(source, path.join(aside, `${Date.now()}-${name}`));
  log.warn('spool', 'a file that is no event of ours was set aside');
}

/** What writers that were killed left half written. */
async function removeUnfinished(dir: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!name.endsWith('.tmp')) continue;
    const file = path.join(dir, name);
    const stat = await nodeFileSystem.stat(file);
    if (stat && Date.now() - stat.modifiedMs > unfinishedAgeMs) await nodeFileSystem.unlink(file);
  }
}
