import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { MemoryEvent } from '../../src/contract/event';
import { deterministicUlid } from '../../src/contract/ids';
import type { Mutation } from '../../src/store/mutation';

/** When number 0 happened. */
export const START = Date.parse('2026-10-01T08:00:00.000Z');

/** Path of SQLite's bundle; only where the packages can be resolved. */
export function wasmPath(): string {
  return path.join(path.dirname(createRequire(__filename).resolve('sql.js')), 'sql-wasm.wasm');
}
export const NAMESPACE = '/actor/crash/project/run/';

/** The event that a number stands for, the same wherever it is made. */
export function numberedEvent(n: number): MemoryEvent {
  const at = START + n * 1000;
  const body = { type: 'text' as const, content: `event ${n} ${'words of it '.repeat(1 + (n % 40))}` };
  return {
    event_id: deterministicUlid(at, `numbered:${n}`),
    kind: 'prompt',
    type: 'user_message',
    body,
    namespace: NAMESPACE,
    actor_id: 'crash',
    session_id: `s${n % 3}`,
    valid_time: new Date(at).toISOString(),
    recorded_at: new Date(at).toISOString(),
    source: { surface: 'api', version: '0' },
    schema_version: 1,
    content_hash: `sha256:${createHash('sha256').update(body.content).digest('hex')}`,
  };
}

export function putEvent(n: number): Mutation {
  return { op: 'event', event: numberedEvent(n), distil: 'never', may_collapse: false };
}

export function textOf(event: MemoryEvent): string {
  return event.body.type === 'text' ? event.body.content : '';
}

/** The number of an event's text; undefined for a text that is none of ours. */
export function numberOf(text: string): number | undefined {
  const match = /^event (\d+) /.exec(text);
  return match ? Number(match[1]) : undefined;
}
