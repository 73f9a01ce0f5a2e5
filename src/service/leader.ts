import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../contract/clock';
import { DisposableStore, type Disposable } from '../contract/disposable';
import type { ApiParams } from '../contract/local-api';
import { newestPrompt } from '../capture/sessions/latest-prompt';
import { nodeFileSystem } from '../platform/file-system';
import { installationKey } from '../platform/installation';
import type { Log } from '../platform/log';
import { storagePaths } from '../platform/paths';
import { createGit } from '../project/git';
import { ProjectPathTable } from '../project/project-paths';
import { ProjectResolver } from '../project/project-resolver';
import { Extractor } from '../memory/extract/extractor';
import { CollectorApi } from '../pipeline/api/collector-api';
import { Collector } from '../pipeline/collector';
import { Jobs } from '../pipeline/jobs';
import { SessionImport } from '../pipeline/session-import';
import type { Embedder } from '../recall/embedding/embedder';
import { loadStaticTable } from '../recall/embedding/static-table';
import { Store } from '../store/store';
import type { CapturePolicy } from '../pipeline/capture-policy';
import { writeHookPolicy } from './hook-policy';
import { RetentionKeeper } from './retention-keeper';
import { recoveryProblems } from './recovery-problems';
import { drainSpool, spoolState } from './spool';
import { SessionFollower } from './session-follower';
import { Windows } from './windows';

export interface LeaderOptions {
  /** Global storage, absolute. */
  storageDir: string;
  /** Folder of the bundles: the wasm and the embedding table lie there. */
  distDir: string;
  epoch: number;
  fence(): boolean;
  home: string;
  actorId: string;
  hostName: string;
  version: string;
  clock: Clock;
  log: Log;
  isTrusted(folder: string): boolean;
  maxTokens(): number;
  /** False for batch work, which drains the buffer itself. */
  drainsByItself?: boolean;
  /** Whether Kiro's session files may be read; the user's consent. */
  sessionsConsent(): boolean;
}

/** Everything that the process which leads owns: store, collector, API, imports, the tail of session files. */
export class Leader implements Disposable {
  private readonly owned = new DisposableStore();

  private constructor(
    readonly store: Store,
    readonly collector: Collector,
    readonly api: CollectorApi,
    readonly sessions: SessionImport,
    private readonly options: LeaderOptions,
  ) {
    this.owned.register({ dispose: () => store.close() });
    this.owned.register(collector);
    this.owned.register(sessions);
  }

  /** Opens the store and makes the collector ready to answer. @throws StoreError */
  static async open(options: LeaderOptions): Promise<Leader> {
    const paths = storagePaths(options.storageDir);
    const { clock, log, version, epoch, actorId } = options;
    const store = await Store.open({
      dir: paths.store,
      fs: nodeFileSystem,
      wasm: path.join(options.distDir, 'sql-wasm.wasm'),
      epoch,
      fence: options.fence,
      clock,
      log,
    });
    const resolver = new ProjectResolver({
      actorId,
      home: options.home,
      git: createGit({ isTrusted: options.isTrusted }),
      paths: new ProjectPathTable(store.projects.known(), async (project, paths) => {
        await store.commit([{ op: 'project', project, paths }]);
      }),
      isTrusted: options.isTrusted,
    });
    const embedder = embedderOf(path.join(options.distDir, 'embedding'), log);
    const collector = new Collector({
      ...options,
      store,
      resolver,
      extractor: new Extractor(),
      ...(embedder ? { embedder } : {}),
      storePath: options.storageDir,
      fenceKey: await installationKey(options.storageDir),
      version,
      newestPrompt: async (sessionId, signal) =>
        options.sessionsConsent() ? newestPrompt(options.home, sessionId, signal) : undefined,
    });
    await collector.load();
    const follower = new SessionFollower({
      collector,
      home: options.home,
      clock,
      log,
      onNotRead: (sessionId, reason) => sessions.notReadable(sessionId, reason),
    });
    const windows = new Windows(collector.policy, () => {
      collector.board.changed();
      void follower.consent(windows.sessionsConsent).catch(() => undefined);
      const settings = windows.applicationSettings;
      if (settings) collector.modelSetup.configure(settings);
      collector.models.kick();
    });
    const jobs = new Jobs((event) => collector.board.emit(event));
    const sessions = new SessionImport({ collector, home: options.home, clock, log, jobs });
    const api = new CollectorApi(collector, {
      jobs,
      findSessions: (workspace) => sessions.find(workspace),
      importSessions: (workspace, dryRun) => sessions.start(workspace, dryRun),
      sessionsNotRead: () => sessions.notRead(),
      spool: () => spoolState(paths.spool),
      setWindow: (window) => windows.set(window),
    });
    const leader = new Leader(store, collector, api, sessions, options);
    leader.owned.register(follower);
    leader.owned.register(
      new RetentionKeeper({ store, clock, log, settings: () => windows.applicationSettings }),
    );
    leader.owned.register(keepHookPolicy(options.storageDir, collector.policy, log));
    leader.tellRecovery();
    return leader;
  }

  /** Takes in what hooks had to leave in the spool, in order, each once. */
  async drainSpool(): Promise<number> {
    const { spool } = storagePaths(this.options.storageDir);
    return drainSpool(spool, async (draft) => {
      if (!(await this.collector.agentRequests.take(draft))) await this.collector.capture([draft]);
    });
  }

  /** What the window of this process says of its folders. */
  setWindow(window: ApiParams<'window'>): void {
    void this.api.call('window', window).catch(() => undefined);
  }

  private tellRecovery(): void {
    const at = new Date(this.options.clock.now()).toISOString();
    for (const problem of recoveryProblems(this.store.report)) {
      this.collector.board.problem({ ...problem, at });
    }
  }

  async dispose(): Promise<void> {
    await this.owned.dispose();
  }
}

/** What hooks go by where nobody answers them; written in order, the latest state last. */
function keepHookPolicy(storageDir: string, policy: CapturePolicy, log: Log): Disposable {
  let writing = Promise.resolve();
  const write = () => {
    writing = writing
      .then(() => writeHookPolicy(storageDir, policy.snapshot()))
      .catch((error: unknown) => {
        log.warn(
          'hooks',
          `the policy for hooks could not be written: ${error instanceof Error ? error.name : ''}`,
        );
      });
  };
  write();
  return policy.onDidChange(write);
}

/** Recall works without the table, by words alone. */
function embedderOf(folder: string, log: Log): Embedder | undefined {
  if (!existsSync(folder)) return undefined;
  try {
    return loadStaticTable(folder);
  } catch (error) {
    log.warn(
      'recall',
      `the embedding table could not be read: ${error instanceof Error ? error.name : 'error'}`,
    );
    return undefined;
  }
}
