import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { systemClock, type Clock } from '../../src/contract/clock';
import type { Disposable } from '../../src/contract/disposable';
import { Extractor } from '../../src/memory/extract/extractor';
import { Collector } from '../../src/pipeline/collector';
import { Jobs } from '../../src/pipeline/jobs';
import { SessionImport } from '../../src/pipeline/session-import';
import { nodeFileSystem } from '../../src/platform/file-system';
import { silentLog } from '../../src/platform/log';
import { createGit } from '../../src/project/git';
import { ProjectPathTable } from '../../src/project/project-paths';
import { ProjectResolver } from '../../src/project/project-resolver';
import { Store } from '../../src/store/store';

export interface TestCollector extends Disposable {
  collector: Collector;
  store: Store;
  sessions: SessionImport;
  dir: string;
}

export interface TestCollectorOptions {
  dir?: string;
  clock?: Clock;
  epoch?: number;
  /** Keep the folder when disposed, for a second opening. */
  keep?: boolean;
}

/** A collector over a real store in a temporary folder, as the leader makes it. */
export async function openTestCollector(options: TestCollectorOptions = {}): Promise<TestCollector> {
  const dir = options.dir ?? mkdtempSync(path.join(os.tmpdir(), 'kiro-learn-test-'));
  const clock = options.clock ?? systemClock;
  const store = await Store.open({
    dir: path.join(dir, 'store'),
    fs: nodeFileSystem,
    wasm: createRequire(__filename).resolve('sql.js/dist/sql-wasm.wasm'),
    epoch: options.epoch ?? 1,
    fence: () => true,
    clock,
    log: silentLog,
  });
  const paths = new ProjectPathTable(store.projects.known(), async (project, keys) => {
    await store.commit([{ op: 'project', project, paths: keys }]);
  });
  const resolver = new ProjectResolver({
    actorId: 'tester',
    home: path.join(dir, 'home'),
    git: createGit({ isTrusted: () => true }),
    paths,
    isTrusted: () => true,
  });
  const collector = new Collector({
    store,
    resolver,
    extractor: new Extractor(),
    clock,
    log: silentLog,
    home: path.join(dir, 'home'),
    actorId: 'tester',
    version: '0.0.0-test',
    epoch: options.epoch ?? 1,
    storePath: dir,
    hostName: 'test-host',
    fenceKey: 'testkey0',
    maxTokens: () => 1200,
    newestPrompt: () => Promise.resolve(undefined),
    drainsByItself: false,
  });
  await collector.load();
  const jobs = new Jobs((event) => collector.board.emit(event));
  const sessions = new SessionImport({
    collector,
    home: path.join(dir, 'home'),
    clock,
    log: silentLog,
    jobs,
  });
  const dispose = async () => {
    jobs.dispose();
    sessions.dispose();
    await collector.dispose();
    await store.close();
    if (!options.keep) rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  return { collector, store, sessions, dir, dispose };
}
