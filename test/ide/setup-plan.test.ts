import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { SetupChoices } from '../../src/contract/webview-messages';
import { applyChanges, readPlanFiles } from '../../src/ide/setup/apply';
import { chooseDialect, readKiroVersion, type HostIdentity } from '../../src/ide/setup/dialect';
import { kiro1HookFile, steeringFile } from '../../src/ide/setup/hook-files';
import { hookCommands, mcpCommand } from '../../src/ide/setup/launchers';
import {
  defaultChoices,
  makePlan,
  planPaths,
  removalPlan,
  UNREADABLE,
  type SetupFacts,
} from '../../src/ide/setup/plan';
import {
  mergeClaudeHooks,
  mergeMcpServer,
  withoutClaudeHooks,
  withoutMcpServer,
} from '../../src/ide/setup/shared-json';
import { uninstall } from '../../src/ide/setup/uninstall';

const identity: HostIdentity = {
  appName: 'Kiro',
  uriScheme: 'kiro',
  baseVersion: '1.131.0',
  kiroVersion: '1.2.37',
  kiroHome: true,
  setting: 'auto',
};
const commands = hookCommands('/home/mira/.config/Kiro/bin/kiro-learn-hook', 'linux');

function facts(more: Partial<SetupFacts> = {}): SetupFacts {
  return {
    identity,
    platform: 'linux',
    home: '/home/mira',
    workspaceFolders: [{ path: '/srv/demo', trusted: true }],
    key: '0123456789abcdef',
    commands,
    written: [],
    files: new Map(),
    ...more,
  };
}

function choose(
  base: SetupChoices,
  boxes: Partial<SetupChoices['boxes']>,
  dialect = base.dialect,
): SetupChoices {
  return { dialect, boxes: { ...base.boxes, ...boxes } };
}

describe('dialect', () => {
  test.each([
    ['Kiro 1.2.37', identity, 'kiro-1.x-user'],
    ['the first build with user-level hooks', { ...identity, kiroVersion: '1.0.182' }, 'kiro-1.x-user'],
    ['the last build without', { ...identity, kiroVersion: '1.0.181' }, 'kiro-1.x-workspace'],
    ['Kiro 0.12', { ...identity, kiroVersion: '0.12.4', baseVersion: '1.103.2' }, 'kiro-0.x'],
    ['Kiro on base 1.107', { ...noVersion(), baseVersion: '1.107.1' }, 'kiro-1.x-user'],
    ['Kiro on base 1.103', { ...noVersion(), baseVersion: '1.103.2' }, 'kiro-0.x'],
    [
      'plain VS Code beside a Kiro home',
      { ...noVersion(), appName: 'code-server', uriScheme: 'code-oss' },
      'kiro-1.x-user',
    ],
    [
      'plain VS Code alone',
      { ...noVersion(), appName: 'Code', uriScheme: 'vscode', kiroHome: false },
      'none',
    ],
    ['forced to 0.x', { ...identity, setting: 'kiro-0.x' as const }, 'kiro-0.x'],
    [
      'forced to 1.x in plain VS Code',
      { ...noVersion(), appName: 'Code', uriScheme: 'vscode', setting: 'kiro-1.x' as const },
      'kiro-1.x-user',
    ],
    ['switched off', { ...identity, setting: 'off' as const }, 'none'],
  ])('%s', (_name, host, dialect) => {
    expect(chooseDialect(host).dialect).toBe(dialect);
  });

  test("Kiro's version is not the version of the VS Code that it stands on", () => {
    expect(readKiroVersion(['{"version":"1.107.1"}', '{"version":"1.0.242"}'], '1.107.1')).toBe('1.0.242');
    expect(readKiroVersion(['{"kiroVersion":"1.3.0","version":"1.131.0"}'], '1.131.0')).toBe('1.3.0');
    expect(readKiroVersion([undefined, 'no json', '{"version":"1.131.0"}'], '1.131.0')).toBeUndefined();
  });
});

describe('files', () => {
  test('with session files the prompt hook is the only one, word for word', () => {
    expect(kiro1HookFile(commands, true)).toBe(`{
  "version": "v1",
  "hooks": [
    {
      "name": "Recall project memory",
      "description": "kiro-learn-ide: written by the kiro-learn extension and removed by its command \\"Remove hooks\\".",
      "trigger": "UserPromptSubmit",
      "action": {
        "type": "command",
        "command": "'/home/mira/.config/Kiro/bin/kiro-learn-hook' UserPromptSubmit"
      },
      "timeout": 5,
      "enabled": true
    }
  ]
}
`);
  });

  test('without them tools and answers are captured by hooks too, each with a short timeout', () => {
    const { hooks } = JSON.parse(kiro1HookFile(commands, false)) as {
      hooks: { trigger: string; timeout: number }[];
    };
    expect(hooks.map((hook) => hook.trigger)).toEqual(['UserPromptSubmit', 'PostToolUse', 'Stop']);
    expect(Math.max(...hooks.map((hook) => hook.timeout))).toBeLessThanOrEqual(5);
  });

  test('what the user switched off stays off', () => {
    const before = kiro1HookFile(commands, true).replace('"enabled": true', '"enabled": false');
    expect(JSON.parse(kiro1HookFile(commands, false, before))).toMatchObject({
      hooks: [{ enabled: false }, { enabled: true }, { enabled: true }],
    });
  });

  test('the steering file stays under 80 words and claims no tool that is not there', () => {
    const words = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;
    expect(words(steeringFile('0123456789abcdef', true))).toBeLessThan(80);
    expect(steeringFile('k', false)).not.toContain('get_memory');
    expect(steeringFile('0123456789abcdef', true)).toContain('key="0123456789abcdef"');
  });

  test.each([
    ['linux', "/home/o'neill/a b/kiro-learn-hook", `'/home/o'\\''neill/a b/kiro-learn-hook' Stop`],
    ['win32', 'C:\\Users\\Jo & Ann\\kiro-learn-hook.cmd', '"C:\\Users\\Jo & Ann\\kiro-learn-hook.cmd" Stop'],
    ['win32', 'C:\\100% sure\\kiro-learn-hook.cmd', '"C:\\100"^%" sure\\kiro-learn-hook.cmd" Stop'],
    ['win32', 'C:\\Users\\Bjørk\\kiro-learn-hook.cmd', '"C:\\Users\\Bjørk\\kiro-learn-hook.cmd" Stop'],
  ] as const)('quoting for %s: %s', (platform, launcher, command) => {
    expect(hookCommands(launcher, platform).command('Stop')).toBe(command);
  });

  test('PowerShell and a batch file that must be called', () => {
    expect(hookCommands("C:\\o'neill\\h.cmd", 'win32').powershell('stop')).toBe(
      "& 'C:\\o''neill\\h.cmd' stop",
    );
    expect(mcpCommand('C:\\a b\\m.cmd', 'win32').args).toEqual(['/d', '/c', 'call', 'C:\\a b\\m.cmd']);
  });
});

describe('plan', () => {
  test('by default: one hook in the home folder and the steering file; nothing in the workspace', () => {
    const { preview, changes } = makePlan(facts());
    expect(changes.map((change) => [change.action, change.path])).toEqual([
      ['create', '/home/mira/.kiro/hooks/kiro-learn-ide.json'],
      ['create', '/home/mira/.kiro/steering/kiro-learn-ide.md'],
    ]);
    expect(preview.boxes.find((box) => box.id === 'mcp')?.offered).toBe(false);
  });

  test('another dialect takes the files of the former one away, so that nothing fires twice', () => {
    const first = makePlan(facts());
    const files = new Map(first.changes.map((change) => [change.path, change.after ?? '']));
    const { changes } = makePlan(
      facts({ files }),
      choose(defaultChoices(facts()), { tools: true }, 'kiro-0.x'),
    );
    expect(changes.map((change) => [change.action, path.basename(change.path)])).toEqual([
      ['create', 'kiro-learn-ide-prompt.kiro.hook'],
      ['create', 'kiro-learn-ide-tool.kiro.hook'],
      ['same', 'kiro-learn-ide.md'],
      ['remove', 'kiro-learn-ide.json'],
    ]);
  });

  test('a file of our name that somebody else wrote, an unreadable one and an untrusted folder are left alone', () => {
    const hook = '/home/mira/.kiro/hooks/kiro-learn-ide.json';
    const steering = '/home/mira/.kiro/steering/kiro-learn-ide.md';
    const files = new Map<string, string | typeof UNREADABLE>([
      [hook, '{"version":"v1","hooks":[]}'],
      [steering, UNREADABLE],
    ]);
    const { changes } = makePlan(facts({ files }));
    expect(changes.map((change) => change.reason)).toEqual(['not_ours', 'unreadable']);
    expect(removalPlan(facts({ files }))).toEqual([]);
    const untrusted = facts({ workspaceFolders: [{ path: '/srv/demo', trusted: false }] });
    const plan = makePlan(untrusted, choose(defaultChoices(untrusted), {}, 'kiro-1.x-workspace'));
    expect(plan.changes.find((change) => change.box === 'hook')?.reason).toBe('untrusted');
  });
});

describe('files shared with others', () => {
  const server = { command: '/bin/kiro-learn-mcp', args: [] };

  test('an mcp.json keeps its comments, its servers and what the user set on ours', () => {
    const before = `{
  // mine
  "mcpServers": {
    "other": { "command": "x" },
    "kiro-learn-ide": { "command": "/old", "disabled": true, "autoApprove": ["get_memory"] }
  },
}
`;
    const merged = mergeMcpServer(before, server);
    if ('blocked' in merged) throw new Error('blocked');
    expect(merged.text).toContain('// mine');
    expect(merged.text).toContain('"other"');
    expect(merged.ours).toContain('"disabled": true');
    expect(withoutMcpServer(merged.text)).not.toContain('kiro-learn-ide');
    expect(withoutMcpServer(merged.text)).toContain('// mine');
    expect(mergeMcpServer('{"mcpServers": {', server)).toEqual({ blocked: 'not_json' });
  });

  test("Claude Code's settings get our entries once and lose only them", () => {
    const before =
      '{\n  "model": "x",\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "mine" }] }] }\n}\n';
    const entry = { Stop: { hooks: [{ type: 'command', command: "'/x/kiro-learn-hook' Stop" }] } };
    const once = mergeClaudeHooks(before, entry);
    if ('blocked' in once) throw new Error('blocked');
    expect(mergeClaudeHooks(once.text, entry)).toMatchObject({ text: once.text });
    const back = withoutClaudeHooks(once.text);
    expect(JSON.parse(back ?? '')).toEqual(JSON.parse(before));
    expect(withoutClaudeHooks(before)).toBeUndefined();
  });
});

describe('on disk', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'kiro-learn-setup-'));
  afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

  test('the uninstall script removes ours, keeps theirs, and waits for the last version to go', async () => {
    const home = path.join(root, 'home');
    const extensionDir = path.join(home, '.kiro', 'extensions', 'kiro-learn.kiro-learn-0.1.0');
    const storage = path.join(home, '.config', 'Kiro', 'User', 'globalStorage', 'kiro-learn.kiro-learn');
    for (const dir of [extensionDir, storage, path.join(home, '.kiro', 'hooks')])
      mkdirSync(dir, { recursive: true });
    const theirs = path.join(home, '.kiro', 'hooks', 'lint.json');
    writeFileSync(theirs, '{"version":"v1","hooks":[]}');
    const base = facts({
      home,
      commands: hookCommands(path.join(storage, 'bin', 'kiro-learn-hook'), 'linux'),
    });
    const { changes } = makePlan({ ...base, files: await readPlanFiles(planPaths(base)) });
    expect((await applyChanges(changes)).failed).toEqual([]);
    const hook = path.join(home, '.kiro', 'hooks', 'kiro-learn-ide.json');
    expect(readFileSync(hook, 'utf8')).toContain('Recall project memory');

    const newer = path.join(path.dirname(extensionDir), 'kiro-learn.kiro-learn-0.2.0');
    mkdirSync(newer);
    const options = { extensionDir, home, platform: 'linux' as const, env: {} };
    expect(await uninstall(options)).toEqual([]);
    rmSync(newer, { recursive: true });
    expect(await uninstall(options)).toHaveLength(2);
    expect(existsSync(hook)).toBe(false);
    expect(existsSync(theirs)).toBe(true);
  });
});

function noVersion(): HostIdentity {
  const { kiroVersion: _gone, ...rest } = identity;
  return rest;
}
