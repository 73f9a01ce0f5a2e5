import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { storagePaths } from '../../platform/paths';
import { applyChanges, readPlanFiles } from './apply';
import { LAUNCHER_NAME } from './hook-files';
import { planPaths, removalPlan, type FileChange } from './plan';
import { readSetupState } from './setup-state';

export interface UninstallOptions {
  /** The extension's own folder, `<host's extensions>/<publisher>.<name>-<version>`. */
  extensionDir: string;
  home: string;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/**
 * What the IDE runs after the extension was uninstalled: takes our files away, and our entries out of files shared
 * with others. Nothing is touched where another version of the extension is still installed in the same host, or
 * where a hook runs the launcher of another host. Memories stay in global storage.
 *
 * @returns paths that were changed or removed
 */
export async function uninstall(options: UninstallOptions): Promise<string[]> {
  if (await otherVersionInstalled(options.extensionDir)) return [];
  const storages = await ownStorages(options);
  const states = await Promise.all(storages.map((dir) => readSetupState(dir)));
  const facts = {
    home: options.home,
    platform: options.platform,
    workspaceFolders: [],
    written: states.flatMap((state) => state?.written ?? []),
  };
  const files = await readPlanFiles(planPaths(facts));
  const changes = removalPlan({ ...facts, files }).filter((change) => isOfThisHost(change, files, storages));
  const { written, removed } = await applyChanges(changes);
  return [...written, ...removed];
}

async function otherVersionInstalled(extensionDir: string): Promise<boolean> {
  const base = path.basename(extensionDir);
  const stem = base.replace(/-\d+\.\d+\.\d+.*$/, '');
  const names = await fs.readdir(path.dirname(extensionDir)).catch((): string[] => []);
  return names.some((name) => name !== base && name.startsWith(`${stem}-`) && /-\d+\.\d+\.\d+/.test(name));
}

/** Folders of extensions and, beside the same host, of user data (relative to where the platform keeps them). */
const userDataOf: Record<string, string> = {
  '.kiro': 'Kiro',
  '.vscode': 'Code',
  '.vscode-insiders': 'Code - Insiders',
  '.vscode-oss': 'VSCodium',
};

/** Global storage of this extension in the host that it was installed in, as far as it can be found. */
async function ownStorages({ extensionDir, home, platform, env }: UninstallOptions): Promise<string[]> {
  const id = path
    .basename(extensionDir)
    .replace(/-\d+\.\d+\.\d+.*$/, '')
    .toLowerCase();
  const hostDir = path.dirname(path.dirname(extensionDir));
  const candidates = [
    path.join(hostDir, 'User'),
    path.join(hostDir, 'data', 'User'),
    path.join(hostDir, 'user-data', 'User'),
  ];
  const product = userDataOf[path.basename(hostDir)];
  if (product !== undefined) candidates.push(path.join(configHome(home, platform, env), product, 'User'));
  const storages = candidates.map((user) => path.join(user, 'globalStorage', id));
  const found = await Promise.all(
    storages.map((dir) =>
      fs.stat(dir).then(
        () => true,
        () => false,
      ),
    ),
  );
  return storages.filter((_dir, index) => found[index]);
}

function configHome(home: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string {
  if (platform === 'win32') return env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] ?? path.join(home, '.config');
}

/**
 * A file that names a launcher belongs to the host in whose storage that launcher lies. Files without a command
 * (the steering file) go with the hooks; where no storage was found, everything of ours goes.
 */
function isOfThisHost(
  change: FileChange,
  files: Awaited<ReturnType<typeof readPlanFiles>>,
  storages: string[],
): boolean {
  const text = files.get(change.path);
  if (storages.length === 0 || typeof text !== 'string' || !text.includes(LAUNCHER_NAME)) return true;
  const spelled = (dir: string) =>
    JSON.stringify(path.join(storagePaths(dir).bin, LAUNCHER_NAME)).slice(1, -1);
  return storages.some((dir) => text.includes(spelled(dir)));
}
