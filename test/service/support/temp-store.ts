import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/contract/clock';
import { silentLog } from '../../../src/platform/log';
import { runtimeDirectory } from '../../../src/platform/runtime-directory';
import { Leadership, type LeadershipDeps } from '../../../src/service/leadership';

export interface TempStore {
  storageDir: string;
  runtimeDir: string;
}

/** A storage folder and its runtime directory, removed when the test is over. */
export async function tempStore(): Promise<TempStore> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'kl-'));
  const storageDir = path.join(base, 'global storage');
  const runtimeBase = path.join(base, 'run');
  await mkdir(storageDir, { mode: 0o700 });
  await mkdir(runtimeBase, { mode: 0o700 });
  onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const runtimeDir = await runtimeDirectory(storageDir, { env: { XDG_RUNTIME_DIR: runtimeBase } });
  return { storageDir, runtimeDir };
}

/** A window's leadership over that store; released when the test is over. */
export function leadershipOf(store: TempStore, more: Partial<LeadershipDeps> = {}): Leadership {
  const leadership = new Leadership({
    ...store,
    clock: systemClock,
    log: silentLog,
    version: '1.0.0',
    highestSegment: () => Promise.resolve(0),
    ...more,
  });
  onTestFinished(() => leadership.dispose());
  return leadership;
}
