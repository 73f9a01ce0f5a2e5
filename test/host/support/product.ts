import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../../../scripts/vscode-host/locations';

interface Manifest {
  name: string;
  publisher: string;
  version: string;
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')) as Manifest;
}

/** `<publisher>.<name>` of the product. */
export function productId(): string {
  const { publisher, name } = manifest();
  return `${publisher}.${name}`;
}

/** The package that `npm run package` made for the present version; undefined where it was not run. */
export function productVsix(): string | undefined {
  const dist = path.join(repositoryRoot, 'dist');
  let names: string[];
  try {
    names = readdirSync(dist);
  } catch {
    return undefined;
  }
  const { name, version } = manifest();
  const found = names.find(
    (file) => file.endsWith('.vsix') && file.startsWith(name) && file.includes(version),
  );
  return found === undefined ? undefined : path.join(dist, found);
}
