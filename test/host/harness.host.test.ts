import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from './support/processes';
import { buildProbeExtension, probeExtensionId } from './support/probe-extension';
import { withHost } from './support/start-host';
import type { VsCodeHost } from './support/vscode-host';
import { waitFor } from './support/wait';

let folder: string;
let vsix: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kl-harness-')));
  vsix = await buildProbeExtension(folder);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

/** What the probe extension wrote down about its life. */
function life(host: VsCodeHost): string[] {
  const file = path.join(host.userData, 'User', 'globalStorage', probeExtensionId, 'life.txt');
  return readFileSync(file, 'utf8').trim().split('\n');
}

describe('the VS Code test host', () => {
  it('installs an extension, runs its command, and reads the status bar, the webview and a toast', () =>
    withHost({}, async (host) => {
      await host.installVsix(vsix);
      const window = await host.openWindow(folder);

      expect(await window.statusBarText('harness.probe')).toBe('probe trusted');
      expect(await window.waitForStatusBar(/^\s*probe \w+/)).toBe('probe trusted');
      await window.runCommand('Show probe page');
      const page = window.webview(probeExtensionId);
      expect(await page.locator('h1').innerText()).toMatch(/^pid \d+$/);
      await page.getByRole('button', { name: 'Say hello' }).click();
      const toast = await window.waitForToast('heard hello');
      const screenshot = await window.screenshot('harness');
      await toast.getByRole('button', { name: 'Good' }).click();
      await toast.waitFor({ state: 'hidden' });

      expect((await stat(screenshot)).size).toBeGreaterThan(10_000);
      expect(life(host)).not.toContain('wrong command');
    }));

  it('answers quick picks and input boxes, and tells which commands there are', () =>
    withHost({}, async (host) => {
      await host.installVsix(vsix);
      const window = await host.openWindow(folder);
      await window.waitForStatusBar('probe');

      expect(await window.offersCommand('Show probe')).toBe(false);
      expect(await window.offersCommand('Probe: Ask')).toBe(true);
      await window.runCommand('Probe: Ask');
      await window.pick('green');
      await window.answerInput('Ada');

      await waitFor('the answer', () => life(host).find((line) => line === 'asked green Ada'));
    }));

  it('runs the extension in a HOME of its own and leaves nothing behind', async () => {
    const { userData, pid } = await withHost({}, async (host) => {
      await host.installVsix(vsix);
      const window = await host.openWindow(folder);
      await window.waitForStatusBar('probe');
      const [, process, home] = life(host)[0]?.split(' ') ?? [];
      expect(home).toBe(host.home);
      expect(home).not.toBe(os.homedir());
      return { userData: host.userData, pid: Number(process) };
    });

    expect(isAlive(pid)).toBe(false);
    await expect(stat(userData)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('opens in restricted mode where workspace trust is on, until the folder is trusted', () =>
    withHost({ workspaceTrust: true }, async (host) => {
      await host.installVsix(vsix);
      const window = await host.openWindow(folder);
      await window.answerTrust(false);
      expect(await window.waitForStatusBar(/probe/)).toBe('probe restricted');
      await window.screenshot('harness-restricted');

      await window.grantTrust();
      await window.waitForStatusBar('probe trusted');
    }));

  it('reloads a window, survives a killed extension host, and closes windows so that deactivate runs', (context) =>
    withHost({}, async (host) => {
      if (host.kind !== 'code-server') context.skip('this host does not tell its extension host processes');
      await host.installVsix(vsix);
      const activated = (pid: number) =>
        waitFor(`activate ${pid}`, () => life(host).find((line) => line.startsWith(`activate ${pid} `)));
      const window = await host.openWindow(folder);
      await window.waitForStatusBar('probe');
      const first = await window.extensionHostPid();

      await window.reload();
      const second = await window.extensionHostPid();
      await activated(second);
      expect(second).not.toBe(first);
      expect(life(host)).toContain(`deactivate ${first}`);

      const third = await window.killExtensionHost();
      await activated(third);
      expect(third).not.toBe(second);
      expect(life(host)).not.toContain(`deactivate ${second}`);

      const other = await host.openWindow(host.home);
      const otherPid = await other.extensionHostPid();
      await activated(otherPid);
      expect(otherPid).not.toBe(third);
      await other.close();
      expect(life(host)).toContain(`deactivate ${otherPid}`);
      expect(isAlive(third)).toBe(true);
      await window.close();
      expect(life(host)).toContain(`deactivate ${third}`);
    }));
});
