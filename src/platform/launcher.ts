import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from './atomic-file';
import { DIRECTORY_MODE, hasCode, nodeFileSystem } from './file-system';
import { cmdLauncher } from './launcher-cmd';
import { shLauncher, shProgramLauncher } from './launcher-sh';
import { storagePaths } from './paths';
import { probeRuntimes, type HookRuntime } from './runtime-probe';

export interface LauncherOptions {
  /** Global storage, absolute. */
  storageDir: string;
  /** Folder of the extension's bundles; nothing refers to it afterwards. */
  distDir: string;
  platform?: NodeJS.Platform;
  /** Probed already; else they are probed now (up to 2 s, twice). */
  runtimes?: readonly HookRuntime[];
  env?: NodeJS.ProcessEnv;
}

const HOOK_LAUNCHER = 'kiro-learn-hook';
const MCP_LAUNCHER = 'kiro-learn-mcp';
/** What the programs in global storage need; those that a build has are copied. */
const BUNDLED = ['hook.js', 'offline.js', 'mcp.js', 'sql-wasm.wasm'];
const KEPT_BUNDLES = 3;
const LAUNCHER_MODE = 0o700;
const bundlePattern = /^b-[0-9a-f]{16}$/;

/** Path of the launcher that hook files name. It stays the same across updates. */
export function hookLauncherPath(storageDir: string, platform: NodeJS.Platform = process.platform): string {
  return path.join(
    storagePaths(storageDir).bin,
    platform === 'win32' ? `${HOOK_LAUNCHER}.cmd` : HOOK_LAUNCHER,
  );
}

export function mcpLauncherPath(storageDir: string, platform: NodeJS.Platform = process.platform): string {
  return path.join(storagePaths(storageDir).bin, platform === 'win32' ? `${MCP_LAUNCHER}.cmd` : MCP_LAUNCHER);
}

/**
 * Writes the launchers and copies the programs that they start into global storage, so that hooks run on when
 * the extension is updated or removed. Safe to call at every activation and from several windows at once.
 *
 * @returns the hook launcher, absolute
 * @throws the platform's error where global storage can't be written, or `distDir` holds no `hook.js`
 */
export async function writeLauncher(options: LauncherOptions): Promise<string> {
  const { bin } = storagePaths(options.storageDir);
  const env = options.env ?? process.env;
  await nodeFileSystem.mkdir(bin);
  await nodeFileSystem.chmod(bin, DIRECTORY_MODE);
  const bundle = await copyBundle(options.distDir, bin);
  const runtimes = options.runtimes ?? (await probeRuntimes({ env }));
  const write = (name: string, text: string, mode = LAUNCHER_MODE) =>
    writeFileAtomic(nodeFileSystem, path.join(bin, name), Buffer.from(text), mode);
  await write('hook-runtime', runtimeFile(path.join(bin, bundle), runtimes), 0o600);
  await write(HOOK_LAUNCHER, shLauncher(options.storageDir));
  await write(`${HOOK_LAUNCHER}.cmd`, cmdLauncher(bundle, 'hook.js', runtimes, env));
  if (await exists(path.join(bin, bundle, 'mcp.js'))) {
    await write(MCP_LAUNCHER, shProgramLauncher(options.storageDir, 'mcp.js'));
    await write(`${MCP_LAUNCHER}.cmd`, cmdLauncher(bundle, 'mcp.js', runtimes, env));
  }
  await removeOldBundles(bin, bundle);
  return hookLauncherPath(options.storageDir, options.platform);
}

/** Lines of `<word> <path>`: the bundle, then the runtimes in the order in which they are tried. */
function runtimeFile(bundle: string, runtimes: readonly HookRuntime[]): string {
  const usable = runtimes.filter((runtime) => !/[\r\n]/.test(runtime.path));
  return [`bundle ${bundle}`, ...usable.map(({ kind, path: file }) => `${kind} ${file}`), ''].join('\n');
}

/** Copies the programs into a folder named after their content; one that is there is whole. */
async function copyBundle(distDir: string, bin: string): Promise<string> {
  const names: string[] = [];
  const hash = createHash('sha256');
  for (const name of BUNDLED) {
    const content = await readFile(path.join(distDir, name)).catch((error: unknown) => {
      if (name === 'hook.js' || !hasCode(error, 'ENOENT')) throw error;
      return undefined;
    });
    if (!content) continue;
    names.push(name);
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  const bundle = `b-${hash.digest('hex').slice(0, 16)}`;
  const target = path.join(bin, bundle);
  if (await exists(target)) return bundle;
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  await mkdir(temporary, { mode: DIRECTORY_MODE });
  try {
    for (const name of names) await cp(path.join(distDir, name), path.join(temporary, name));
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await exists(target))) throw error;
  }
  return bundle;
}

/** A hook that runs right now may still load from the one before; older ones go. */
async function removeOldBundles(bin: string, current: string): Promise<void> {
  const others: { name: string; modifiedMs: number }[] = [];
  for (const name of await readdir(bin)) {
    if (name === current || !bundlePattern.test(name.replace(/\.[0-9a-f]{12}\.tmp$/, ''))) continue;
    const stats = await stat(path.join(bin, name)).catch(() => undefined);
    if (stats) others.push({ name, modifiedMs: stats.mtimeMs });
  }
  others.sort((a, b) => b.modifiedMs - a.modifiedMs);
  for (const { name } of others.slice(KEPT_BUNDLES - 1)) {
    await rm(path.join(bin, name), { recursive: true, force: true });
  }
}

async function exists(file: string): Promise<boolean> {
  return (await nodeFileSystem.stat(file)) !== undefined;
}
