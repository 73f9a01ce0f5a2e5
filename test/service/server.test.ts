import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeHookFrame, type HookFrame } from '../../src/contract/hook-frame';
import { LIMITS } from '../../src/contract/limits';
import { ApiError } from '../../src/contract/local-api';
import { ApiServer, type ApiServerDeps, type HookHandler } from '../../src/service/server';
import { HoldingServer } from '../../src/service/holding-server';
import { proveServer } from '../../src/service/server-proof';
import { silentLog, type Log } from '../../src/platform/log';
import { RecordingApi } from './support/recording-api';
import { tempStore } from './support/temp-store';

const key = 'k'.repeat(43);
const frame: HookFrame = {
  channel: 'stdin',
  cwd: '/srv/demo',
  idempotencyKey: '1764500000000-abcdefgh',
  host: '',
  payload: Buffer.from('{"prompt":"x"}'),
};

class EchoHooks implements HookHandler {
  readonly seen: { event: string; frame: HookFrame }[] = [];

  handle(event: string, received: HookFrame): Promise<string> {
    this.seen.push({ event, frame: received });
    return Promise.resolve(`context for ${event} ✓`);
  }
}

async function startServer(more: Partial<ApiServerDeps> = {}) {
  const { runtimeDir } = await tempStore();
  const server = new HoldingServer();
  const address = `${runtimeDir}/s.sock`;
  await server.listenOn(address);
  const api = new RecordingApi();
  const hooks = new EchoHooks();
  const apiServer = new ApiServer({ server, key, api, hooks, version: '1.2.3', log: silentLog, ...more });
  onTestFinished(async () => {
    apiServer.dispose();
    await server.end();
  });
  return { address, api, hooks, server, apiServer };
}

interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

function send(address: string, { method = 'GET', path = '/healthz', headers = {}, body }: Sent) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>(
    (resolve, reject) => {
      const request = http.request(
        {
          socketPath: address,
          method,
          path,
          agent: false,
          headers: { Host: 'localhost', 'x-kiro-learn-key': key, ...headers },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          );
        },
      );
      request.on('error', reject);
      request.end(body);
    },
  );
}

describe('ApiServer: who is answered', () => {
  it.each([
    ['no key', { 'x-kiro-learn-key': '' }, 401],
    ['a wrong key', { 'x-kiro-learn-key': 'x'.repeat(43) }, 401],
    ['a key that only starts right', { 'x-kiro-learn-key': key.slice(0, 42) }, 401],
    ['a browser', { Origin: 'http://localhost' }, 403],
    ['a browser without Origin', { 'Sec-Fetch-Site': 'none' }, 403],
    ['a foreign Host', { Host: 'evil.example' }, 403],
    ['a wrong key with a foreign Host', { 'x-kiro-learn-key': 'no', Host: 'evil.example' }, 401],
  ])('refuses %s without a word', async (_name, headers, status) => {
    const { address, hooks, api } = await startServer();
    for (const path of ['/healthz', '/no/such/route', '/v1/hooks/Stop']) {
      const reply = await send(address, { path, headers: headers as Record<string, string> });
      expect(reply.status).toBe(status);
      expect(reply.text).toBe('');
    }
    expect(hooks.seen).toEqual([]);
    expect(api.calls).toEqual([]);
  });

  it('answers who knows the key', async () => {
    const { address } = await startServer();
    const reply = await send(address, {});
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toEqual({ status: 'ok', version: '1.2.3' });
  });

  it('proves itself where asked to, before it knows the client, and still answers only who has the key', async () => {
    const { address } = await startServer({ provesItself: true });
    const socket = net.connect(address);
    await once(socket, 'connect');
    await expect(proveServer(socket, key, 1000)).resolves.toBeUndefined();
    socket.destroy();
    const stranger = net.connect(address);
    await once(stranger, 'connect');
    await expect(proveServer(stranger, 'another key'.repeat(4), 1000)).rejects.toThrow('could not prove');
    expect((await send(address, { headers: { 'x-kiro-learn-key': 'no' } })).status).toBe(401);
  });

  it('does not prove itself on a socket that a directory protects', async () => {
    const { address } = await startServer();
    expect((await send(address, { path: '/v1/proof', headers: { 'x-kiro-learn-key': 'no' } })).status).toBe(
      401,
    );
  });
});

describe('ApiServer: sizes and slowness', () => {
  it('answers 413 to a body that says it is too large, and does not wait for it', async () => {
    const { address } = await startServer();
    const socket = net.connect(address);
    const answered = once(socket, 'data');
    socket.write(
      `POST /v1/events HTTP/1.1\r\nHost: localhost\r\nx-kiro-learn-key: ${key}\r\nContent-Length: 10485760\r\n\r\n`,
    );
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 413 /);
    await once(socket, 'close');
  });

  it('cuts a body that does not say how large it is', async () => {
    const { address, api } = await startServer();
    const socket = net.connect(address);
    socket.on('error', () => undefined);
    socket.write(
      `POST /v1/events HTTP/1.1\r\nHost: localhost\r\nx-kiro-learn-key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
    let answer = '';
    socket.on('data', (data: Buffer) => (answer += data.toString()));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (let sent = 0; sent <= LIMITS.httpBodyBytes + 0x100000 && !socket.destroyed; sent += 0x100000) {
      const drained = new Promise((resolve) => socket.once('drain', resolve));
      if (!socket.write(chunk)) await Promise.race([drained, closed]);
    }
    await closed;
    expect(answer === '' || answer.startsWith('HTTP/1.1 413 ')).toBe(true);
    expect(api.calls).toEqual([]);
  });

  it('cuts a client that never ends its head', async () => {
    const { address } = await startServer();
    const socket = net.connect(address);
    socket.write('POST /v1/events HTTP/1.1\r\nHost: loc');
    await once(socket, 'close');
  });

  it('cuts a client that sends nothing', async () => {
    const { address } = await startServer();
    const socket = net.connect(address);
    socket.on('data', () => undefined);
    await once(socket, 'close');
  });

  it('drops what is no HTTP', async () => {
    const { address } = await startServer();
    const socket = net.connect(address);
    socket.write('\0\0\0\0garbage\r\n\r\n');
    socket.on('data', () => undefined);
    await once(socket, 'close');
  });

  it('answers connections that came before it was there', async () => {
    const { runtimeDir } = await tempStore();
    const server = new HoldingServer();
    await server.listenOn(`${runtimeDir}/s.sock`);
    const early = send(`${runtimeDir}/s.sock`, {});
    await once(server, 'connection');
    const apiServer = new ApiServer({
      server,
      key,
      api: new RecordingApi(),
      hooks: new EchoHooks(),
      version: '1.2.3',
      log: silentLog,
    });
    expect((await early).status).toBe(200);
    apiServer.dispose();
    await server.end();
  });
});

describe('ApiServer: routes', () => {
  it('hands a hook frame on and answers exactly what the hook prints', async () => {
    const { address, hooks } = await startServer();
    const reply = await send(address, {
      method: 'POST',
      path: '/v1/hooks/UserPromptSubmit',
      body: encodeHookFrame(frame),
    });
    expect(reply).toMatchObject({ status: 200, text: 'context for UserPromptSubmit ✓' });
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(hooks.seen).toHaveLength(1);
    expect(hooks.seen[0]?.frame.idempotencyKey).toBe(frame.idempotencyKey);
    expect(Buffer.from(hooks.seen[0]?.frame.payload ?? []).toString()).toBe('{"prompt":"x"}');
  });

  it('answers 400 to a damaged frame and 500 without details when the store fails', async () => {
    const messages: string[] = [];
    const keep = (_component: string, message: string) => void messages.push(message);
    const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
    const hooks: HookHandler = { handle: () => Promise.reject(new Error('secret payload text')) };
    const { address } = await startServer({ hooks, log });
    const bad = await send(address, { method: 'POST', path: '/v1/hooks/Stop', body: 'nonsense' });
    expect(bad.status).toBe(400);
    const failed = await send(address, {
      method: 'POST',
      path: '/v1/hooks/Stop',
      body: encodeHookFrame(frame),
    });
    expect(failed.status).toBe(500);
    expect(`${bad.text}${failed.text}${messages.join('')}`).not.toContain('payload text');
  });

  it('stores an event, retrieves for a prompt, and takes many', async () => {
    const { address, api } = await startServer();
    api.answer('capture', { results: [{ event_id: 'A', stored: true }], context: '<ctx>' });
    const one = await send(address, { method: 'POST', path: '/v1/events?retrieve=true', body: '{"a":1}' });
    expect(JSON.parse(one.text)).toMatchObject({
      event_id: 'A',
      stored: true,
      retrieval: { context: '<ctx>', latency_ms: expect.any(Number) as number },
    });
    expect(api.calls.at(-1)).toEqual(['capture', { events: [{ a: 1 }], retrieve: true }]);
    const many = await send(address, { method: 'POST', path: '/v1/events', body: '[{"a":1}]' });
    expect(JSON.parse(many.text)).toEqual({ results: [{ event_id: 'A', stored: true }] });
  });

  it('maps the reference routes onto the local API', async () => {
    const { address, api } = await startServer();
    await send(address, { path: '/v1/memories/search?query=tide%20table&limit=3' });
    expect(api.calls.at(-1)).toEqual(['search', { query: 'tide table', limit: 3 }]);
    await send(address, { path: '/v1/events?limit=2&kinds=prompt,note' });
    expect(api.calls.at(-1)).toEqual(['listEvents', { limit: 2, kinds: ['prompt', 'note'] }]);
    await send(address, { path: '/v1/stats' });
    expect(api.calls.at(-1)).toEqual(['stats', {}]);
    await send(address, {
      method: 'POST',
      path: '/v1/rpc/pinMemories',
      body: '{"record_ids":["a"],"pinned":true}',
    });
    expect(api.calls.at(-1)).toEqual(['pinMemories', { record_ids: ['a'], pinned: true }]);
  });

  it.each([
    ['GET', '/v1/nothing', '', 404],
    ['GET', '/v1/rpc/status', '', 405],
    ['POST', '/v1/rpc/toString', '{}', 404],
    ['POST', '/v1/rpc/getEvent', '{"event_id":5}', 400],
    ['POST', '/v1/rpc/getEvent', '{oops', 400],
    ['POST', '/v1/stats', '{}', 405],
    ['GET', '/v1/events?limit=many', '', 400],
  ])('%s %s %s answers %i', async (method, path, body, status) => {
    const { address } = await startServer();
    const reply = await send(address, { method, path, body });
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.text)).toHaveProperty('error.code');
  });

  it('passes on the code of an error that may be shown', async () => {
    const { address, api } = await startServer();
    api.fail('stats', new ApiError('read_only', 'The store is read only.'));
    const reply = await send(address, { path: '/v1/stats' });
    expect(reply.status).toBe(409);
    expect(JSON.parse(reply.text)).toEqual({
      error: { code: 'read_only', message: 'The store is read only.' },
    });
  });

  it('streams what happens, and ends with the reader', async () => {
    const { address, api } = await startServer();
    const response = await new Promise<http.IncomingMessage>((resolve) => {
      http.get(
        {
          socketPath: address,
          path: '/v1/stream',
          agent: false,
          headers: { Host: 'localhost', 'x-kiro-learn-key': key },
        },
        resolve,
      );
    });
    api.emit({ stream: 'records', record_ids: ['a'] });
    const [line] = (await once(response, 'data')) as [Buffer];
    expect(line.toString()).toBe('{"stream":"records","record_ids":["a"]}\n');
    response.destroy();
    await api.unsubscribed();
  });

  it('tells whoever leads that a newer window asks for the lead', async () => {
    let asked: ((version: string) => void) | undefined;
    const version = new Promise<string>((resolve) => (asked = resolve));
    const { address } = await startServer({ onHandOver: (wanted) => asked?.(wanted) });
    const reply = await send(address, { method: 'POST', path: '/v1/handover', body: '{"version":"2.0.0"}' });
    expect(reply.status).toBe(202);
    expect(await version).toBe('2.0.0');
  });
});
