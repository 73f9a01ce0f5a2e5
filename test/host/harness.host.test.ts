import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from './support/processes';
import { buildProbeExtension, probeExtensionId } from './support/probe-extension';
import { startHost } from './support/start-host';
import type { VsCodeHost } from './support/vscode-host';
import { waitFor } from './support/wait';

let folder: string;
let vsix: string;
let host: VsCodeHost;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kl-harness-')));
  vsix = await buildProbeExtension(folder);
});

afterEach(async () => {
  await host.dispose();
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function life(): string[] {
  const file = path.join(host.userData, 'User', 'globalStorage', probeExtensionId, 'life.txt');
  return readFileSync(file, 'utf8').trim().split('\n');
}

describe('the VS Code test host', () => {
  it('installs an extension, runs its command, and reads the status bar, the webview and a toast', async () => {
    host = await startHost();
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
    expect(life().filter((line) => line === 'wrong command')).toEqual([]);
  });

  it('answers quick picks and input boxes, and tells which commands there are', async () => {
    host = await startHost();
    await host.installVsix(vsix);
    const window = await host.openWindow(folder);
    await window.waitForStatusBar('probe');

    expect(await window.offersCommand('Show probe')).toBe(false);
    expect(await window.offersCommand('Probe: Ask')).toBe(true);
    await window.runCommand('Probe: Ask');
    await window.pick('green');
    await window.answerInput('Ada');

    await waitFor('the answer', () => life().find((line) => line === 'asked green Ada'));
  });

  it('runs the extension in a HOME of its own and leaves nothing behind', async () => {
    host = await startHost();
    await host.installVsix(vsix);
    const window = await host.openWindow(folder);
    await window.waitForStatusBar('probe');
    const [, pid, home] = life()[0]?.split(' ') ?? [];

    expect(home).toBe(host.home);
    expect(home).not.toBe(os.homedir());
    await host.dispose();
    expect(isAlive(Number(pid))).toBe(false);
    await expect(stat(host.userData)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('opens in restricted mode where workspace trust is on, until the folder is trusted', async () => {
    host = await startHost({ workspaceTrust: true });
    await host.installVsix(vsix);
    const window = await host.openWindow(folder);
    await window.answerTrust(false);
    expect(await window.waitForStatusBar(/probe/)).toBe('probe restricted');
    await window.screenshot('harness-restricted');

    await window.grantTrust();
    await window.waitForStatusBar('probe trusted');
  });

  it('reloads a window, survives a killed extension host, and closes windows so that deactivate runs', async (context) => {
    host = await startHost();
    if (host.kind !== 'code-server')
      return context.skip('this host does not tell its extension host processes');
    await host.installVsix(vsix);
    const window = await host.openWindow(folder);
    await window.waitForStatusBar('probe');
    const first = await window.extensionHostPid();

    await window.reload();
    await window.waitForStatusBar('probe');
    const second = await window.extensionHostPid();
    expect(second).not.toBe(first);
    await waitFor('the reloaded extension', () =>
      life().find((line) => line.startsWith(`activate ${second} `)),
    );
    expect(life()).toContain(`deactivate ${first}`);

    const third = await window.killExtensionHost();
    expect(third).not.toBe(second);
    await waitFor('the restarted extension', () =>
      life().find((line) => line.startsWith(`activate ${third} `)),
    );
    expect(life()).not.toContain(`deactivate ${second}`);

    const other = await host.openWindow(host.home);
    const otherPid = await other.extensionHostPid();
    expect(otherPid).not.toBe(third);
    await waitFor('the other window', () => life().find((line) => line.startsWith(`activate ${otherPid} `)));
    await other.close();
    expect(life()).toContain(`deactivate ${otherPid}`);
    expect(isAlive(third)).toBe(true);
    await window.close();
    expect(life()).toContain(`deactivate ${third}`);
  });
});
