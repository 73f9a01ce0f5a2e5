import { setTimeout as delay } from 'node:timers/promises';
import type { Disposable } from '../contract/disposable';
import {
  ApiError,
  streamEventSchema,
  type ApiMethod,
  type ApiParams,
  type ApiResult,
  type LocalApi,
  type StreamEvent,
} from '../contract/local-api';
import type { Log } from '../platform/log';
import {
  ConnectionLostError,
  LeaderConnection,
  LeaderGoneError,
  LeaderSilentError,
} from './leader-connection';
import type { Reply } from './leader-connection';
import type { LeaderInfo } from './leader-info';
import { LeaderWatch } from './leader-watch';
import { readLines } from './ndjson';

export interface ApiClientDeps {
  storageDir: string;
  log: Log;
  /** How long a call waits for somebody to lead, milliseconds. */
  leaderWaitMs?: number;
  /** After this long without an answer a leader is silent, milliseconds. */
  silentAfterMs?: number;
}

/** Carried out twice they do what once does, so a call whose answer was lost is sent again. */
const repeatable: ReadonlySet<ApiMethod> = new Set<ApiMethod>([
  'status',
  'projects',
  'resolveProject',
  'listEvents',
  'getEvent',
  'listMemories',
  'getMemory',
  'timeline',
  'saveObservation',
  'answerModelRequest',
  'modelKey',
  'search',
  'listInjections',
  'insights',
  'health',
  'findSessions',
  'exportMemories',
  'stats',
  'capture',
  'forgetMemories',
  'restoreMemories',
  'pinMemories',
  'pause',
  'window',
]);

const codes = ['bad_request', 'not_found', 'read_only', 'paused', 'unavailable', 'internal'] as const;
const reconnectPauseMs = 250;

/** The local API of whoever leads, over the socket that `leader.json` names. Follows the lead when it moves. */
export class ApiClient implements LocalApi, Disposable {
  private readonly watch: LeaderWatch;
  private readonly ended = new AbortController();
  private readonly listeners = new Set<(event: StreamEvent) => void>();
  private readonly lostListeners = new Set<(leader: LeaderInfo) => void>();
  private readonly silentListeners = new Set<(epoch: number) => void>();
  private connection: LeaderConnection | undefined;
  private following: AbortController | undefined;

  constructor(private readonly deps: ApiClientDeps) {
    this.watch = new LeaderWatch(deps.storageDir, deps.log);
  }

  /** @throws ApiError; `unavailable` where nobody leads, or the answer to a change was lost */
  async call<M extends ApiMethod>(method: M, params: ApiParams<M>): Promise<ApiResult<M>> {
    const body = Buffer.from(JSON.stringify(params));
    const reply = await this.request('POST', `/v1/rpc/${method}`, body, repeatable.has(method));
    if (reply.status !== 200) throw errorOf(reply);
    return JSON.parse(reply.body.toString('utf8')) as ApiResult<M>;
  }

  /**
   * Hands a frame (`contract/hook-frame.ts`) to the leader. Repeated where the connection broke: the key in the
   * frame keeps it one event.
   *
   * @returns what the hook prints
   */
  async hook(event: string, frame: Uint8Array): Promise<string> {
    const word = /^[A-Za-z]{1,64}$/.test(event) ? event : '_';
    const reply = await this.request('POST', `/v1/hooks/${word}`, frame, true);
    if (reply.status !== 200) throw errorOf(reply);
    return reply.body.toString('utf8');
  }

  /** Asks an older leader to step down for `version`; true where it will. */
  async askHandOver(version: string): Promise<boolean> {
    const body = Buffer.from(JSON.stringify({ version }));
    const reply = await this.request('POST', '/v1/handover', body, false);
    return reply.status === 202;
  }

  subscribe(listener: (event: StreamEvent) => void): { dispose(): void } {
    this.listeners.add(listener);
    if (!this.following) {
      this.following = new AbortController();
      void this.follow(AbortSignal.any([this.following.signal, this.ended.signal]));
    }
    return {
      dispose: () => {
        this.listeners.delete(listener);
        if (this.listeners.size > 0) return;
        this.following?.abort();
        this.following = undefined;
      },
    };
  }

  /** Resolves when somebody leads and answers. @throws ApiError `unavailable` */
  async connect(): Promise<LeaderInfo> {
    await this.request('GET', '/healthz', undefined, true);
    const { connection } = this;
    if (!connection) throw nobodyLeads();
    return connection.info;
  }

  /** The stream of a leader ended: it may be gone. Fires only while somebody is subscribed. */
  onDidLoseLeader(listener: (leader: LeaderInfo) => void): Disposable {
    this.lostListeners.add(listener);
    return { dispose: () => void this.lostListeners.delete(listener) };
  }

  /** A leader holds its connections and did not answer for long: `Leadership.acquire({ silentEpoch })`. */
  onDidFindSilent(listener: (epoch: number) => void): Disposable {
    this.silentListeners.add(listener);
    return { dispose: () => void this.silentListeners.delete(listener) };
  }

  dispose(): void {
    this.ended.abort();
    this.connection?.dispose();
    this.watch.dispose();
    this.listeners.clear();
  }

  private async request(
    method: string,
    path: string,
    body: Uint8Array | undefined,
    mayRepeat: boolean,
  ): Promise<Reply> {
    const giveUpAt = Date.now() + (this.deps.leaderWaitMs ?? 5000);
    let refusedKey: string | undefined;
    for (;;) {
      const connection = await this.reach(refusedKey, giveUpAt - Date.now());
      try {
        const reply = await connection.send(method, path, body, this.deps.silentAfterMs ?? 30_000);
        if (reply.status !== 401) return reply;
        refusedKey = connection.info.key;
      } catch (error) {
        if (error instanceof LeaderSilentError) {
          for (const listener of [...this.silentListeners]) listener(connection.info.epoch);
          throw new ApiError('unavailable', 'The window that leads does not answer.');
        }
        if (error instanceof ConnectionLostError && !mayRepeat) {
          this.drop(connection);
          throw new ApiError('unavailable', 'The window that leads went away before it answered.');
        }
        if (error instanceof LeaderGoneError) refusedKey = connection.info.key;
        else if (!(error instanceof ConnectionLostError)) throw error;
        if (Date.now() >= giveUpAt) throw nobodyLeads();
      }
      this.drop(connection);
    }
  }

  private async reach(refusedKey: string | undefined, waitMs: number): Promise<LeaderConnection> {
    if (this.ended.signal.aborted) throw new ApiError('unavailable', 'The client was closed.');
    if (this.connection && this.connection.info.key !== refusedKey) return this.connection;
    const info = await this.watch.next(refusedKey, Math.max(0, waitMs), this.ended.signal);
    if (!info) throw nobodyLeads();
    if (this.connection?.info.key !== info.key) {
      this.connection?.dispose();
      this.connection = new LeaderConnection(info);
    }
    return this.connection;
  }

  private drop(connection: LeaderConnection): void {
    connection.dispose();
    if (this.connection === connection) this.connection = undefined;
  }

  /** Keeps the stream open until `stop`; each stream but the first starts with a `resync`. */
  private async follow(stop: AbortSignal): Promise<void> {
    let refusedKey: string | undefined;
    let again = false;
    while (!stop.aborted) {
      const info = await this.watch.next(refusedKey, Infinity, stop);
      if (!info) return;
      const connection = new LeaderConnection(info);
      try {
        const response = await connection.stream();
        stop.addEventListener('abort', () => response.destroy(), { once: true });
        refusedKey = undefined;
        if (again) this.emit({ stream: 'resync' });
        again = true;
        for await (const line of readLines(response)) this.receive(line);
      } catch (error) {
        if (error instanceof LeaderGoneError) refusedKey = info.key;
      } finally {
        connection.dispose();
      }
      if (stop.aborted) return;
      again = true;
      for (const listener of [...this.lostListeners]) listener(info);
      if (!refusedKey) await delay(reconnectPauseMs, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  private receive(line: string): void {
    const parsed = streamEventSchema.safeParse(JSON.parse(line));
    if (parsed.success) this.emit(parsed.data);
  }

  private emit(event: StreamEvent): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}

function nobodyLeads(): ApiError {
  return new ApiError('unavailable', 'No window answers for this store.');
}

function errorOf(reply: Reply): ApiError {
  try {
    const { error } = JSON.parse(reply.body.toString('utf8')) as {
      error?: { code?: string; message?: string };
    };
    const code = codes.find((known) => known === error?.code) ?? 'internal';
    return new ApiError(code, String(error?.message ?? 'The request failed.'));
  } catch {
    return new ApiError(
      reply.status === 413 ? 'bad_request' : 'internal',
      `The request failed (${reply.status}).`,
    );
  }
}
