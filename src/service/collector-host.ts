import { mkdir } from 'node:fs/promises';
import type { Clock } from '../contract/clock';
import { DisposableStore, type Disposable } from '../contract/disposable';
import { ApiError, type ApiMethod, type LocalApi, type StreamEvent } from '../contract/local-api';
import type { HostMessage, WindowFolder, WorkerData, WorkerMessage } from '../contract/worker-messages';
import type { Log } from '../platform/log';
import { writeLauncher } from '../platform/launcher';
import { storagePaths } from '../platform/paths';
import { DIRECTORY_MODE, nodeFileSystem } from '../platform/file-system';
import { runtimeDirectory } from '../platform/runtime-directory';
import { Store } from '../store/store';
import { ApiClient } from './client';
import { Leader } from './leader';
import { watchSpool } from './spool';
import { ForeignLeaderError, Leadership, type Leading } from './leadership';
import { ApiServer } from './server';
import { compareVersions } from './version';
import { WindowModel } from './window-model';

interface CollectorHostDeps extends WorkerData {
  clock: Clock;
  log: Log;
  post(message: WorkerMessage): void;
}

type FoldersMessage = Extract<HostMessage, { to: 'folders' }>;

const READY_WAIT_MS = 15_000;
const STILL_STARTING = 'The memory store is still starting. Try again in a moment.';
const RETRY_MS = [200, 500, 1000, 5000, 30_000];

/**
 * The collector of one window: leads, or follows the window that does, and takes over when that one goes.
 * Whatever the role, it answers the local API on the window's message port.
 */
export class CollectorHost implements Disposable {
  private readonly leadership: Promise<Leadership>;
  private api: LocalApi | undefined;
  private role: DisposableStore | undefined;
  private leader: Leader | undefined;
  private window: FoldersMessage | undefined;
  private modelKey = '';
  private readonly windowModel: WindowModel;
  private waiting: (() => void)[] = [];
  private disposed = false;
  private failures = 0;
  private silentEpoch: number | undefined;
  /** Why no store can be opened, where a person can do something about it. */
  private startError: string | undefined;
  private retry: NodeJS.Timeout | undefined;

  constructor(private readonly deps: CollectorHostDeps) {
    this.leadership = this.makeLeadership();
    this.windowModel = new WindowModel({
      allowed: () => this.setting()?.modelProvider === 'vscode',
      api: () => this.api,
      post: (message) => this.deps.post(message),
    });
  }

  start(): void {
    void this.takeRole();
    void writeLauncher({ storageDir: this.deps.storageDir, distDir: this.deps.distDir }).catch(
      (error: unknown) => {
        const why = error instanceof Error ? error.message : 'unknown error';
        this.deps.log.error('hooks', `the hook program could not be written: ${why}`);
      },
    );
  }

  receive(message: Exclude<HostMessage, { to: 'shutdown' }>): void {
    switch (message.to) {
      case 'call':
        void this.answer(message.id, message.method, message.params);
        return;
      case 'folders':
        this.window = message;
        this.pushWindow();
        return;
      case 'model_reply':
        this.windowModel.reply(message);
        return;
      case 'model_key':
        this.modelKey = message.key;
        void this.api?.call('modelKey', { key: message.key }).catch(() => undefined);
        return;
    }
  }

  private async makeLeadership(): Promise<Leadership> {
    const { storageDir, clock, log, version } = this.deps;
    const { store } = storagePaths(storageDir);
    await mkdir(storageDir, { recursive: true, mode: DIRECTORY_MODE });
    const leadership = new Leadership({
      storageDir,
      runtimeDir: await runtimeDirectory(storageDir),
      clock,
      log,
      version,
      highestSegment: async () => (await Store.nextEpoch(nodeFileSystem, store)) - 1,
    });
    leadership.onDidLose(() => this.again('leadership was lost'));
    return leadership;
  }

  private async takeRole(): Promise<void> {
    try {
      const leadership = await this.leadership;
      const { silentEpoch } = this;
      this.silentEpoch = undefined;
      const role = await leadership.acquire(silentEpoch === undefined ? {} : { silentEpoch });
      if (this.disposed) return;
      if (role.role === 'leader') await this.lead(role, leadership);
      else await this.follow();
      this.failures = 0;
      this.deps.post({ from: 'ready', role: role.role });
      for (const resume of this.waiting.splice(0)) resume();
      this.tell({ stream: 'resync' });
    } catch (error) {
      const name = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error';
      this.deps.log.error('collector', `could not start: ${name}`);
      this.startError = error instanceof ForeignLeaderError ? error.message : undefined;
      this.again('start failed');
    }
  }

  private async lead(role: Leading, leadership: Leadership): Promise<void> {
    const { deps } = this;
    const owned = new DisposableStore();
    this.role = owned;
    const leader = owned.register(
      await Leader.open({
        ...deps,
        epoch: role.epoch,
        fence: role.fence,
        isTrusted: (folder) => this.isTrusted(folder),
        maxTokens: () => this.setting()?.injectionMaxTokens ?? 1200,
        sessionsConsent: () => this.window?.sessionsConsent ?? false,
      }),
    );
    this.leader = leader;
    owned.register(
      new ApiServer({
        server: role.server,
        key: role.info.key,
        api: leader.api,
        hooks: { handle: (event, frame, signal) => leader.collector.handleHook(event, frame, signal) },
        version: deps.version,
        log: deps.log,
        onHandOver: (version) => {
          void leadership.release(version).then(() => this.again('handed over'));
        },
      }),
    );
    this.api = leader.api;
    owned.register(leader.api.subscribe((event) => this.tell(event)));
    this.pushWindow();
    this.pushModelKey();
    await leader.drainSpool();
    owned.register(watchSpool(this.deps.storageDir, () => void leader.drainSpool().catch(() => undefined)));
  }

  private async follow(): Promise<void> {
    const owned = new DisposableStore();
    this.role = owned;
    const client = owned.register(new ApiClient({ storageDir: this.deps.storageDir, log: this.deps.log }));
    client.onDidLoseLeader(() => this.again('the leader went away'));
    client.onDidFindSilent((epoch) => {
      this.silentEpoch = epoch;
      this.again('the leader is silent');
    });
    const leader = await client.connect();
    if (compareVersions(leader.version, this.deps.version) < 0) await client.askHandOver(this.deps.version);
    this.api = client;
    owned.register(client.subscribe((event) => this.tell(event)));
    this.pushWindow();
    this.pushModelKey();
  }

  /** Gives up the role and takes one again, with growing delays while that fails. */
  private again(reason: string): void {
    if (this.disposed || this.retry) return;
    this.deps.log.info('collector', `takes a role again: ${reason}`);
    const { role } = this;
    this.role = undefined;
    this.api = undefined;
    this.leader = undefined;
    const delay =
      reason === 'start failed' ? (RETRY_MS[Math.min(this.failures++, RETRY_MS.length - 1)] ?? 0) : 0;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      void Promise.resolve(role?.dispose())
        .catch(() => undefined)
        .then(() => this.takeRole());
    }, delay);
  }

  private async answer(id: number, method: string, params: unknown): Promise<void> {
    try {
      const api = await this.ready();
      const result = await api.call(method as ApiMethod, params as never);
      this.deps.post({ from: 'result', id, result });
    } catch (error) {
      const known = error instanceof ApiError ? error : undefined;
      if (!known) {
        this.deps.log.error('api', `${method} failed: ${error instanceof Error ? error.name : 'error'}`);
      }
      this.deps.post({
        from: 'result',
        id,
        error: {
          code: known?.code ?? 'internal',
          message: known?.message ?? 'kiro-learn could not do this. Nothing was lost; the log says more.',
        },
      });
    }
  }

  private ready(): Promise<LocalApi> {
    if (this.api) return Promise.resolve(this.api);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new ApiError('unavailable', this.startError ?? STILL_STARTING)),
        READY_WAIT_MS,
      );
      this.waiting.push(() => {
        clearTimeout(timer);
        if (this.api) resolve(this.api);
        else reject(new ApiError('unavailable', 'The memory store is not available.'));
      });
    });
  }

  private tell(event: StreamEvent): void {
    if (this.windowModel.hears(event)) return;
    this.deps.post({ from: 'stream', event });
  }

  /** Folder settings belong to the window; the collector keeps the last known. */
  private pushWindow(): void {
    const { window } = this;
    if (!window) return;
    if (this.leader) {
      this.leader.setWindow(forWire(this.deps.windowId, window));
    } else {
      void this.api?.call('window', forWire(this.deps.windowId, window)).catch(() => undefined);
    }
  }

  /** The key stays in memory, here and where the model is asked. */
  private pushModelKey(): void {
    if (this.modelKey) void this.api?.call('modelKey', { key: this.modelKey }).catch(() => undefined);
  }

  private setting(): WindowFolder['settings'] | undefined {
    return this.window?.folders[0]?.settings;
  }

  private isTrusted(folder: string): boolean {
    const known = this.window?.folders.find((candidate) => folder.startsWith(candidate.path));
    return known?.trusted ?? true;
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    clearTimeout(this.retry);
    await this.role?.dispose();
    await (await this.leadership).dispose();
  }
}

function forWire(windowId: string, window: FoldersMessage) {
  return {
    window_id: windowId,
    folders: window.folders,
    sessions_consent: window.sessionsConsent,
    paused: window.paused,
  };
}
