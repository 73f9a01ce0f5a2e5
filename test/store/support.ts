import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MemoryEvent } from '../../src/contract/event';
import { deterministicUlid, recordId } from '../../src/contract/ids';
import type { Injection } from '../../src/contract/injection';
import type { MemoryRecord } from '../../src/contract/memory-record';
import { nodeFileSystem } from '../../src/platform/file-system';
import { silentLog } from '../../src/platform/log';
import type { Mutation } from '../../src/store/mutation';
import { Store, type StoreDeps } from '../../src/store/store';

export const WASM = path.resolve(__dirname, '../../node_modules/sql.js/dist/sql-wasm.wasm');
export const NAMESPACE = '/actor/ana/project/shop/';
export const START = Date.parse('2026-10-01T08:00:00.000Z');

export async function temporaryFolder(): Promise<{ dir: string; dispose(): Promise<void> }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'klrn-store-'));
  return { dir, dispose: () => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}

/** Opens a store with the next free epoch. */
export async function openStore(dir: string, deps: Partial<StoreDeps> = {}): Promise<Store> {
  const fs = deps.fs ?? nodeFileSystem;
  return Store.open({
    dir,
    fs,
    wasm: WASM,
    epoch: deps.epoch ?? (await Store.nextEpoch(fs, dir)),
    fence: () => true,
    clock: { now: () => START + 3600_000 },
    log: silentLog,
    ...deps,
  });
}

export type EventOverrides = Partial<MemoryEvent> & { text?: string };

/** An event of a session; `n` tells it from others and orders it in time. */
export function event(n: number, overrides: EventOverrides = {}): MemoryEvent {
  const { text, ...rest } = overrides;
  const at = START + n * 1000;
  const body = rest.body ?? { type: 'text', content: text ?? `Prompt number ${n} about the queue` };
  return {
    event_id: deterministicUlid(at, `event:${n}`),
    kind: 'prompt',
    type: 'user_message',
    namespace: NAMESPACE,
    actor_id: 'ana',
    session_id: 's1',
    valid_time: new Date(at).toISOString(),
    recorded_at: new Date(at).toISOString(),
    source: { surface: 'kiro-ide', version: '0.1.0' },
    schema_version: 1,
    content_hash: `sha256:${createHash('sha256').update(JSON.stringify(body)).digest('hex')}`,
    ...rest,
    body,
  };
}

export function toolUse(n: number, result: string, success = true): MemoryEvent {
  return event(n, {
    kind: 'tool_use',
    type: 'action_end',
    body: {
      type: 'json',
      data: {
        tool_name: 'execute_bash',
        tool_input: { command: 'npm test' },
        tool_response: { result, success },
      },
    },
  });
}

export function put(stored: MemoryEvent, more: Partial<Extract<Mutation, { op: 'event' }>> = {}): Mutation {
  return { op: 'event', event: stored, distil: 'pending', may_collapse: true, ...more };
}

export function record(n: number, overrides: Partial<MemoryRecord> = {}): MemoryRecord {
  const at = new Date(START + n * 1000).toISOString();
  return {
    record_id: recordId(START + n * 1000, `record:${n}`),
    namespace: NAMESPACE,
    session_id: 's1',
    session_title: 'Queue work',
    observation_type: 'decision',
    title: `Decision ${n}`,
    summary: `We use pg-boss for queue ${n}.`,
    facts: [`fact ${n}`],
    concepts: ['queue'],
    files_touched: [`src/queue-${n}.ts`],
    evidence: [{ event_id: event(n).event_id, excerpt: `excerpt ${n}` }],
    strategy: 'rules',
    origin: 'user_words',
    importance: 0.5,
    status: 'current',
    valid_from: at,
    pinned: false,
    recurrence: 1,
    created_at: at,
    updated_at: at,
    recall_count: 0,
    ...overrides,
  };
}

export function putRecord(stored: MemoryRecord, change: 'created' | 'edited' = 'created', id = 0): Mutation {
  const at = stored.updated_at;
  return {
    op: 'record',
    record: stored,
    change,
    at,
    change_id: deterministicUlid(START, `${stored.record_id}:${id}`),
  };
}

export function injection(n: number, records: readonly MemoryRecord[]): Injection {
  return {
    injection_id: deterministicUlid(START + n * 1000, `injection:${n}`),
    namespace: NAMESPACE,
    session_id: 's1',
    at: new Date(START + n * 1000).toISOString(),
    records: records.map(({ record_id, title }) => ({
      record_id,
      title,
      score: 1,
      reasons: ['title: queue'],
    })),
    left_out: [],
    context: records.map(({ summary }) => summary).join('\n'),
    latency_ms: 3,
    bytes: 100,
    tokens: 30,
    surface: 'kiro-ide',
  };
}
