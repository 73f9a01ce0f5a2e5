import os from 'node:os';
import path from 'node:path';
import type { Clock } from '../contract/clock';
import { nodeFileSystem } from '../platform/file-system';
import { silentLog } from '../platform/log';
import { storagePaths } from '../platform/paths';
import { ProjectPathTable } from '../project/project-paths';
import { ProjectResolver } from '../project/project-resolver';
import { Store } from '../store/store';

export interface SnapshotOptions {
  storageDir: string;
  /** Holds `sql-wasm.wasm`. */
  bundleDir: string;
  clock: Clock;
}

/**
 * The store as it lies on the disk, opened read only and kept until its files change. Where there is none yet it
 * is empty.
 */
export class Snapshot {
  private opened: { store: Store; signature: string } | undefined;

  constructor(private readonly options: SnapshotOptions) {}

  /** The newest state; the same object as long as nothing changed. */
  async open(): Promise<Store> {
    const dir = storagePaths(this.options.storageDir).store;
    const signature = await signatureOf(dir);
    if (this.opened?.signature === signature) return this.opened.store;
    await this.close();
    const store = await Store.open({
      dir,
      fs: nodeFileSystem,
      wasm: path.join(this.options.bundleDir, 'sql-wasm.wasm'),
      epoch: 0,
      fence: () => false,
      clock: this.options.clock,
      log: silentLog,
      readOnly: true,
    });
    this.opened = { store, signature };
    return store;
  }

  async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    await opened?.store.close();
  }
}

/** Project of a folder by the store's own table of folders; a folder that it does not know is one of its own. */
export async function namespaceIn(store: Store, folder: string): Promise<string> {
  const resolver = new ProjectResolver({
    actorId: os.userInfo().username || 'user',
    home: os.homedir(),
    git: {
      locate: () => Promise.resolve(undefined),
      facts: () => Promise.reject(new Error('git is not asked')),
    },
    paths: new ProjectPathTable(store.projects.known()),
    isTrusted: () => true,
  });
  return (await resolver.resolve({ path: folder })).namespace;
}

/** Changes with every image and every frame of the journal. */
async function signatureOf(dir: string): Promise<string> {
  const names = await nodeFileSystem.readdir(dir).catch(() => []);
  const parts: string[] = [];
  for (const name of names.sort()) {
    const stat = await nodeFileSystem.stat(path.join(dir, name)).catch(() => undefined);
    if (stat?.kind === 'file') parts.push(`${name}:${stat.size}:${stat.modifiedMs}`);
  }
  return parts.join('|');
}
