import type { Disposable } from '../contract/disposable';
import {
  ApiError,
  LOCAL_API,
  streamEventSchema,
  type ApiMethod,
  type ApiParams,
  type ApiResult,
  type LocalApi,
  type StreamEvent,
} from '../contract/local-api';
import type { HostMessage, WorkerMessage } from '../contract/worker-messages';
import type { Log } from '../platform/log';

/** The part of a `worker_threads` worker that the client uses. */
export interface WorkerPort {
  postMessage(message: HostMessage): void;
  on(event: 'message', listener: (message: WorkerMessage) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  terminate(): Promise<unknown>;
}

export interface ModelRequest {
  system: string;
  prompt: string;
  maxTokens: number;
}

export interface CollectorClientOptions {
  start: () => WorkerPort;
  log: Log;
  /** Asks the window's language model; rejects with a message that may be shown. */
  answerModel: (request: ModelRequest) => Promise<string>;
  /** Delays before the n-th restart in a row, milliseconds; the last one repeats. */
  restartDelays?: readonly number[];
  /** How long a call waits for a worker that is being (re)started, milliseconds. */
  readyWaitMs?: number;
}

export type FoldersMessage = Extract<HostMessage, { to: 'folders' }>;

interface PendingCall {
  method: ApiMethod;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

const API_CODES = ['bad_request', 'not_found', 'read_only', 'paused', 'unavailable', 'internal'] as const;
type ApiCode = (typeof API_CODES)[number];

const defaultDelays = [500, 1000, 2000, 5000, 15_000, 60_000];
/** A worker that held out this long starts with the shortest delay again. */
const stableAfterMs = 60_000;
const shutdownGraceMs = 250;
const maxWaiting = 500;

/**
 * The window's way to its collector: starts the worker, restarts it with growing delays when it dies, and
 * offers the local API over its message port. Nothing here blocks; every call settles.
 */
export class CollectorClient implements LocalApi, Disposable {
  private readonly pending = new Map<number, PendingCall>();
  private readonly listeners = new Set<(event: StreamEvent) => void>();
  private readonly lifeListeners = new Set<(life: CollectorLife) => void>();
  private readonly waiting = new Set<{ resume: () => void; fail: (error: Error) => void }>();
  private port: WorkerPort | undefined;
  private nextId = 1;
  private failures = 0;
  private startedAt = 0;
  private restartTimer: NodeJS.Timeout | undefined;
  private folders: FoldersMessage | undefined;
  private modelKey = '';
  private disposed = false;
  private currentLife: CollectorLife = { life: 'starting' };

  constructor(private readonly options: CollectorClientOptions) {}

  get life(): CollectorLife {
    return this.currentLife;
  }

  start(): void {
    if (this.port !== undefined || this.disposed) return;
    this.clearRestart();
    this.startedAt = Date.now();
    this.setLife({ life: 'starting' });
    let port: WorkerPort;
    try {
      port = this.options.start();
    } catch (error) {
      this.ended(undefined, error instanceof Error ? error.message : String(error));
      return;
    }
    this.port = port;
    let reason = '';
    port.on('message', (message) => {
      if (port === this.port) this.receive(message);
    });
    port.on('error', (error) => {
      reason = error.message;
      this.options.log.error('collector', `worker failed: ${error.name}`);
    });
    port.on('exit', (code) => this.ended(port, reason || `exit code ${code}`));
    if (this.folders !== undefined) port.postMessage(this.folders);
    if (this.modelKey !== '') port.postMessage({ to: 'model_key', key: this.modelKey });
  }

  /** Ends the running worker, if any, and starts a new one at once. */
  async restart(): Promise<void> {
    const old = this.port;
    this.port = undefined;
    this.failures = 0;
    this.failPending();
    if (old !== undefined) {
      old.postMessage({ to: 'shutdown' });
      await waitAtMost(new Promise((resolve) => old.on('exit', () => resolve(undefined))), 2000);
      await old.terminate();
    }
    this.start();
  }

  /** Tells the worker which folders this window has; told again to every new worker. */
  setFolders(folders: Omit<FoldersMessage, 'to'>): void {
    this.folders = { to: 'folders', ...folders };
    this.port?.postMessage(this.folders);
  }

  /** Gives the worker the key of the model's endpoint, '' for none; given again to every new worker. */
  setModelKey(key: string): void {
    if (key === this.modelKey) return;
    this.modelKey = key;
    this.port?.postMessage({ to: 'model_key', key });
  }

  async call<M extends ApiMethod>(method: M, params: ApiParams<M>): Promise<ApiResult<M>> {
    await this.whenReady();
    const port = this.port;
    if (port === undefined) throw unavailable();
    const id = this.nextId++;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.pending.set(id, { method, resolve, reject });
    });
    port.postMessage({ to: 'call', id, method, params });
    return (await answer) as ApiResult<M>;
  }

  subscribe(listener: (event: StreamEvent) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Follows starts, crashes and restarts of the worker. */
  onLife(listener: (life: CollectorLife) => void): { dispose(): void } {
    this.lifeListeners.add(listener);
    return { dispose: () => void this.lifeListeners.delete(listener) };
  }

  async dispose(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    this.clearRestart();
    const port = this.port;
    this.port = undefined;
    this.failPending();
    this.failWaiting();
    this.listeners.clear();
    this.lifeListeners.clear();
    if (port === undefined) return;
    const gone = new Promise((resolve) => port.on('exit', () => resolve(undefined)));
    port.postMessage({ to: 'shutdown' });
    await waitAtMost(gone, shutdownGraceMs);
    await port.terminate();
  }

  private whenReady(): Promise<void> {
    if (this.disposed) return Promise.reject(unavailable());
    if (this.currentLife.life === 'ready') return Promise.resolve();
    if (this.waiting.size >= maxWaiting) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      const entry = {
        resume: () => settle(resolve),
        fail: (error: Error) => settle(() => reject(error)),
      };
      const timer = setTimeout(() => entry.fail(unavailable()), this.options.readyWaitMs ?? 10_000);
      const settle = (done: () => void) => {
        clearTimeout(timer);
        this.waiting.delete(entry);
        done();
      };
      this.waiting.add(entry);
    });
  }

  private receive(message: WorkerMessage): void {
    switch (message.from) {
      case 'result':
        this.settleCall(message);
        break;
      case 'stream':
        this.streamed(message.event);
        break;
      case 'ready':
        this.becameReady(message.role);
        break;
      case 'model_request':
        void this.answerModel(message);
        break;
      case 'log':
        this.options.log[message.level](message.component, message.message);
        break;
    }
  }

  private settleCall(message: Extract<WorkerMessage, { from: 'result' }>): void {
    const call = this.pending.get(message.id);
    if (call === undefined) return;
    this.pending.delete(message.id);
    if (message.error !== undefined) {
      call.reject(new ApiError(apiCode(message.error.code), message.error.message));
      return;
    }
    const parsed = LOCAL_API[call.method].result.safeParse(message.result);
    if (parsed.success) call.resolve(parsed.data);
    else {
      const where = parsed.error.issues[0]?.path.join('.') ?? '';
      this.options.log.error('collector', `${call.method}: the answer has another form at "${where}"`);
      call.reject(new ApiError('internal', `The collector's answer to ${call.method} could not be read.`));
    }
  }

  private streamed(raw: unknown): void {
    const parsed = streamEventSchema.safeParse(raw);
    if (parsed.success) this.emit(parsed.data);
    else this.options.log.warn('collector', 'a stream event of unknown form was passed over');
  }

  private becameReady(role: 'leader' | 'follower'): void {
    const again = this.currentLife.life === 'ready';
    this.options.log.info('collector', `ready as ${role}`);
    this.setLife({ life: 'ready', role });
    for (const entry of [...this.waiting]) entry.resume();
    if (again || this.failures > 0) this.emit({ stream: 'resync' });
  }

  private async answerModel(message: Extract<WorkerMessage, { from: 'model_request' }>): Promise<void> {
    const port = this.port;
    let reply: HostMessage;
    try {
      const { system, prompt, maxTokens } = message;
      const text = await this.options.answerModel({ system, prompt, maxTokens });
      reply = { to: 'model_reply', id: message.id, text };
    } catch (error) {
      reply = {
        to: 'model_reply',
        id: message.id,
        error: error instanceof Error ? error.message : String(error),
      };
    }
    if (port !== undefined && port === this.port) port.postMessage(reply);
  }

  private ended(port: WorkerPort | undefined, reason: string): void {
    if (port !== this.port || this.disposed) return;
    this.port = undefined;
    this.failPending();
    if (Date.now() - this.startedAt > stableAfterMs) this.failures = 0;
    const delays = this.options.restartDelays ?? defaultDelays;
    const delay = delays[Math.min(this.failures, delays.length - 1)] ?? 60_000;
    this.failures += 1;
    this.options.log.warn('collector', `worker ended (${reason}); next start in ${delay} ms`);
    this.setLife({ life: 'crashed', reason, failures: this.failures, retryInMs: delay });
    this.restartTimer = setTimeout(() => this.start(), delay);
  }

  private emit(event: StreamEvent): void {
    for (const listener of [...this.listeners]) listener(event);
  }

  private setLife(life: CollectorLife): void {
    this.currentLife = life;
    for (const listener of [...this.lifeListeners]) listener(life);
  }

  private failPending(): void {
    const calls = [...this.pending.values()];
    this.pending.clear();
    for (const call of calls) call.reject(unavailable());
  }

  private failWaiting(): void {
    for (const entry of [...this.waiting]) entry.fail(unavailable());
  }

  private clearRestart(): void {
    clearTimeout(this.restartTimer);
    this.restartTimer = undefined;
  }
}

/** What the worker is doing, as this window sees it. */
export type CollectorLife =
  | { life: 'starting' }
  | { life: 'ready'; role: 'leader' | 'follower' }
  | { life: 'crashed'; reason: string; failures: number; retryInMs: number };

function unavailable(): ApiError {
  return new ApiError('unavailable', 'The collector is not running.');
}

function apiCode(code: string): ApiCode {
  return API_CODES.find((known) => known === code) ?? 'internal';
}

function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
