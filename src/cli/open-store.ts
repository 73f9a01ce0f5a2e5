import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '../contract/clock';
import { DisposableStore, type Disposable } from '../contract/disposable';
import type { LocalApi } from '../contract/local-api';
import { DIRECTORY_MODE, nodeFileSystem } from '../platform/file-system';
import type { Log } from '../platform/log';
import { storagePaths } from '../platform/paths';
import { runtimeDirectory } from '../platform/runtime-directory';
import { ApiClient } from '../service/client';
import { Leader } from '../service/leader';
import { Leadership } from '../service/leadership';
import { ApiServer } from '../service/server';
import { Store } from '../store/store';
import { UsageError } from './arguments';

const VERSION = process.env['KIRO_LEARN_VERSION'] ?? '0.0.0';

/** A store that this process leads, or one that a window leads and that is asked through its socket. */
export interface OpenedStore extends Disposable {
  api: LocalApi;
  /** Undefined while a window leads. */
  leader: Leader | undefined;
  storageDir: string;
  /** Resolves when no hook run is being answered: a hook may leave before what it sent is stored. */
  settled(): Promise<void>;
}

export interface OpenOptions {
  log: Log;
  /** Folder of the bundles and the wasm. */
  distDir: string;
  /** Folder whose `.kiro/sessions` may be read; none where absent. */
  home?: string;
  /** Serve hooks on the socket while the store is open. */
  serves?: boolean;
}

/** Opens the store in `dir`, made where there is none. */
export async function openStore(dir: string, options: OpenOptions): Promise<OpenedStore> {
  const storageDir = path.resolve(dir);
  const { log } = options;
  await mkdir(storageDir, { recursive: true, mode: DIRECTORY_MODE });
  const owned = new DisposableStore();
  const leadership = owned.register(
    new Leadership({
      storageDir,
      runtimeDir: await runtimeDirectory(storageDir),
      clock: systemClock,
      log,
      version: VERSION,
      highestSegment: () => highestStored(storageDir),
    }),
  );
  const role = await leadership.acquire();
  if (role.role === 'follower') {
    const client = owned.register(new ApiClient({ storageDir, log }));
    await client.connect();
    const settled = () => Promise.resolve();
    return { api: client, leader: undefined, storageDir, settled, dispose: () => owned.dispose() };
  }
  const leader = owned.register(
    await Leader.open({
      storageDir,
      distDir: options.distDir,
      epoch: role.epoch,
      fence: role.fence,
      home: options.home ?? path.join(storageDir, 'no-home'),
      actorId: os.userInfo().username || 'user',
      hostName: os.hostname(),
      version: VERSION,
      clock: systemClock,
      log,
      isTrusted: () => true,
      maxTokens: () => 1200,
      drainsByItself: false,
      sessionsConsent: () => options.home !== undefined,
    }),
  );
  await leader.drainSpool();
  const running = new Set<Promise<string>>();
  if (options.serves) {
    owned.register(
      new ApiServer({
        server: role.server,
        key: role.info.key,
        api: leader.api,
        hooks: {
          handle: (event, frame, signal) => {
            const answer = leader.collector.handleHook(event, frame, signal);
            running.add(answer);
            void answer.catch(() => undefined).finally(() => running.delete(answer));
            return answer;
          },
        },
        version: VERSION,
        log,
      }),
    );
  }
  const settled = async () => void (await Promise.allSettled(running));
  return { api: leader.api, leader, storageDir, settled, dispose: () => owned.dispose() };
}

/** @throws UsageError where a window leads the store: this command changes it as a whole. */
export function mustLead(opened: OpenedStore): Leader {
  if (opened.leader) return opened.leader;
  throw new UsageError('An IDE window has this store open. Close it, or name another --store.');
}

async function highestStored(storageDir: string): Promise<number> {
  return (await Store.nextEpoch(nodeFileSystem, storagePaths(storageDir).store)) - 1;
}
