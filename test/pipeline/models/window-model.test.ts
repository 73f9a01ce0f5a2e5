import { mkdir } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StreamEvent } from '../../../src/contract/local-api';
import type { WorkerMessage } from '../../../src/contract/worker-messages';
import { WindowProvider } from '../../../src/memory/models/window-provider';
import { silentLog } from '../../../src/platform/log';
import { CollectorApi } from '../../../src/pipeline/api/collector-api';
import { Jobs } from '../../../src/pipeline/jobs';
import { ApiClient } from '../../../src/service/client';
import { ApiServer } from '../../../src/service/server';
import { WindowModel } from '../../../src/service/window-model';
import { leadershipOf, tempStore } from '../../service/support/temp-store';
import { openTestCollector } from '../../support/collector';

/** A leader on a real socket, and windows that follow it. */
async function leaderOnSocket() {
  const store = await tempStore();
  await mkdir(store.storageDir, { recursive: true });
  const { collector, dispose } = await openTestCollector();
  onTestFinished(dispose);
  const api = new CollectorApi(collector, {
    jobs: new Jobs(() => undefined),
    findSessions: () => Promise.resolve({ sessions: 0, bytes: 0, already: 0 }),
    importSessions: () => '',
    sessionsNotRead: () => [],
    spool: () => Promise.resolve({ waiting: 0, dropped: 0 }),
    setWindow: () => undefined,
  });
  const role = await leadershipOf(store).acquire();
  if (role.role !== 'leader') throw new Error('expected to lead');
  const server = new ApiServer({
    server: role.server,
    key: role.info.key,
    api,
    hooks: { handle: () => Promise.resolve('') },
    version: '1.0.0',
    log: silentLog,
  });
  onTestFinished(() => server.dispose());
  return { store, collector };
}

/** A following window whose user allows its model, or not. */
async function followingWindow(storageDir: string, allowed: boolean, model: (prompt: string) => object) {
  const client = new ApiClient({ storageDir, log: silentLog });
  onTestFinished(() => client.dispose());
  const shown: StreamEvent[] = [];
  const asked: WorkerMessage[] = [];
  const window = new WindowModel({
    allowed: () => allowed,
    api: () => client,
    post: (message) => {
      asked.push(message);
      if (message.from === 'model_request') {
        window.reply({ to: 'model_reply', id: message.id, ...model(message.prompt) });
      }
    },
  });
  let opened: () => void = () => undefined;
  const streaming = new Promise<void>((resolve) => (opened = resolve));
  client.subscribe((event) => {
    opened();
    if (!window.hears(event)) shown.push(event);
  });
  return { asked, shown, streaming };
}

describe('the model of a window that does not lead', () => {
  const request = { system: 'the task', prompt: 'the log', maxTokens: 100 };

  it('answers the leader where the user allows it, and no other window hears the content', async () => {
    const { store, collector } = await leaderOnSocket();
    const consenting = await followingWindow(store.storageDir, true, (prompt) => ({
      text: `read: ${prompt}`,
    }));
    const other = await followingWindow(store.storageDir, false, () => ({ text: 'never' }));
    const beat = setInterval(() => collector.resync(), 20);
    await Promise.all([consenting.streaming, other.streaming]);
    clearInterval(beat);
    const provider = new WindowProvider(collector.modelRequests);
    const reply = await provider.complete(request, new AbortController().signal);
    expect(reply.text).toBe('read: the log');
    expect(consenting.asked).toHaveLength(1);
    expect(other.asked).toEqual([]);
    expect(JSON.stringify(other.shown)).not.toContain('the log');
  });

  it('brings back why a window could not answer', async () => {
    const { store, collector } = await leaderOnSocket();
    const window = await followingWindow(store.storageDir, true, () => ({ error: 'The user said no.' }));
    const beat = setInterval(() => collector.resync(), 20);
    await window.streaming;
    clearInterval(beat);
    const provider = new WindowProvider(collector.modelRequests);
    await expect(provider.complete(request, new AbortController().signal)).rejects.toMatchObject({
      reason: 'refused',
      message: 'The user said no.',
    });
  });
});
