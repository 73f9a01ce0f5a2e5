import { accessSync, constants } from 'node:fs';
import { spawnSync } from 'node:child_process';
import * as path from 'node:path';

/** Thrown when the machine lacks what a test host needs; the message names every missing Debian package. */
export class MissingPackagesError extends Error {
  constructor(readonly packages: readonly string[]) {
    super(
      `the VS Code test host needs Debian packages that are missing: ${packages.join(' ')}\n` +
        `install them as root: apt-get install -y ${packages.join(' ')}`,
    );
    this.name = 'MissingPackagesError';
  }
}

/** The absolute path of a program on PATH, or undefined. `names` are tried in order. */
export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  for (const name of names) {
    for (const folder of folders) {
      const candidate = path.join(folder, name);
      try {
        accessSync(candidate, constants.X_OK);
        return candidate;
      } catch {
        continue;
      }
    }
  }
  return undefined;
}

/** The browser that shows the workbench: `CHROMIUM_PATH` if set, else Debian's Chromium or a Chrome on PATH. */
export function findChromium(): string | undefined {
  return process.env['CHROMIUM_PATH'] ?? findProgram('chromium', 'chromium-browser', 'google-chrome');
}

function hasKerberosHeaders(): boolean {
  return spawnSync('pkg-config', ['--exists', 'krb5-gssapi']).status === 0;
}

/** Throws {@link MissingPackagesError} unless everything that *running* code-server needs is there. */
export function requireRunPackages(): void {
  const missing: string[] = [];
  if (findChromium() === undefined) missing.push('chromium');
  if (findProgram('rg') === undefined) missing.push('ripgrep');
  if (findProgram('git') === undefined) missing.push('git');
  if (missing.length > 0) throw new MissingPackagesError(missing);
}

/** Throws {@link MissingPackagesError} unless everything that *building* code-server needs is there. */
export function requireBuildPackages(): void {
  const missing: string[] = [];
  if (findProgram('rg') === undefined) missing.push('ripgrep');
  if (findProgram('make') === undefined || findProgram('g++') === undefined) missing.push('build-essential');
  if (findProgram('python3') === undefined) missing.push('python3');
  if (findProgram('pkg-config') === undefined) missing.push('pkg-config', 'libkrb5-dev');
  else if (!hasKerberosHeaders()) missing.push('libkrb5-dev');
  if (missing.length > 0) throw new MissingPackagesError(missing);
}
