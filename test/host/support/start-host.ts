import { mkdir, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { expect, inject } from 'vitest';
import { repositoryRoot } from '../../../scripts/vscode-host/locations';
import { CodeServerHost } from './code-server-host';
import { ElectronHost } from './electron-host';
import type { HostOptions, VsCodeHost } from './vscode-host';

/** Starts the VS Code that was chosen for this run, with fresh folders. The caller disposes it. */
export function startHost(options: HostOptions = {}): Promise<VsCodeHost> {
  const chosen = inject('chosenHost');
  return chosen.kind === 'electron'
    ? ElectronHost.start(chosen, options)
    : CodeServerHost.start(chosen, options);
}

/**
 * Runs `use` with a fresh host and disposes it. When `use` throws, a picture of every window and the host's logs go to
 * `out/failures/<test name>/` first.
 */
export async function withHost<T>(options: HostOptions, use: (host: VsCodeHost) => Promise<T>): Promise<T> {
  const host = await startHost(options);
  try {
    return await use(host);
  } catch (error) {
    await recordFailure(host);
    throw error;
  } finally {
    await host.dispose();
  }
}

async function recordFailure(host: VsCodeHost): Promise<void> {
  const name = (expect.getState().currentTestName ?? 'unnamed').replace(/[^A-Za-z0-9]+/g, '-').slice(0, 100);
  const folder = path.join(repositoryRoot, 'out', 'failures', name);
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'host.log'), await host.logs());
  for (const [index, page] of host.pages().entries()) {
    await page.screenshot({ path: path.join(folder, `window-${index + 1}.png`) }).catch(() => undefined);
  }
  console.error(`what the windows showed: ${path.relative(repositoryRoot, folder)}`);
}
