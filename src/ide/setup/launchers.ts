import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { hookLauncherPath, mcpLauncherPath, writeLauncher } from '../../platform/launcher';
import { shQuote } from '../../platform/launcher-sh';
import type { HookCommands } from './hook-files';
import type { McpCommand } from './shared-json';

/** The programs in global storage that hook files and MCP registrations name. */
export interface Launchers {
  /** Writes them anew; they outlive any version of the extension. */
  write(): Promise<void>;
  commands(): HookCommands;
  /** Undefined where this build has no MCP server. */
  mcp(): McpCommand | undefined;
}

/** Launchers under `<storage>/bin`, made from the bundles in `distDir`. */
export function storageLaunchers(storageDir: string, distDir: string, platform: NodeJS.Platform): Launchers {
  return {
    write: async () => void (await writeLauncher({ storageDir, distDir, platform })),
    commands: () => hookCommands(hookLauncherPath(storageDir, platform), platform),
    mcp: () => {
      if (!existsSync(path.join(distDir, 'mcp.js'))) return undefined;
      return mcpCommand(mcpLauncherPath(storageDir, platform), platform);
    },
  };
}

/** Commands that run `launcher` with the name of an event. */
export function hookCommands(launcher: string, platform: NodeJS.Platform): HookCommands {
  return {
    command: (event) => `${platform === 'win32' ? cmdQuote(launcher) : shQuote(launcher)} ${event}`,
    powershell: (event) => `& '${launcher.replace(/'/g, "''")}' ${event}`,
  };
}

/**
 * A batch file can't be started without its interpreter; `call` keeps `cmd.exe` from stripping the quotes of a
 * path with spaces.
 */
export function mcpCommand(launcher: string, platform: NodeJS.Platform): McpCommand {
  if (platform !== 'win32') return { command: launcher, args: [] };
  return { command: 'cmd.exe', args: ['/d', '/c', 'call', launcher] };
}

/**
 * A path for the command line of `cmd.exe` (not for a batch file, where `%` would double). Inside quotes only
 * `%` keeps its meaning, so it stands outside, behind a caret.
 */
function cmdQuote(file: string): string {
  return `"${file.replace(/%/g, '"^%"')}"`;
}
