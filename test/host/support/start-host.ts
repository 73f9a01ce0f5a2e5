import { inject } from 'vitest';
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
