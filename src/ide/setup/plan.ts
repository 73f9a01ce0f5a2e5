import { posix, win32 } from 'node:path';
import type {
  HookDialect,
  SetupBoxId,
  SetupChoices,
  SetupFile,
  SetupPreview,
} from '../../contract/webview-messages';
import { chooseDialect, type HostIdentity } from './dialect';
import {
  claudeHookEntries,
  isOwnFile,
  kiro0HookFile,
  kiro1HookFile,
  kiroCliAgentFile,
  OWN_NAME,
  steeringFile,
  vscodeHookFile,
  type HookCommands,
} from './hook-files';
import {
  mergeClaudeHooks,
  mergeMcpServer,
  withoutClaudeHooks,
  withoutMcpServer,
  type McpCommand,
  type Merge,
} from './shared-json';

/** Everything a plan is made from, gathered by the caller: making one reads and writes nothing. */
export interface SetupFacts {
  identity: HostIdentity;
  platform: NodeJS.Platform;
  home: string;
  workspaceFolders: { path: string; trusted: boolean }[];
  /** The key of this installation's blocks. */
  key: string;
  commands: HookCommands;
  /** Absent while this build has no MCP server. */
  mcp?: McpCommand;
  /** Paths that earlier runs wrote, wherever they lie. */
  written: string[];
  /** Text of every path of `planPaths` that exists; `unreadable` where it exists and can't be read. */
  files: ReadonlyMap<string, string | typeof UNREADABLE>;
}

/** Marks a file that exists and can't be read as text. */
export const UNREADABLE = Symbol('unreadable');

/** One change on disk; `after` undefined removes the file. */
export interface FileChange extends SetupFile {
  box?: SetupBoxId;
  after?: string;
}

export interface SetupPlan {
  preview: SetupPreview;
  changes: FileChange[];
}

/** Where each of our files lies. */
export class SetupPaths {
  private readonly path;

  constructor(
    private readonly home: string,
    platform: NodeJS.Platform,
  ) {
    this.path = platform === 'win32' ? win32 : posix;
  }

  readonly steering = () => this.path.join(this.home, '.kiro', 'steering', `${OWN_NAME}.md`);
  readonly mcp = () => this.path.join(this.home, '.kiro', 'settings', 'mcp.json');
  readonly vscode = () => this.path.join(this.home, '.copilot', 'hooks', `${OWN_NAME}.json`);
  readonly claude = () => this.path.join(this.home, '.claude', 'settings.json');
  readonly kiroCli = () => this.path.join(this.home, '.kiro', 'agents', `${OWN_NAME}.json`);
  readonly userHook = () => this.kiro1(this.home);
  readonly kiro1 = (folder: string) => this.path.join(folder, '.kiro', 'hooks', `${OWN_NAME}.json`);
  readonly kiro0Prompt = (folder: string) =>
    this.path.join(folder, '.kiro', 'hooks', `${OWN_NAME}-prompt.kiro.hook`);
  readonly kiro0Tool = (folder: string) =>
    this.path.join(folder, '.kiro', 'hooks', `${OWN_NAME}-tool.kiro.hook`);

  /** Files that are ours as a whole, in the home folder and in `folders`. */
  own(folders: string[]): string[] {
    const inFolders = folders.flatMap((folder) => [
      this.kiro1(folder),
      this.kiro0Prompt(folder),
      this.kiro0Tool(folder),
    ]);
    return [this.userHook(), this.steering(), this.vscode(), this.kiroCli(), ...inFolders];
  }
}

/** Every path that a plan wants to know the text of. */
export function planPaths(
  facts: Pick<SetupFacts, 'home' | 'platform' | 'workspaceFolders' | 'written'>,
): string[] {
  const paths = new SetupPaths(facts.home, facts.platform);
  const folders = facts.workspaceFolders.map((folder) => folder.path);
  return [...new Set([...paths.own(folders), paths.mcp(), paths.claude(), ...facts.written])];
}

/** What is ticked before the user touched anything. */
export function defaultChoices(facts: SetupFacts): SetupChoices {
  const { dialect } = chooseDialect(facts.identity);
  const kiro = dialect !== 'none';
  return {
    dialect,
    boxes: {
      sessions: kiro || facts.identity.kiroHome,
      hook: kiro,
      tools: false,
      steering: kiro,
      mcp: kiro && facts.mcp !== undefined,
      vscode: false,
      claude: false,
      kiroCli: false,
    },
  };
}

/** Says what Apply would do with these choices, file by file. */
export function makePlan(facts: SetupFacts, choices?: SetupChoices): SetupPlan {
  const wanted = choices ?? defaultChoices(facts);
  const builder = new PlanBuilder(facts, wanted);
  const offered = chooseDialect(facts.identity);
  const dialect = offered.dialects.includes(wanted.dialect) ? wanted.dialect : offered.dialect;
  builder.build(dialect);
  const preview: SetupPreview = {
    host: facts.identity.appName,
    dialect,
    dialect_reason: dialect === offered.dialect ? offered.reason : 'chosen',
    dialects: offered.dialects,
    boxes: builder.boxes(dialect),
    removals: builder.changes.filter((change) => change.box === undefined).map(visible),
  };
  return { preview, changes: builder.changes };
}

/**
 * What **Remove hooks** and the uninstall script take away: every file of ours, and our entries in files shared
 * with others. A file under our name that we did not write stays.
 */
export function removalPlan(
  facts: Pick<SetupFacts, 'home' | 'platform' | 'workspaceFolders' | 'written' | 'files'>,
): FileChange[] {
  const paths = new SetupPaths(facts.home, facts.platform);
  const folders = facts.workspaceFolders.map((folder) => folder.path);
  const shared = new Map([
    [paths.mcp(), withoutMcpServer],
    [paths.claude(), withoutClaudeHooks],
  ]);
  const changes: FileChange[] = [];
  for (const path of new Set([...paths.own(folders), ...facts.written])) {
    const text = facts.files.get(path);
    if (typeof text === 'string' && !shared.has(path) && isOwnFile(text)) {
      changes.push({ path, action: 'remove', text, whole: true });
    }
  }
  for (const [path, without] of shared) {
    const text = facts.files.get(path);
    const after = typeof text === 'string' ? without(text) : undefined;
    if (after !== undefined) changes.push({ path, action: 'change', text: '', whole: false, after });
  }
  return changes;
}

class PlanBuilder {
  readonly changes: FileChange[] = [];
  private readonly paths: SetupPaths;

  constructor(
    private readonly facts: SetupFacts,
    private readonly wanted: SetupChoices,
  ) {
    this.paths = new SetupPaths(facts.home, facts.platform);
  }

  build(dialect: HookDialect): void {
    const { facts, paths } = this;
    this.hooks(dialect);
    if (this.ticked('steering'))
      this.own('steering', paths.steering(), () =>
        steeringFile(facts.key, facts.mcp !== undefined && this.ticked('mcp')),
      );
    if (this.ticked('vscode')) this.own('vscode', paths.vscode(), () => vscodeHookFile(facts.commands));
    if (this.ticked('kiroCli')) {
      this.own('kiroCli', paths.kiroCli(), () => kiroCliAgentFile(facts.commands, facts.platform));
    }
    const { mcp } = facts;
    if (mcp !== undefined && this.ticked('mcp')) {
      this.shared('mcp', paths.mcp(), (text) => mergeMcpServer(text, mcp));
    }
    if (this.ticked('claude')) {
      this.shared('claude', paths.claude(), (text) =>
        mergeClaudeHooks(text, claudeHookEntries(facts.commands)),
      );
    }
    this.removeTheRest();
  }

  boxes(dialect: HookDialect): SetupPreview['boxes'] {
    const offered: Record<SetupBoxId, boolean> = {
      sessions: true,
      hook: dialect !== 'none',
      tools: dialect === 'kiro-0.x',
      steering: true,
      mcp: this.facts.mcp !== undefined,
      vscode: true,
      claude: true,
      kiroCli: true,
    };
    return (Object.keys(offered) as SetupBoxId[]).map((id) => ({
      id,
      checked: this.wanted.boxes[id] && offered[id],
      offered: offered[id],
      files: this.changes.filter((change) => change.box === id).map(visible),
    }));
  }

  private ticked(box: SetupBoxId): boolean {
    return this.wanted.boxes[box];
  }

  private hooks(dialect: HookDialect): void {
    const { facts, paths } = this;
    if (!this.ticked('hook')) return;
    const v1 = (existing?: string) => kiro1HookFile(facts.commands, this.ticked('sessions'), existing);
    if (dialect === 'kiro-1.x-user') this.own('hook', paths.userHook(), v1);
    for (const folder of facts.workspaceFolders) {
      if (dialect === 'kiro-1.x-workspace') this.own('hook', paths.kiro1(folder.path), v1, folder.trusted);
      if (dialect !== 'kiro-0.x') continue;
      this.own(
        'hook',
        paths.kiro0Prompt(folder.path),
        (existing) => kiro0HookFile(facts.commands, 'promptSubmit', existing),
        folder.trusted,
      );
      if (!this.ticked('tools')) continue;
      this.own(
        'tools',
        paths.kiro0Tool(folder.path),
        (existing) => kiro0HookFile(facts.commands, 'postToolUse', existing),
        folder.trusted,
      );
    }
  }

  private own(box: SetupBoxId, path: string, write: (existing?: string) => string, trusted = true): void {
    const existing = this.facts.files.get(path);
    const current = typeof existing === 'string' ? existing : undefined;
    const after = write(current);
    const change = { box, path, text: after, whole: true };
    if (!trusted) this.changes.push({ ...change, action: 'blocked', reason: 'untrusted' });
    else if (existing === UNREADABLE)
      this.changes.push({ ...change, action: 'blocked', reason: 'unreadable' });
    else if (current === undefined) this.changes.push({ ...change, action: 'create', after });
    else if (current === after) this.changes.push({ ...change, action: 'same' });
    else if (isOwnFile(current)) this.changes.push({ ...change, action: 'change', after });
    else this.changes.push({ ...change, action: 'blocked', reason: 'not_ours' });
  }

  private shared(box: SetupBoxId, path: string, merge: (text: string | undefined) => Merge): void {
    const existing = this.facts.files.get(path);
    if (existing === UNREADABLE) {
      this.changes.push({ box, path, text: '', whole: false, action: 'blocked', reason: 'unreadable' });
      return;
    }
    const merged = merge(existing);
    if ('blocked' in merged) {
      this.changes.push({ box, path, text: '', whole: false, action: 'blocked', reason: merged.blocked });
      return;
    }
    const change = { box, path, text: merged.ours, whole: false };
    if (existing === merged.text) this.changes.push({ ...change, action: 'same' });
    else if (existing === undefined) this.changes.push({ ...change, action: 'create', after: merged.text });
    else this.changes.push({ ...change, action: 'change', after: merged.text });
  }

  /** Two dialects at once would fire twice; what is not ticked any more goes. */
  private removeTheRest(): void {
    const kept = new Set(this.changes.map((change) => change.path));
    this.changes.push(...removalPlan(this.facts).filter((removal) => !kept.has(removal.path)));
  }
}

function visible(change: FileChange): SetupFile {
  const { path, action, text, whole, reason } = change;
  return { path, action, text, whole, ...(reason === undefined ? {} : { reason }) };
}
