import path from 'node:path';

/** Where things lie under the extension's global storage; nothing of ours lies outside it (pain 20). */
export interface StoragePaths {
  root: string;
  /** Images, journal, bodies and quarantine of the store. */
  store: string;
  /** Events that a hook or the MCP server could not hand over. */
  spool: string;
  /** Caches that can be built again: index, vectors. */
  cache: string;
  /** Launchers that hook files name. */
  bin: string;
  logs: string;
  /** Who leads: epoch, address, key. */
  leaderFile: string;
}

/** @param globalStorage absolute path of the folder that the host gives the extension. */
export function storagePaths(globalStorage: string): StoragePaths {
  const root = path.resolve(globalStorage);
  return {
    root,
    store: path.join(root, 'store'),
    spool: path.join(root, 'spool'),
    cache: path.join(root, 'cache'),
    bin: path.join(root, 'bin'),
    logs: path.join(root, 'logs'),
    leaderFile: path.join(root, 'leader.json'),
  };
}
