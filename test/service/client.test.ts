import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeHookFrame } from '../../src/contract/hook-frame';
import { ApiError, type StreamEvent } from '../../src/contract/local-api';
import { silentLog } from '../../src/platform/log';
import { ApiClient, type ApiClientDeps } from '../../src/service/client';
import { leaderFile } from '../../src/service/leader-info';
import type { Leadership } from '../../src/service/leadership';
import { ApiServer } from '../../src/service/server';
import { RecordingApi } from './support/recording-api';
import { leadershipOf, tempStore, type TempStore } from './support/temp-store';

async function lead(store: TempStore) {
  const leadership = leadershipOf(store);
  const role = await leadership.acquire();
  if (role.role !== 'leader') throw new Error('expected to lead');
  const api = new RecordingApi();
  const server = new ApiServer({
    server: role.server,
    key: role.info.key,
    api,
    hooks: { handle: (event) => Promise.resolve(`for ${event}`) },
    version: '1.0.0',
    log: silentLog,
  });
  onTestFinished(() => server.dispose());
  return { leadership, server, api, info: role.info };
}

async function stop(leader: { leadership: Leadership; server: ApiServer }): Promise<void> {
  await leader.leadership.release();
  leader.server.dispose();
}

function clientOf(store: TempStore, more: Partial<ApiClientDeps> = {}): ApiClient {
  const client = new ApiClient({ storageDir: store.storageDir, log: silentLog, ...more });
  onTestFinished(() => client.dispose());
  return client;
}

/** The events of a stream, one after another. */
function follow(client: ApiClient): () => Promise<StreamEvent> {
  const arrived: StreamEvent[] = [];
  let wake: (() => void) | undefined;
  client.subscribe((event) => {
    arrived.push(event);
    wake?.();
  });
  return async () => {
    while (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return arrived.shift() as StreamEvent;
  };
}

describe('ApiClient', () => {
  it('calls whoever leads and passes errors on as they are', async () => {
    const store = await tempStore();
    const { api } = await lead(store);
    const client = clientOf(store);
    api.answer('resolveProject', { namespace: '/n/', root: '/r', display_name: 'r' });
    expect(await client.call('resolveProject', { path: '/r' })).toEqual({
      namespace: '/n/',
      root: '/r',
      display_name: 'r',
    });
    api.fail('distilNow', new ApiError('read_only', 'The store is read only.'));
    await expect(client.call('distilNow', {})).rejects.toMatchObject({
      code: 'read_only',
      message: 'The store is read only.',
    });
  });

  it('hands a hook frame over', async () => {
    const store = await tempStore();
    await lead(store);
    const frame = encodeHookFrame({
      channel: 'env',
      cwd: '/',
      idempotencyKey: 'k',
      host: '',
      payload: Buffer.from('hi'),
    });
    expect(await clientOf(store).hook('promptSubmit', frame)).toBe('for promptSubmit');
  });

  it('waits for somebody to lead', async () => {
    const store = await tempStore();
    const call = clientOf(store).call('stats', {});
    const { api } = await lead(store);
    expect(await call).toEqual({});
    expect(api.calls).toHaveLength(1);
  });

  it('says so where nobody leads', async () => {
    const store = await tempStore();
    await expect(clientOf(store, { leaderWaitMs: 50 }).call('stats', {})).rejects.toMatchObject({
      code: 'unavailable',
    });
    await writeFile(leaderFile(store.storageDir), 'damaged', { mode: 0o600 });
    await expect(clientOf(store, { leaderWaitMs: 50 }).call('stats', {})).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('follows the lead when it moves, tells that it did, and asks for a resync', async () => {
    const store = await tempStore();
    const first = await lead(store);
    const client = clientOf(store);
    const next = follow(client);
    await client.call('stats', {});
    first.api.emit({ stream: 'records', record_ids: ['before'] });
    const lost = new Promise((resolve) => client.onDidLoseLeader((leader) => resolve(leader.epoch)));
    while ((await next()).stream !== 'records') continue;
    await stop(first);
    expect(await lost).toBe(first.info.epoch);
    const second = await lead(store);
    expect(await next()).toEqual({ stream: 'resync' });
    second.api.emit({ stream: 'records', record_ids: ['after'] });
    expect(await next()).toEqual({ stream: 'records', record_ids: ['after'] });
    await client.call('stats', {});
    expect(second.api.calls).toHaveLength(1);
  });

  it('sends a call again whose answer was lost only where twice does what once does', async () => {
    const store = await tempStore();
    const first = await lead(store);
    let reached = 0;
    const twice = new Promise<void>((resolve) => {
      first.api.call = () => {
        if (++reached === 2) resolve();
        return new Promise(() => undefined);
      };
    });
    const client = clientOf(store);
    const read = client.call('listMemories', {});
    const change = client.call('remember', { text: 'x', workspace: '/w' });
    await twice;
    const outcome = expect(change).rejects.toMatchObject({ code: 'unavailable' });
    await stop(first);
    await outcome;
    const second = await lead(store);
    await read;
    expect(second.api.calls.map(([method]) => method)).toEqual(['listMemories']);
  });

  it('finds a leader that accepts and never answers silent', async () => {
    const store = await tempStore();
    const leadership = leadershipOf(store);
    const role = await leadership.acquire();
    if (role.role !== 'leader') throw new Error('expected to lead');
    const client = clientOf(store, { silentAfterMs: 100 });
    const silent = new Promise((resolve) => client.onDidFindSilent(resolve));
    await expect(client.call('stats', {})).rejects.toMatchObject({ code: 'unavailable' });
    expect(await silent).toBe(role.epoch);
  });

  it('does not show its key to a stranger on a pipe that it cannot prove', async () => {
    const store = await tempStore();
    const { info } = await lead(store);
    const { proveServer } = await import('../../src/service/server-proof');
    const address = `${store.runtimeDir}/stranger.sock`;
    let heard = '';
    const stranger = net.createServer((socket) => {
      socket.on('data', (chunk) => {
        heard += chunk.toString();
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 64\r\n\r\n${'0'.repeat(64)}`);
      });
    });
    stranger.listen(address);
    await once(stranger, 'listening');
    onTestFinished(() => void stranger.close());
    const socket = net.connect(address);
    await once(socket, 'connect');
    await expect(proveServer(socket, info.key, 1000)).rejects.toThrow('could not prove');
    expect(heard).not.toContain(info.key);
  });

  it('asks an older leader to hand over', async () => {
    const store = await tempStore();
    await lead(store);
    expect(await clientOf(store).askHandOver('2.0.0')).toBe(false);
  });
});
