import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type net from 'node:net';
import type { Disposable } from '../contract/disposable';
import { decodeHookFrame, type HookFrame } from '../contract/hook-frame';
import { LIMITS } from '../contract/limits';
import { ApiError, type LocalApi } from '../contract/local-api';
import type { Log } from '../platform/log';
import { HoldingServer } from './holding-server';
import { BodyTooLargeError, parseJsonBody, readBody, SlowClientError } from './request-body';
import { CHALLENGE_HEADER, headerOf, proofOf, refusal } from './request-guard';
import { MethodNotAllowedError, restRoutes, type RestRequest } from './rest-routes';
import { feedStream } from './stream-feed';

/** Answers a hook run: stores what is in the frame and says what the hook prints. */
export interface HookHandler {
  /**
   * @param event word that the hook file passed, '' for none
   * @param signal aborted when the hook went away; what was received is stored all the same
   * @returns what the hook prints, '' for nothing, once the event is on disk
   */
  handle(event: string, frame: HookFrame, signal: AbortSignal): Promise<string>;
}

export interface ApiServerDeps {
  /** Listening already (`Leadership`). */
  server: net.Server;
  key: string;
  api: LocalApi;
  hooks: HookHandler;
  version: string;
  log: Log;
  /** A newer window asks for the lead. */
  onHandOver?: (version: string) => void;
  /** Answers challenges before the client shows its key: for pipes, whose names can be squatted. */
  provesItself?: boolean;
}

const headTimeoutMs = 3000;
const bodyTimeoutMs = 10_000;
const idleTimeoutMs = 120_000;
const maxConnections = 256;
const maxHeaderBytes = 8 * 1024;

/** The local API on the leader's socket. Nothing is answered before the key was proven. */
export class ApiServer implements Disposable {
  private readonly http: http.Server;
  private readonly sockets = new Set<net.Socket>();
  private readonly rest: (request: RestRequest) => Promise<unknown>;

  constructor(private readonly deps: ApiServerDeps) {
    this.rest = restRoutes(deps.api, deps.version);
    this.http = http.createServer({ maxHeaderSize: maxHeaderBytes, keepAliveTimeout: idleTimeoutMs });
    this.http.on('request', (request, response) => void this.answer(request, response));
    this.http.on('clientError', (_error, socket) => void socket.destroy());
    const take = (socket: net.Socket) => this.take(socket);
    if (deps.server instanceof HoldingServer) deps.server.serve(take);
    else deps.server.on('connection', take);
  }

  /** Ends every connection; the listening socket is the leadership's. */
  dispose(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  private take(socket: net.Socket): void {
    if (this.sockets.size >= maxConnections) {
      socket.destroy();
      return;
    }
    this.sockets.add(socket);
    const timer = setTimeout(() => socket.destroy(), headTimeoutMs);
    socket.once('kiro-learn-head' as 'close', () => clearTimeout(timer));
    socket.once('close', () => {
      clearTimeout(timer);
      this.sockets.delete(socket);
    });
    socket.setTimeout(idleTimeoutMs, () => socket.destroy());
    this.http.emit('connection', socket);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.socket.emit('kiro-learn-head');
    try {
      await this.route(request, response);
    } catch (error) {
      this.answerError(request, response, error);
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (this.deps.provesItself && url.pathname === '/v1/proof') {
      sendText(response, proofOf(this.deps.key, headerOf(request, CHALLENGE_HEADER)));
      return;
    }
    const refused = refusal(request, this.deps.key);
    if (refused) {
      this.deps.log.warn('local api', `refused a request (${refused})`);
      closeWith(request, response, refused);
      return;
    }
    if (url.pathname === '/v1/stream' && request.method === 'GET') {
      feedStream(this.deps.api, response);
      return;
    }
    const body = await readBody(request, LIMITS.httpBodyBytes, bodyTimeoutMs);
    if (url.pathname.startsWith('/v1/hooks/') && request.method === 'POST') {
      await this.answerHook(url.pathname.slice('/v1/hooks/'.length), body, response);
      return;
    }
    const json = request.method === 'POST' ? parseJsonBody(body) : undefined;
    if (url.pathname === '/v1/handover' && request.method === 'POST') {
      this.handOver(json, response);
      return;
    }
    const path = url.pathname;
    const result = await this.rest({
      method: request.method ?? 'GET',
      path,
      query: url.searchParams,
      body: json,
    });
    sendJson(response, 200, result);
  }

  private async answerHook(word: string, body: Buffer, response: ServerResponse): Promise<void> {
    const frame = decodeHookFrame(body);
    if (!frame) throw new ApiError('bad_request', 'The hook frame is damaged.');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const event = word === '_' || !/^[A-Za-z]{1,64}$/.test(word) ? '' : word;
    sendText(response, await this.deps.hooks.handle(event, frame, gone.signal));
  }

  private handOver(body: unknown, response: ServerResponse): void {
    const version = (body as { version?: unknown } | null)?.version;
    if (typeof version !== 'string' || version.length > 64) {
      throw new ApiError('bad_request', 'Not valid: version.');
    }
    const { onHandOver } = this.deps;
    sendJson(response, onHandOver ? 202 : 409, {});
    if (onHandOver) response.once('close', () => onHandOver(version));
  }

  private answerError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error instanceof SlowClientError) {
      request.socket.destroy();
      return;
    }
    if (error instanceof BodyTooLargeError) {
      closeWith(request, response, 413);
      return;
    }
    if (error instanceof MethodNotAllowedError) {
      response.setHeader('Allow', error.allow);
      sendJson(response, 405, { error: { code: 'bad_request', message: error.message } });
      return;
    }
    if (error instanceof ApiError) {
      sendJson(response, statusOf[error.code], { error: { code: error.code, message: error.message } });
      return;
    }
    const name = error instanceof Error ? error.name : 'unknown';
    this.deps.log.error('local api', `a request failed: ${name}`);
    sendJson(response, 500, { error: { code: 'internal', message: 'The request failed.' } });
  }
}

const statusOf: Record<ApiError['code'], number> = {
  bad_request: 400,
  not_found: 404,
  read_only: 409,
  paused: 409,
  unavailable: 503,
  internal: 500,
};

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json', JSON.stringify(value));
}

function sendText(response: ServerResponse, text: string): void {
  send(response, 200, 'text/plain; charset=utf-8', text);
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(text);
}

/** Answers without a word and ends the connection: what is still on its way is not read. */
function closeWith(request: IncomingMessage, response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Length': 0, Connection: 'close' });
  response.end(() => request.socket.destroySoon());
}
