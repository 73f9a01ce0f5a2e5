import type { Turn } from '../turn';
import { commandKey } from './commands';
import type { RecurrenceKind } from './extractor';
import { projectPath } from './paths';
import { viewTurn } from './turn-view';

/** Groups of more files are a refactoring, not a habit. */
const GROUP_MAX = 4;

/** The key of a group of files that were edited in one turn; undefined for one file and for many. */
export function filesKey(files: readonly string[]): string | undefined {
  if (files.length < 2 || files.length > GROUP_MAX) return undefined;
  return [...files].sort().join('\n');
}

/**
 * Counts, for one project, in how many turns a command or a group of files was seen. Bounded: the least
 * recently seen go first. `toJSON` gives what the constructor takes, so that counts outlive a restart.
 */
export class RecurrenceCounter {
  private readonly counts: Map<string, number>;

  constructor(
    saved: readonly (readonly [string, number])[] = [],
    private readonly limit = 2000,
  ) {
    this.counts = new Map(saved);
  }

  /** In how many turns `key` was seen so far. */
  of(kind: RecurrenceKind, key: string): number {
    return this.counts.get(`${kind}:${key}`) ?? 0;
  }

  /** Counts what a turn did; call it once a turn, after its drafts were made. */
  count(turn: Turn): void {
    const view = viewTurn(turn);
    const commands = new Set(view.ran.map((use) => commandKey(use.command ?? '')));
    for (const command of commands) this.add(`command:${command}`);
    const root = turn.prompt?.source.project_path;
    const group = filesKey(view.edited.map((file) => projectPath(file, root)));
    if (group !== undefined) this.add(`files:${group}`);
  }

  toJSON(): [string, number][] {
    return [...this.counts];
  }

  private add(key: string): void {
    const seen = this.counts.get(key) ?? 0;
    this.counts.delete(key);
    this.counts.set(key, seen + 1);
    const oldest = this.counts.keys().next();
    if (this.counts.size > this.limit && !oldest.done) this.counts.delete(oldest.value);
  }
}
