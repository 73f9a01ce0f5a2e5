/** Builds (through vscode:prepublish) and packs `dist/kiro-learn-<version>.vsix`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');

function run(...command: [string, ...string[]]): void {
  const [program, ...args] = command;
  const done = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

for (const old of existsSync(dist) ? readdirSync(dist) : []) {
  if (old.endsWith('.vsix')) rmSync(path.join(dist, old));
}
mkdirSync(dist, { recursive: true });
run(process.execPath, 'node_modules/@vscode/vsce/vsce', 'package', '--no-dependencies', '--out', 'dist/');
