import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { readSettings } from '../settings';
import { readKiroVersion, type HostIdentity } from './dialect';

/** What this window's host is, by its own account and by what lies in the home folder. */
export async function hostIdentity(home: string): Promise<HostIdentity> {
  const texts = await Promise.all(
    ['product.json', 'package.json'].map((name) =>
      fs.readFile(path.join(vscode.env.appRoot, name), 'utf8').catch(() => undefined),
    ),
  );
  const kiroVersion = readKiroVersion(texts, vscode.version);
  const kiroHome = await fs.stat(path.join(home, '.kiro')).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
  return {
    appName: vscode.env.appName,
    uriScheme: vscode.env.uriScheme,
    baseVersion: vscode.version,
    ...(kiroVersion === undefined ? {} : { kiroVersion }),
    kiroHome,
    setting: readSettings().hookDialect,
  };
}
