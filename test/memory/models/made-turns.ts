import type { MemoryEvent } from '../../../src/contract/event';
import { deterministicUlid } from '../../../src/contract/ids';
import { assembleTurn, type Turn } from '../../../src/memory/turn';

const START = Date.parse('2026-10-22T09:00:00.000Z');

type Given =
  | { user: string }
  | { agent: string }
  | { tool: string; input: Record<string, string>; result: string; success?: boolean };

/** A turn as capture would have stored it; entries are a second apart. */
export function madeTurn(turnId: string, given: readonly Given[], sessionId = 's1', startMs = START): Turn {
  const events = given.map((one, index): MemoryEvent => {
    const at = startMs + index * 1000;
    const common = {
      event_id: deterministicUlid(at, `${turnId}:${index}`),
      namespace: '/actor/tester/project/acme/',
      actor_id: 'tester',
      session_id: sessionId,
      valid_time: new Date(at).toISOString(),
      recorded_at: new Date(at).toISOString(),
      source: { surface: 'kiro-ide' as const, version: '1', project_path: '/home/me/acme' },
      schema_version: 1 as const,
      content_hash: `sha256:${'0'.repeat(64)}`,
    };
    if ('user' in one) return { ...common, kind: 'prompt', body: { type: 'text', content: one.user } };
    if ('agent' in one) {
      return { ...common, kind: 'session_summary', body: { type: 'text', content: one.agent } };
    }
    const response = { result: one.result, ...(one.success === undefined ? {} : { success: one.success }) };
    return {
      ...common,
      kind: 'tool_use',
      body: {
        type: 'json',
        data: { tool_name: one.tool, tool_input: one.input, tool_response: response },
      },
    };
  });
  return assembleTurn(events, { turn_id: turnId, first_of_session: false, session_title: 'Pick a queue' });
}

export const QUEUE_TURN: readonly Given[] = [
  { user: 'Which queue do we take for the mail jobs?' },
  {
    tool: 'fs_write',
    input: { path: 'docs/adr/0007-queue.md', text: 'pg-boss 9.0.3' },
    result: 'ok',
    success: true,
  },
  {
    tool: 'execute_bash',
    input: { command: 'npm test' },
    result: 'Error: connect ECONNREFUSED 127.0.0.1:5432',
    success: false,
  },
  { agent: 'We took pg-boss 9.0.3, since Postgres runs already. See docs/adr/0007-queue.md.' },
];
