import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHook as runLauncher } from '../../src/cli/replay-hooks';
import { hookLauncherPath } from '../../src/platform/launcher';
import type { CodeWindow } from './support/code-window';
import { productId, productVsix } from './support/product';
import { withHost } from './support/start-host';
import type { VsCodeHost } from './support/vscode-host';
import { waitFor } from './support/wait';

const vsix = productVsix();

interface LeaderFile {
  epoch: number;
  pid: number;
}

describe.skipIf(vsix === undefined)('several windows of one store', () => {
  let root: string;

  beforeAll(() => {
    root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kl-windows-')));
  });
  afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

  it.each([2, 5])(
    '%i windows: one leads, another takes over when it is killed, all show the same tail',
    (count) =>
      withHost({}, async (host) => {
        await host.installVsix(vsix ?? '');
        const windows = await openWindows(host, count);
        const storage = path.join(host.userData, 'User', 'globalStorage', productId());
        const first = await leaderOf(storage);
        const pids = await Promise.all(windows.map((window) => window.extensionHostPid()));
        expect(pids).toContain(first.pid);

        await say(storage, 'Where do the tide tables come from?');
        const tails = await Promise.all(windows.slice(0, 2).map(openTail));
        for (const tail of tails)
          await tail.getByText('Where do the tide tables come from?').first().waitFor();

        const leading = windows[pids.indexOf(first.pid)];
        await leading?.killExtensionHost();
        const second = await waitFor('another leader', async () => {
          const now = await leaderOf(storage);
          return now.epoch > first.epoch ? now : undefined;
        });
        expect(second.pid).not.toBe(first.pid);

        await say(storage, 'And who may change them?');
        const other = windows[leading === windows[0] ? 1 : 0];
        if (other === undefined) throw new Error('there is one window only');
        const tail = other.webview(productId());
        await tail.getByText('Where do the tide tables come from?').first().waitFor();
        await tail.getByText('And who may change them?').first().waitFor();
        await other.screenshot(`windows-${count}-after-takeover`);
      }),
  );

  async function openWindows(host: VsCodeHost, count: number): Promise<CodeWindow[]> {
    const windows: CodeWindow[] = [];
    for (let index = 0; index < count; index++) {
      const window = await host.openWindow(root);
      await window.waitForStatusBar('kiro-learn');
      windows.push(window);
    }
    return windows;
  }

  /** The panel's tail of the project, which all windows have open. */
  async function openTail(window: CodeWindow) {
    await window.runCommand('Show kiro-learn memories');
    const page = window.webview(productId());
    await page.getByRole('tab', { name: 'Events' }).click();
    return page;
  }

  async function leaderOf(storage: string): Promise<LeaderFile> {
    const file = path.join(storage, 'leader.json');
    const text = await waitFor('a leader', () => (existsSync(file) ? readFile(file, 'utf8') : undefined));
    return JSON.parse(text) as LeaderFile;
  }

  /** An agent's prompt in the first window's folder, through the launcher. */
  async function say(storage: string, prompt: string): Promise<void> {
    const cwd = root;
    const payload = {
      hook_event_name: 'UserPromptSubmit',
      session_id: 'sess_00000000-0000-4000-8000-000000000007',
      cwd,
      prompt,
    };
    const call = { argv: ['UserPromptSubmit'], env: null, stdin: JSON.stringify(payload), cwd };
    const run = await runLauncher(hookLauncherPath(storage), call);
    expect(run.exitCode).toBe(0);
  }
});
