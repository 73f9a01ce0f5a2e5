/**
 * Runs a program of the repository on a fresh clone as well as on a used one: packages are installed where
 * missing, `--build` brings dist/ up to date first. `node scripts/with-modules.mjs [--build] <file> [args…]`
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ensureModules, ensureNativeDatabase } from './modules.mjs';

const root = path.resolve(import.meta.dirname, '..');

function newestChange(folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (newest, entry) => Math.max(newest, statSync(path.join(entry.parentPath, entry.name)).mtimeMs),
      0,
    );
}

function isBuilt() {
  const stamp = path.join(root, 'dist', 'version.txt');
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  const sources = ['src', 'webview', 'media', 'package.json', 'scripts/build.mjs'];
  return sources.every((source) => {
    const full = path.join(root, source);
    if (!existsSync(full)) return true;
    return (statSync(full).isFile() ? statSync(full).mtimeMs : newestChange(full)) <= built;
  });
}

function build() {
  if (isBuilt()) return true;
  const done = spawnSync(process.execPath, [path.join(root, 'scripts', 'build.mjs')], {
    stdio: ['ignore', 2, 2],
  });
  return done.status === 0;
}

const args = process.argv.slice(2);
const wantsBuild = args[0] === '--build';
if (wantsBuild) args.shift();
const [file, ...rest] = args;
if (!file) throw new Error('Which program?');
if (!ensureModules()) {
  process.stderr.write('The packages could not be installed; nothing was run.\n');
  process.exit(1);
}
if (file.startsWith('eval/')) ensureNativeDatabase();
if (wantsBuild && !build()) process.exit(1);
const loader = file.endsWith('.ts') ? ['--import', 'tsx'] : [];
// A path given on the command line is relative to where npm was called.
const child = spawn(process.execPath, [...loader, path.join(root, file), ...rest], {
  stdio: 'inherit',
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
