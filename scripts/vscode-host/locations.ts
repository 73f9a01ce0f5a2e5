import * as path from 'node:path';

export const codeServerVersion = '4.105.1';
export const vscodeVersion = '1.105.1';
export const nodeVersion = '22.23.5';
export const watcherVersion = '2.5.1';

export const repositoryRoot = path.resolve(import.meta.dirname, '..', '..');
export const hostCache = path.join(repositoryRoot, '.cache', 'vscode-host');

/** Where the parts of an installed code-server lie below its folder. */
export interface CodeServerFiles {
  root: string;
  /** The Node binary that code-server has to run under. */
  node: string;
  /** code-server's entry script. */
  entry: string;
  stamp: string;
}

/** The paths of a code-server installed (or being installed) in `root`. Touches no disk. */
export function codeServerFiles(root: string = path.join(hostCache, codeServerVersion)): CodeServerFiles {
  return {
    root,
    node: path.join(root, 'node', 'bin', 'node'),
    entry: path.join(root, 'server', 'out', 'node', 'entry.js'),
    stamp: path.join(root, 'stamp.json'),
  };
}
