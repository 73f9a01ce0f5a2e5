import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { Clock } from '../contract/clock';

const FILE_NAME = '.kiroignore';
const MAX_BYTES = 256 * 1024;
const MAX_FOLDERS = 2000;
/** A file is looked at again after this long; an edit takes effect within it. */
const FRESH_MS = 2000;

interface Known {
  checkedAt: number;
  mtimeMs: number;
  rules: Ignore | undefined;
}

/**
 * `.kiroignore` files in gitignore's syntax: the user's (`~/.kiro/.kiroignore`), the workspace's and those of its
 * folders. Rules of a deeper folder win over those above it.
 */
export class KiroIgnore {
  private readonly known = new Map<string, Known>();

  constructor(private readonly deps: { home: string; clock: Clock }) {}

  /** Whether the content of a file may not be kept. `file` is absolute, or relative to `root`. */
  async ignores(root: string, file: string): Promise<boolean> {
    const relative = relativeTo(root, file);
    if (relative === undefined) return false;
    let ignored = await this.verdict(path.join(this.deps.home, '.kiro'), relative, false);
    const parts = relative.split('/');
    for (let depth = 0; depth < parts.length; depth++) {
      const folder = path.join(root, ...parts.slice(0, depth));
      ignored = await this.verdict(folder, parts.slice(depth).join('/'), ignored);
    }
    return ignored;
  }

  private async verdict(folder: string, relative: string, before: boolean): Promise<boolean> {
    const rules = await this.rulesOf(folder);
    if (!rules) return before;
    const { ignored, unignored } = rules.test(relative);
    return ignored || (before && !unignored);
  }

  private async rulesOf(folder: string): Promise<Ignore | undefined> {
    const now = this.deps.clock.now();
    const known = this.known.get(folder);
    if (known && now - known.checkedAt < FRESH_MS) return known.rules;
    const file = path.join(folder, FILE_NAME);
    const found = await stat(file).catch(() => undefined);
    const mtimeMs = found?.isFile() && found.size <= MAX_BYTES ? found.mtimeMs : -1;
    const rules = known?.mtimeMs === mtimeMs ? known.rules : await read(file, mtimeMs);
    this.known.delete(folder);
    this.known.set(folder, { checkedAt: now, mtimeMs, rules });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MAX_FOLDERS) break;
      this.known.delete(oldest);
    }
    return rules;
  }
}

async function read(file: string, mtimeMs: number): Promise<Ignore | undefined> {
  if (mtimeMs < 0) return undefined;
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim() ? ignore({ allowRelativePaths: false }).add(text) : undefined;
}

/** With `/` between parts; undefined for what lies outside the root. */
function relativeTo(root: string, file: string): string | undefined {
  const slashed = file.replaceAll('\\', '/');
  const base = root.replaceAll('\\', '/').replace(/\/+$/, '');
  const inside = slashed.startsWith(`${base}/`) ? slashed.slice(base.length + 1) : slashed;
  const normal = path.posix.normalize(inside);
  if (normal === '.' || normal.startsWith('../') || normal.startsWith('/') || /^[A-Za-z]:/.test(normal)) {
    return undefined;
  }
  return normal;
}
