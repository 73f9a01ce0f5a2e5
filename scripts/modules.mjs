/** Installs the packages of package.json where they are missing or outdated. Says so on stderr: stdout is the caller's. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

function readJson(...parts) {
  return JSON.parse(readFileSync(path.join(root, ...parts), 'utf8'));
}

function stalePackages() {
  const { dependencies = {}, devDependencies = {} } = readJson('package.json');
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name, version]) => {
      const manifest = path.join('node_modules', name, 'package.json');
      return !existsSync(path.join(root, manifest)) || readJson(manifest).version !== version;
    })
    .map(([name]) => name);
}

function npm(...args) {
  const shell = process.platform === 'win32';
  return spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell }).status === 0;
}

/** @returns false where the packages could not be installed */
export function ensureModules() {
  const stale = stalePackages();
  if (stale.length === 0) return true;
  process.stderr.write(`Installing packages (npm ci): ${stale.length} missing or outdated.\n`);
  return npm('ci', '--no-audit', '--no-fund', '--ignore-scripts');
}

/** Builds the native database that evaluations compare with; they say so where it stays unbuilt. */
export function ensureNativeDatabase() {
  const built = path.join(root, 'node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');
  if (!existsSync(built)) npm('rebuild', 'better-sqlite3');
}
