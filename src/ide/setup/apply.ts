import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { SetupOutcome } from '../../contract/webview-messages';
import { writeFileAtomic } from '../../platform/atomic-file';
import { nodeFileSystem } from '../../platform/file-system';
import { UNREADABLE, type FileChange, type SetupFacts } from './plan';

const maxFileBytes = 1024 * 1024;

/** Reads the texts that a plan is made from; what does not exist is left out. */
export async function readPlanFiles(paths: string[]): Promise<SetupFacts['files']> {
  const files = new Map<string, string | typeof UNREADABLE>();
  await Promise.all(
    paths.map(async (file) => {
      try {
        const stat = await fs.stat(file);
        if (!stat.isFile() || stat.size > maxFileBytes) files.set(file, UNREADABLE);
        else files.set(file, (await fs.readFile(file, 'utf8')).replace(/^\uFEFF/, ''));
      } catch (error) {
        if (!isMissing(error)) files.set(file, UNREADABLE);
      }
    }),
  );
  return files;
}

/** Makes the changes of a plan, each by rename; one that fails does not keep the others from being made. */
export async function applyChanges(changes: FileChange[]): Promise<SetupOutcome> {
  const outcome: SetupOutcome = { written: [], removed: [], failed: [] };
  for (const change of changes) {
    try {
      if (change.action === 'remove') {
        await fs.rm(change.path, { force: true });
        outcome.removed.push(change.path);
      } else if (change.after !== undefined) {
        await writeByRename(change.path, change.after);
        outcome.written.push(change.path);
      }
    } catch (error) {
      outcome.failed.push({
        path: change.path,
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return outcome;
}

/** A link is followed, and the mode of what is there is kept. */
async function writeByRename(file: string, text: string): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true });
  const target = await fs.realpath(file).catch(() => file);
  const mode = await fs.stat(target).then(
    (stat) => stat.mode & 0o777,
    () => 0o644,
  );
  await writeFileAtomic(nodeFileSystem, target, Buffer.from(text, 'utf8'), mode);
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
