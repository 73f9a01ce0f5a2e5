import picomatch from 'picomatch';
import type { Disposable } from '../contract/disposable';
import type { JsonValue } from '../contract/event';
import type { EventDraft } from '../contract/event-draft';
import type { KiroIgnore } from '../privacy/kiroignore';
import type { WindowFolder } from '../contract/worker-messages';

export type Verdict = 'yes' | 'paused' | 'untrusted' | 'excluded';

const CONTENT_KEYS = new Set([
  'text',
  'content',
  'contents',
  'file_text',
  'oldStr',
  'newStr',
  'old_str',
  'new_str',
  'old_string',
  'new_string',
  'patch',
]);
const PATH_KEYS = new Set(['path', 'file_path', 'filePath', 'targetFile', 'target_file']);
const EXCLUDED_MARK = '[content excluded by settings]';

/**
 * Whether something may be captured, and what of it. Windows push what they know of their folders; the last
 * known stays in force when a window closes.
 */
export class CapturePolicy {
  private readonly folders = new Map<string, WindowFolder>();
  private readonly pausedNamespaces = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private everywhere = false;

  constructor(private readonly ignore: Pick<KiroIgnore, 'ignores'>) {}

  /** Takes a window's folders; others keep what was known of them. */
  setFolders(folders: readonly WindowFolder[]): void {
    for (const folder of folders) this.folders.set(folder.path, folder);
    this.changed();
  }

  /** Folders that windows have told of, trusted ones only. */
  openFolders(): string[] {
    return [...this.folders.values()].filter((folder) => folder.trusted).map((folder) => folder.path);
  }

  pauseEverywhere(paused: boolean): void {
    this.everywhere = paused;
    this.changed();
  }

  pauseProject(namespace: string, paused: boolean): void {
    if (paused) this.pausedNamespaces.add(namespace);
    else this.pausedNamespaces.delete(namespace);
    this.changed();
  }

  /** Called after each change. */
  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Everything that a hook needs to know where nobody answers it. */
  snapshot(): { everywhere: boolean; namespaces: string[]; folders: WindowFolder[] } {
    return { ...this.pauses(), folders: [...this.folders.values()] };
  }

  /** What is paused, to be kept over a restart. */
  pauses(): { everywhere: boolean; namespaces: string[] } {
    return { everywhere: this.everywhere, namespaces: [...this.pausedNamespaces] };
  }

  /** The widest pause in force for a project. */
  paused(namespace: string | undefined): 'everywhere' | 'project' | undefined {
    if (this.everywhere) return 'everywhere';
    return namespace && this.pausedNamespaces.has(namespace) ? 'project' : undefined;
  }

  allows(namespace: string, path: string): Verdict {
    if (this.paused(namespace)) return 'paused';
    const folder = this.folderOf(path);
    if (!folder) return 'yes';
    if (!folder.trusted) return 'untrusted';
    return folder.settings.captureEnabled ? 'yes' : 'excluded';
  }

  injects(path: string): boolean {
    const folder = this.folderOf(path);
    return !folder || (folder.trusted && folder.settings.injectionEnabled);
  }

  /** Files that match an exclude keep their path in the event and lose their content. */
  async redactExcluded(draft: EventDraft, root: string): Promise<EventDraft> {
    if (draft.body.type !== 'json') return draft;
    const data = draft.body.data;
    if (!data || typeof data !== 'object' || Array.isArray(data)) return draft;
    const paths = collectPaths(data['tool_input'] ?? null);
    if (!(await this.anyExcluded(paths, draft.cwd ?? root, root))) return draft;
    const stripped = {
      ...data,
      tool_input: withoutContent(data['tool_input'] ?? null),
      tool_response: withoutResult(data['tool_response'] ?? null),
    };
    return { ...draft, body: { type: 'json', data: stripped } };
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private async anyExcluded(paths: string[], cwd: string, root: string): Promise<boolean> {
    const globs = this.folderOf(cwd)?.settings.excludeGlobs ?? [];
    const matches = globs.length > 0 ? picomatch(globs, { dot: true }) : () => false;
    for (const file of paths) {
      if (matches(relative(file, root)) || (await this.ignore.ignores(root, file))) return true;
    }
    return false;
  }

  private folderOf(path: string): WindowFolder | undefined {
    let best: WindowFolder | undefined;
    for (const folder of this.folders.values()) {
      if (!isInside(path, folder.path)) continue;
      if (!best || folder.path.length > best.path.length) best = folder;
    }
    return best;
  }
}

function isInside(path: string, folder: string): boolean {
  if (path === folder) return true;
  const trimmed = folder.replace(/[\\/]+$/, '');
  return path.startsWith(`${trimmed}/`) || path.startsWith(`${trimmed}\\`);
}

function relative(path: string, root: string): string {
  const slashed = path.replaceAll('\\', '/');
  const base = root.replaceAll('\\', '/').replace(/\/+$/, '');
  return slashed.startsWith(`${base}/`) ? slashed.slice(base.length + 1) : slashed.replace(/^\/+/, '');
}

function collectPaths(value: JsonValue): string[] {
  if (!value || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap(collectPaths);
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string' ? (PATH_KEYS.has(key) ? [item] : []) : collectPaths(item),
  );
}

function withoutContent(value: JsonValue): JsonValue {
  if (!value || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutContent);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      CONTENT_KEYS.has(key) ? EXCLUDED_MARK : withoutContent(item),
    ]),
  );
}

function withoutResult(value: JsonValue): JsonValue {
  if (!value || typeof value !== 'object' || Array.isArray(value))
    return value === null ? null : EXCLUDED_MARK;
  return { ...value, result: EXCLUDED_MARK };
}
