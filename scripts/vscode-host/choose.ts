import { downloadAndUnzipVSCode, SilentReporter } from '@vscode/test-electron';
import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { installCodeServer } from './install';
import { codeServerVersion, repositoryRoot, vscodeVersion } from './locations';
import { findChromium, requireRunPackages } from './system-needs';

/** The VS Code that the host suite runs in. */
export type ChosenHost =
  | { kind: 'electron'; label: string; executable: string }
  | { kind: 'code-server'; label: string; node: string; entry: string; chromium: string };

const probeTimeoutMs = 3000;
const downloadPage = 'https://update.code.visualstudio.com/api/releases/stable';

/**
 * Decides in which VS Code the suite runs, and installs it where needed: the desktop build through
 * `@vscode/test-electron` where one can be downloaded and shown, else code-server in Chromium (Linux only).
 * The environment variable `VSCODE_TEST_HOST` (`electron` or `code-server`) forces one.
 *
 * @throws MissingPackagesError, HostInstallError when code-server is chosen and can't be made to run
 */
export async function chooseHost(log: (line: string) => void): Promise<ChosenHost> {
  const forced = process.env['VSCODE_TEST_HOST'];
  if (forced !== 'code-server') {
    const desktop = await desktopHost(forced === 'electron', log);
    if (desktop !== undefined) return desktop;
  }
  requireRunPackages();
  const files = await installCodeServer(log);
  const chromium = findChromium() ?? 'chromium';
  const browser = spawnSync(chromium, ['--version'], { encoding: 'utf8' }).stdout.trim();
  const label = `code-server ${codeServerVersion} (VS Code ${vscodeVersion}) in ${browser}`;
  return { kind: 'code-server', label, node: files.node, entry: files.entry, chromium };
}

async function desktopHost(
  forced: boolean,
  log: (line: string) => void,
): Promise<Extract<ChosenHost, { kind: 'electron' }> | undefined> {
  if (!forced && !(hasDisplay() && (await canDownload()))) return undefined;
  try {
    const executable = await downloadAndUnzipVSCode({
      version: vscodeVersion,
      cachePath: path.join(repositoryRoot, '.cache', 'vscode-desktop'),
      reporter: new SilentReporter(),
    });
    return { kind: 'electron', label: `VS Code ${vscodeVersion} (desktop)`, executable };
  } catch (error) {
    if (forced || process.platform !== 'linux') throw error;
    log(`VS Code ${vscodeVersion} could not be downloaded (${String(error)}); code-server is used instead`);
    return undefined;
  }
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

async function canDownload(): Promise<boolean> {
  try {
    const response = await fetch(downloadPage, { signal: AbortSignal.timeout(probeTimeoutMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
