import http from 'node:http';
import net from 'node:net';
import type { Disposable } from '../contract/disposable';
import type { LeaderInfo } from './leader-info';
import { KEY_HEADER } from './request-guard';
import { needsProof, proveServer } from './server-proof';

/** The leader's socket was refused or is gone: nothing was sent. */
export class LeaderGoneError extends Error {
  constructor() {
    super('The leader is gone.');
    this.name = 'LeaderGoneError';
  }
}

/** The connection broke after the request was sent: it may have been carried out. */
export class ConnectionLostError extends Error {
  constructor() {
    super('The connection to the leader was lost.');
    this.name = 'ConnectionLostError';
  }
}

/** The leader holds the connection and says nothing. */
export class LeaderSilentError extends Error {
  constructor() {
    super('The leader does not answer.');
    this.name = 'LeaderSilentError';
  }
}

export interface Reply {
  status: number;
  body: Buffer;
}

const connectTimeoutMs = 2000;
const maxReplyBytes = 64 * 1024 * 1024;

/** Requests to one leader, over connections that are kept. Knows nothing of other leaders. */
export class LeaderConnection implements Disposable {
  private readonly agent: http.Agent;

  constructor(readonly info: LeaderInfo) {
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 16, maxFreeSockets: 2 });
  }

  /** @throws LeaderGoneError, ConnectionLostError, LeaderSilentError */
  async send(method: string, path: string, body: Uint8Array | undefined, timeoutMs: number): Promise<Reply> {
    const { request, response } = await this.open(method, path, body, timeoutMs, this.agent);
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxReplyBytes) throw new ConnectionLostError();
        chunks.push(chunk);
      }
    } catch {
      request.destroy();
      throw new ConnectionLostError();
    }
    return { status: response.statusCode ?? 0, body: Buffer.concat(chunks, size) };
  }

  /** Opens the stream on a connection of its own; the caller reads and destroys the response. */
  async stream(): Promise<http.IncomingMessage> {
    const { response } = await this.open('GET', '/v1/stream', undefined, connectTimeoutMs * 5, undefined);
    if (response.statusCode !== 200) {
      response.destroy();
      throw new ConnectionLostError();
    }
    return response;
  }

  dispose(): void {
    this.agent.destroy();
  }

  private async open(
    method: string,
    path: string,
    body: Uint8Array | undefined,
    timeoutMs: number,
    agent: http.Agent | undefined,
  ): Promise<{ request: http.ClientRequest; response: http.IncomingMessage }> {
    const proven = needsProof(this.info.address) ? await this.provenSocket() : undefined;
    return new Promise((resolve, reject) => {
      let connected = false;
      const request = http.request({
        method,
        path,
        headers: {
          Host: 'localhost',
          [KEY_HEADER]: this.info.key,
          ...(body ? { 'Content-Length': body.byteLength, 'Content-Type': 'application/json' } : {}),
        },
        ...(proven
          ? { createConnection: () => proven }
          : { socketPath: this.info.address, agent: agent ?? false }),
      });
      const timer = setTimeout(() => {
        request.destroy();
        reject(new LeaderSilentError());
      }, timeoutMs);
      request.once('socket', (socket) => {
        if (!socket.connecting) connected = true;
        else socket.once('connect', () => (connected = true));
      });
      request.once('response', (response) => {
        clearTimeout(timer);
        resolve({ request, response });
      });
      request.on('error', () => {
        clearTimeout(timer);
        reject(connected ? new ConnectionLostError() : new LeaderGoneError());
      });
      request.end(body);
    });
  }

  private async provenSocket(): Promise<net.Socket> {
    const socket = net.connect(this.info.address);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', () => reject(new LeaderGoneError()));
    });
    await proveServer(socket, this.info.key, connectTimeoutMs);
    return socket;
  }
}
