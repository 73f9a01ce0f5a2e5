import { mkdtempSync, realpathSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHookFile, type RegisteredHook } from './support/hook-files';
import { productId, productVsix } from './support/product';
import { runHook, type HookResult } from './support/run-hook';
import { setUp } from './support/set-up';
import { withHost } from './support/start-host';
import type { VsCodeHost } from './support/vscode-host';

const vsix = productVsix();
const wish = 'Always run the tests with "make check", never with plain pytest.';
const question = 'How do I run the tests of this project?';

let folder: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kl-main-')));
  await mkdir(path.join(folder, 'importer'), { recursive: true });
  await writeFile(path.join(folder, 'importer', 'rows.py'), 'ROWS = 7\n');
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

/** Plays the agent: runs a registered hook with the payload of its dialect. */
class Agent {
  constructor(
    private readonly host: VsCodeHost,
    private readonly hooks: readonly RegisteredHook[],
    private readonly cwd: string,
  ) {}

  /** A hook of Kiro 1.x: JSON on stdin. */
  async event(trigger: string, session: string, fields: Record<string, unknown> = {}): Promise<HookResult> {
    const payload = { session_id: session, hook_event_name: trigger, cwd: this.cwd, ...fields };
    return this.run(trigger, { dialect: '1.x', payload });
  }

  /** A hook of Kiro 0.x: USER_PROMPT, and a stdin that stays open. */
  async variable(trigger: string, userPrompt: string): Promise<HookResult> {
    return this.run(trigger, { dialect: '0.x', userPrompt });
  }

  private async run(trigger: string, input: Parameters<typeof runHook>[0]['input']): Promise<HookResult> {
    const hook = this.hooks.find((candidate) => candidate.trigger === trigger);
    if (hook === undefined) throw new Error(`no hook is registered for ${trigger}`);
    const { command, timeoutSeconds } = hook;
    const environment = this.host.environment;
    const result = await runHook({ command, timeoutSeconds, cwd: this.cwd, environment, input });
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    return result;
  }
}

describe.skipIf(vsix === undefined)('the main job', () => {
  const file = vsix ?? '';

  it('Kiro 1.x: sets up, learns from hooks, shows it, and hands it to a later prompt', () =>
    withHost({}, async (host) => {
      await mkdir(path.join(host.home, '.kiro', 'sessions'), { recursive: true });
      await host.installVsix(file);
      const window = await host.openWindow(folder);
      await window.waitForStatusBar('kiro-learn');
      expect(await readdir(path.join(host.home, '.kiro'))).toEqual(['sessions']);

      await setUp(window, { 'Read Kiro’s session files': false });
      await window.screenshot('set-up');
      const steering = await readFile(path.join(host.home, '.kiro', 'steering', 'kiro-learn-ide.md'), 'utf8');
      const hooks = readHookFile(path.join(host.home, '.kiro', 'hooks', 'kiro-learn-ide.json'));
      expect(hooks.map((hook) => hook.trigger).sort()).toEqual(['PostToolUse', 'Stop', 'UserPromptSubmit']);
      expect(hooks.find((hook) => hook.trigger === 'UserPromptSubmit')?.name).toBe('Recall project memory');
      const agent = new Agent(host, hooks, folder);

      const first = 'sess_11111111-1111-4111-8111-111111111111';
      expect((await agent.event('UserPromptSubmit', first, { prompt: wish })).stdout).toBe('');
      expect(await window.waitForStatusBar(/kiro-learn 1\b/)).toContain('kiro-learn 1');
      const ran = { tool_name: 'execute_bash', tool_input: { command: 'make check' } };
      await agent.event('PostToolUse', first, {
        ...ran,
        tool_response: 'Output:\n12 passed\n\nExit Code: 0',
      });
      await window.waitForStatusBar(/kiro-learn 2\b/);
      await window.screenshot('status-bar-counting');
      await agent.event('Stop', first);
      await window.waitForStatusBar(/kiro-learn\s*$/);

      await window.runCommand('Show kiro-learn memories');
      const page = window.webview(productId());
      await page.getByRole('tabpanel').getByText('make check').first().waitFor();
      await window.screenshot('panel-memories');
      await page.getByRole('tab', { name: 'Events' }).click();
      await page.getByText(wish).first().waitFor();
      await page.getByText('Execute Bash').first().waitFor();
      await window.screenshot('panel-events');

      const second = 'sess_22222222-2222-4222-8222-222222222222';
      const { stdout } = await agent.event('UserPromptSubmit', second, { prompt: question });
      const key = /<kiro-learn-context source="kiro-learn" key="([^"]+)">/.exec(stdout)?.[1] ?? 'no key';
      expect(stdout).toContain('make check');
      expect(stdout.trimEnd()).toMatch(/<\/kiro-learn-context>$/);
      expect(steering).toContain(key);
      await page.getByText(question).first().waitFor();
    }));

  it('Kiro 0.x: the same through USER_PROMPT and a stdin that never closes', () =>
    withHost({ settings: { 'kiro-learn.hookDialect': 'kiro-0.x' } }, async (host) => {
      await host.installVsix(file);
      const window = await host.openWindow(folder);
      await window.waitForStatusBar('kiro-learn');
      await setUp(window, { 'Also capture tool uses by a hook': true });
      const hookFolder = path.join(folder, '.kiro', 'hooks');
      const files = (await readdir(hookFolder)).sort();
      expect(files).toEqual(['kiro-learn-ide-prompt.kiro.hook', 'kiro-learn-ide-tool.kiro.hook']);
      await expect(stat(path.join(host.home, '.kiro', 'hooks'))).rejects.toMatchObject({ code: 'ENOENT' });
      const agent = new Agent(
        host,
        files.flatMap((name) => readHookFile(path.join(hookFolder, name))),
        folder,
      );

      expect((await agent.variable('promptSubmit', wish)).stdout).toBe('');
      await window.waitForStatusBar(/kiro-learn 1\b/);
      const tool = {
        toolName: 'fsWrite',
        toolArgs: {},
        toolResult: `Created the ${folder}/notes.md file.`,
        toolSuccess: true,
      };
      await agent.variable('postToolUse', JSON.stringify(tool));
      await window.waitForStatusBar(/kiro-learn 2\b/);
      await window.waitForStatusBar(/kiro-learn\s*$/, 120_000);

      await window.runCommand('Show kiro-learn memories');
      const page = window.webview(productId());
      await page.getByRole('tabpanel').getByText('make check').first().waitFor();
      const { stdout } = await agent.variable('promptSubmit', question);
      expect(stdout).toContain('<kiro-learn-context source="kiro-learn" key="');
      expect(stdout).toContain('make check');

      await window.runCommand('kiro-learn: Remove hooks');
      await (await window.waitForDialog('Remove the hooks')).getByRole('button', { name: 'Remove' }).click();
      await window.waitForToast('Removed from');
      expect(await readdir(hookFolder)).toEqual([]);
    }));

  it('with workspace trust on: neither captures nor recalls in a folder that is not trusted', () =>
    withHost({ workspaceTrust: true }, async (host) => {
      await mkdir(path.join(host.home, '.kiro', 'sessions'), { recursive: true });
      await host.installVsix(file);
      const window = await host.openWindow(folder);
      await window.answerTrust(false);
      await window.waitForStatusBar('kiro-learn');
      await setUp(window, { 'Read Kiro’s session files': false });
      const hooks = readHookFile(path.join(host.home, '.kiro', 'hooks', 'kiro-learn-ide.json'));
      const agent = new Agent(host, hooks, folder);
      const session = 'sess_33333333-3333-4333-8333-333333333333';

      expect(
        (await agent.event('UserPromptSubmit', session, { prompt: 'kept away from the store' })).stdout,
      ).toBe('');
      await window.grantTrust();
      await agent.event('UserPromptSubmit', session, { prompt: wish });
      expect(await window.waitForStatusBar(/kiro-learn \d/)).toContain('kiro-learn 1');

      await window.runCommand('Show kiro-learn memories');
      const page = window.webview(productId());
      await page.getByRole('tab', { name: 'Events' }).click();
      await page.getByText(wish).first().waitFor();
      expect(await page.getByText('kept away from the store').count()).toBe(0);
      await window.screenshot('panel-after-trust');
    }));
});
