import { lstat, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

export interface GitLayout {
  /** Folder of the checkout, with links resolved. */
  toplevel: string;
  gitDir: string;
  /** Shared by all worktrees of a repository. */
  commonDir: string;
  kind: 'main' | 'worktree' | 'submodule';
}

const MAX_LEVELS = 64;
const SMALL_FILE = 64 * 1024;

/**
 * Finds the repository that a folder belongs to, by reading files only; no program is started. A `.git` that
 * points elsewhere counts only where the place that it points to names this checkout in turn: otherwise an
 * unpacked archive could claim to be a worktree of any repository on the machine.
 * @param folder absolute, local, with links resolved
 */
export async function findGitLayout(folder: string): Promise<GitLayout | undefined> {
  let at = folder;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const layout = await layoutAt(at);
    if (layout !== 'none') return layout;
    const parent = path.dirname(at);
    if (parent === at) return undefined;
    at = parent;
  }
  return undefined;
}

async function layoutAt(toplevel: string): Promise<GitLayout | 'none' | undefined> {
  const dotGit = path.join(toplevel, '.git');
  const found = await lstat(dotGit).catch(() => undefined);
  if (!found || found.isSymbolicLink()) return found ? undefined : 'none';
  if (found.isDirectory()) {
    const isRepository = (await readSmall(path.join(dotGit, 'HEAD'))) !== undefined;
    return isRepository ? { toplevel, gitDir: dotGit, commonDir: dotGit, kind: 'main' } : 'none';
  }
  const pointer = /^gitdir: (.+)$/m.exec((await readSmall(dotGit)) ?? '')?.[1]?.trim();
  if (pointer === undefined || isForeign(pointer)) return undefined;
  const gitDir = await realpath(path.resolve(toplevel, pointer)).catch(() => undefined);
  return gitDir === undefined ? undefined : pointedLayout(toplevel, dotGit, gitDir);
}

/** A network path in a `.git` file must not be opened. */
function isForeign(pointer: string): boolean {
  return /^[\\/]{2}/.test(pointer);
}

async function pointedLayout(
  toplevel: string,
  dotGit: string,
  gitDir: string,
): Promise<GitLayout | undefined> {
  const back = (await readSmall(path.join(gitDir, 'gitdir')))?.trim();
  if (back !== undefined) {
    const common = (await readSmall(path.join(gitDir, 'commondir')))?.trim();
    const isOurs = !isForeign(back) && (await sameFile(path.resolve(gitDir, back), dotGit));
    if (!isOurs || common === undefined || isForeign(common)) return undefined;
    const commonDir = await realpath(path.resolve(gitDir, common)).catch(() => undefined);
    return commonDir === undefined ? undefined : { toplevel, gitDir, commonDir, kind: 'worktree' };
  }
  const worktree = coreWorktree((await readSmall(path.join(gitDir, 'config'))) ?? '');
  if (worktree === undefined || isForeign(worktree)) return undefined;
  if (!(await sameFile(path.resolve(gitDir, worktree), toplevel))) return undefined;
  return { toplevel, gitDir, commonDir: gitDir, kind: 'submodule' };
}

function coreWorktree(config: string): string | undefined {
  const value = /^\s*worktree\s*=\s*(.+?)\s*$/im.exec(config)?.[1];
  return value?.replace(/^"(.*)"$/, '$1');
}

async function sameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((name) => realpath(name).catch(() => undefined)));
  return one !== undefined && one === other;
}

async function readSmall(file: string): Promise<string | undefined> {
  try {
    const found = await lstat(file);
    if (!found.isFile() || found.size > SMALL_FILE) return undefined;
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
