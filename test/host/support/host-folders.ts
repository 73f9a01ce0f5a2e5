import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';

/** The fresh folders that one host lives in; all below one temporary folder with a short path (sockets!). */
export interface HostFolders {
  root: string;
  /** HOME of the host and of everything it starts, so that `~/.kiro` is this test's own. */
  home: string;
  userData: string;
  extensions: string;
  /** XDG_RUNTIME_DIR, mode 0700. */
  runtime: string;
}

/** Makes the folders of a host and writes its user settings. */
export function makeHostFolders(settings: Record<string, unknown>): HostFolders {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'klh-')));
  const folder = (name: string): string => {
    const made = path.join(root, name);
    mkdirSync(made, { recursive: true, mode: 0o700 });
    return made;
  };
  const folders = {
    root,
    home: folder('home'),
    userData: folder('user'),
    extensions: folder('ext'),
    runtime: folder('run'),
  };
  folder(path.join('user', 'User'));
  writeFileSync(path.join(folders.userData, 'User', 'settings.json'), JSON.stringify(settings, null, 2));
  return folders;
}

/** Removes everything that {@link makeHostFolders} made. */
export async function removeHostFolders(folders: HostFolders): Promise<void> {
  await rm(folders.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** VS Code's own log files, one after the other; the extension hosts' among them. */
export async function readLogs(folders: HostFolders): Promise<string> {
  const folder = path.join(folders.userData, 'logs');
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  const wanted = names.filter((name) => name.endsWith('.log')).sort();
  const texts = wanted.map(async (name) => `== ${name}\n${await readFile(path.join(folder, name), 'utf8')}`);
  return (await Promise.all(texts)).join('\n');
}

/** The user settings of a quiet VS Code, with workspace trust as asked and `extra` on top. */
export function quietSettings(
  workspaceTrust: boolean,
  extra: Record<string, unknown>,
): Record<string, unknown> {
  return {
    'security.workspace.trust.enabled': workspaceTrust,
    'workbench.startupEditor': 'none',
    'workbench.tips.enabled': false,
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'chat.commandCenter.enabled': false,
    'telemetry.telemetryLevel': 'off',
    'extensions.ignoreRecommendations': true,
    'git.openRepositoryInParentFolders': 'never',
    'update.mode': 'none',
    ...extra,
  };
}

/**
 * The environment of a host: this process's, without what belongs to the test runner, to an outer VS Code or to a
 * Kiro, and with HOME and the runtime directory in the host's own folders.
 */
export function hostEnvironment(folders: HostFolders, extra: Record<string, string>): Record<string, string> {
  const foreign =
    /^(npm_|VSCODE_|KIRO|VITEST|TINYPOOL|XDG_|ELECTRON_|NODE_OPTIONS$|NODE_ENV$|TEST$|PROD$|DEV$|MODE$)/;
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !foreign.test(entry[0]),
  );
  return {
    ...Object.fromEntries(kept),
    HOME: folders.home,
    USERPROFILE: folders.home,
    XDG_RUNTIME_DIR: folders.runtime,
    ...extra,
  };
}
