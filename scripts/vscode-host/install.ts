import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  codeServerFiles,
  codeServerVersion,
  hostCache,
  nodeVersion,
  watcherVersion,
  type CodeServerFiles,
} from './locations';
import { findProgram, requireBuildPackages } from './system-needs';

/** Raise when the steps below change, so that an older installation is made anew. */
const recipe = 1;
const stamp = JSON.stringify({ recipe, codeServerVersion, nodeVersion, watcherVersion });

/** Thrown when a step of the installation fails; carries the end of the step's output. */
export class HostInstallError extends Error {
  constructor(step: string, output: string) {
    super(`installing code-server ${codeServerVersion} failed at: ${step}\n${tail(output)}`);
    this.name = 'HostInstallError';
  }
}

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
  [key: string]: unknown;
}

interface Lockfile {
  packages: Record<string, LockedPackage>;
}

interface Manifest {
  dependencies: Record<string, string>;
}

/**
 * Makes sure that code-server is installed in the checkout's cache, and returns where. A complete installation of the
 * same recipe is reused; otherwise it is built in a folder of its own and renamed into place, so that an interrupted
 * run leaves nothing half done. Needs npm's configured registry and a C++ compiler.
 *
 * @throws MissingPackagesError when Debian packages are missing
 * @throws HostInstallError when a step fails
 */
export async function installCodeServer(log: (line: string) => void): Promise<CodeServerFiles> {
  const files = codeServerFiles();
  if (isComplete(files)) return files;
  requireBuildPackages();
  const started = Date.now();
  await removeLeftovers();
  const building = codeServerFiles(`${files.root}.partial-${process.pid}`);
  await mkdir(building.root, { recursive: true });
  try {
    await build(building, log);
    await writeFile(building.stamp, stamp);
    await rm(files.root, { recursive: true, force: true });
    await rename(building.root, files.root);
  } finally {
    await rm(building.root, { recursive: true, force: true });
  }
  log(`code-server ${codeServerVersion}: installed in ${Math.round((Date.now() - started) / 1000)} s`);
  return files;
}

function isComplete(files: CodeServerFiles): boolean {
  if (![files.stamp, files.entry, files.node].every((file) => existsSync(file))) return false;
  return readFileSync(files.stamp, 'utf8') === stamp;
}

/** Removes the folders of builds whose process is gone. */
async function removeLeftovers(): Promise<void> {
  await mkdir(hostCache, { recursive: true });
  for (const name of await readdir(hostCache)) {
    const pid = /\.partial-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(path.join(hostCache, name), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function build(files: CodeServerFiles, log: (line: string) => void): Promise<void> {
  const nodeFolder = path.join(files.root, 'node');
  const server = path.join(files.root, 'server');
  const vscode = path.join(server, 'lib', 'vscode');

  log(`code-server ${codeServerVersion}: unpacking Node ${nodeVersion} and the server`);
  await unpack(`node-linux-${process.arch}@${nodeVersion}`, nodeFolder);
  await unpack(`code-server@${codeServerVersion}`, server);
  const environment = npmEnvironment(nodeFolder);
  const npm = (folder: string, ...args: string[]): Promise<string> => run('npm', args, folder, environment);

  log(`code-server ${codeServerVersion}: server packages`);
  await npm(server, 'install', '--omit=dev', '--ignore-scripts');
  await npm(server, 'rebuild', 'argon2');

  log(`code-server ${codeServerVersion}: workbench packages`);
  await useReleasedWatcher(vscode);
  await npm(vscode, 'install', '--omit=dev', '--ignore-scripts');
  await npm(vscode, 'rebuild', '@vscode/spdlog', 'native-watchdog', 'node-pty', 'kerberos');
  await linkRipgrep(vscode);
  await symlink('node_modules', path.join(vscode, 'node_modules.asar'));

  log(`code-server ${codeServerVersion}: packages of the built-in extensions`);
  await npm(path.join(vscode, 'extensions'), 'install', '--omit=dev');
}

/** `npm pack`s a package and unpacks it so that its files lie in `folder` itself. */
async function unpack(spec: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const output = await run('npm', ['pack', '--json', spec], folder, npmEnvironment());
  const filename = (JSON.parse(output) as { filename: string }[])[0]?.filename;
  if (filename === undefined) throw new HostInstallError(`npm pack ${spec}`, output);
  const archive = path.join(folder, filename.replace('@', '').replace('/', '-'));
  await run('tar', ['-xf', archive, '--strip-components=1', '-C', folder], folder, process.env);
  await rm(archive);
}

/**
 * The workbench pins `@parcel/watcher` to a commit on a git host, which npm can't always reach. The release of the same
 * version is put in its place, together with the prebuilt binary for this machine.
 */
async function useReleasedWatcher(vscode: string): Promise<void> {
  const name = '@parcel/watcher';
  const binary = `${name}-linux-${process.arch}-glibc`;
  const manifestFile = path.join(vscode, 'package.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Manifest;
  manifest.dependencies[name] = watcherVersion;
  await writeFile(manifestFile, JSON.stringify(manifest, null, 2));

  const lockFile = path.join(vscode, 'npm-shrinkwrap.json');
  const lock = JSON.parse(await readFile(lockFile, 'utf8')) as Lockfile;
  const root = lock.packages[''] as (LockedPackage & Manifest) | undefined;
  const locked = lock.packages[`node_modules/${name}`];
  if (root === undefined || locked === undefined) throw new HostInstallError(`${name} in ${lockFile}`, '');
  root.dependencies[name] = watcherVersion;
  delete locked.resolved;
  locked.version = watcherVersion;
  locked.integrity = await integrityOf(name);
  locked.optionalDependencies = { [binary]: watcherVersion };
  lock.packages[`node_modules/${binary}`] = {
    version: watcherVersion,
    integrity: await integrityOf(binary),
    optional: true,
    os: ['linux'],
    cpu: [process.arch],
  };
  await writeFile(lockFile, JSON.stringify(lock, null, 2));
}

async function integrityOf(name: string): Promise<string> {
  const output = await run(
    'npm',
    ['view', `${name}@${watcherVersion}`, 'dist.integrity'],
    hostCache,
    npmEnvironment(),
  );
  return output.trim();
}

async function linkRipgrep(vscode: string): Promise<void> {
  const folder = path.join(vscode, 'node_modules', '@vscode', 'ripgrep', 'bin');
  const ripgrep = findProgram('rg');
  if (ripgrep === undefined) throw new HostInstallError('ripgrep', 'rg is not on PATH');
  await mkdir(folder, { recursive: true });
  await rm(path.join(folder, 'rg'), { force: true });
  await symlink(ripgrep, path.join(folder, 'rg'));
}

/**
 * The environment for npm: that of this process without what an outer `npm test` put in (its flags would apply to the
 * inner npm too), and with the unpacked Node first, whose headers serve native builds without a download.
 */
function npmEnvironment(nodeFolder?: string): NodeJS.ProcessEnv {
  const leaking =
    /^npm_(package_|lifecycle_|config_(local_prefix|user_agent|ignore_scripts|omit|include|global$|dry_run))/;
  const entries = Object.entries(process.env).filter(
    ([name]) => !leaking.test(name) && name !== 'NODE_OPTIONS',
  );
  const environment: NodeJS.ProcessEnv = {
    ...Object.fromEntries(entries),
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  if (nodeFolder === undefined) return environment;
  return {
    ...environment,
    PATH: [path.join(nodeFolder, 'bin'), process.env['PATH'] ?? ''].join(path.delimiter),
    npm_config_nodedir: nodeFolder,
    npm_config_build_from_source: 'true',
  };
}

/** Runs a program to its end and gives its stdout; throws with the end of its output when it fails. */
function run(
  program: string,
  args: string[],
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let everything = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      everything = tail(everything + chunk.toString());
    });
    child.stderr.on('data', (chunk: Buffer) => (everything = tail(everything + chunk.toString())));
    child.on('error', (error) => reject(new HostInstallError(`${program} ${args.join(' ')}`, error.message)));
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new HostInstallError(`${program} ${args.join(' ')} (exit ${code})`, everything));
    });
  });
}

function tail(text: string): string {
  return text.slice(-3000);
}

async function main(): Promise<void> {
  try {
    const files = await installCodeServer((line) => console.log(line));
    console.log(`code-server ${codeServerVersion}: ${path.relative(process.cwd(), files.root)}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) void main();
