import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { StreamEvent } from '../../src/contract/local-api';
import { CollectorClient, type CollectorClientOptions } from '../../src/ide/collector-client';
import { silentLog } from '../../src/platform/log';

const dir = mkdtempSync(path.join(os.tmpdir(), 'kiro-learn-client-'));
const clients: CollectorClient[] = [];
afterAll(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
});

/** A worker of the port's contract: its answers are in `body`, code with `post` and `message` at hand. */
function client(body: string, more: Partial<CollectorClientOptions> = {}): CollectorClient {
  const file = path.join(dir, `worker-${Math.random().toString(36).slice(2)}.js`);
  writeFileSync(
    file,
    `const { parentPort } = require('node:worker_threads');
     const post = (message) => parentPort.postMessage(message);
     parentPort.on('message', (message) => {
       if (message.to === 'shutdown') process.exit(0);
       ${body}
     });
     post({ from: 'ready', role: 'leader' });`,
  );
  const made = new CollectorClient({
    start: () => new Worker(file),
    log: silentLog,
    answerModel: () => Promise.resolve('an answer'),
    restartDelays: [5],
    ...more,
  });
  clients.push(made);
  return made;
}

describe('the window’s end of the port', () => {
  test('a call is answered, a refusal keeps its code, an answer of another form is refused', async () => {
    const api = client(`
      if (message.method === 'cancelJob') post({ from: 'result', id: message.id, result: { cancelled: true } });
      if (message.method === 'undo') post({ from: 'result', id: message.id, error: { code: 'read_only', message: 'no' } });
      if (message.method === 'stats') post({ from: 'result', id: message.id, result: 7 });`);
    api.start();
    await expect(api.call('cancelJob', { job_id: 'a' })).resolves.toEqual({ cancelled: true });
    await expect(api.call('undo', { change_ids: ['a'] })).rejects.toMatchObject({ code: 'read_only' });
    await expect(api.call('stats', {})).rejects.toMatchObject({ code: 'internal' });
  });

  test('a worker that dies takes its calls with it, is started again and told its folders again', async () => {
    const api = client(`
      if (message.to === 'folders') globalThis.told = message.paused;
      if (message.method === 'stats') process.exit(3);
      if (message.method === 'cancelJob') post({ from: 'result', id: message.id, result: { cancelled: globalThis.told } });`);
    const heard: StreamEvent[] = [];
    api.subscribe((event) => heard.push(event));
    api.setFolders({ folders: [], sessionsConsent: false, paused: true });
    api.start();
    await expect(api.call('stats', {})).rejects.toMatchObject({ code: 'unavailable' });
    await expect(api.call('cancelJob', { job_id: 'a' })).resolves.toEqual({ cancelled: true });
    expect(heard).toContainEqual({ stream: 'resync' });
  });

  test('the window’s model answers the worker', async () => {
    const api = client(`
      if (message.to === 'model_reply') { post({ from: 'result', id: globalThis.asked, result: { cancelled: message.text === 'an answer' } }); }
      if (message.method === 'cancelJob') { globalThis.asked = message.id; post({ from: 'model_request', id: 1, system: 's', prompt: 'p', maxTokens: 9 }); }`);
    api.start();
    await expect(api.call('cancelJob', { job_id: 'a' })).resolves.toEqual({ cancelled: true });
  });

  test('calls before the start wait; after the end they are refused', async () => {
    const api = client(`post({ from: 'result', id: message.id, result: { cancelled: true } });`);
    const early = api.call('cancelJob', { job_id: 'a' });
    api.start();
    await expect(early).resolves.toEqual({ cancelled: true });
    await api.dispose();
    await expect(api.call('cancelJob', { job_id: 'a' })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
