import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiEventMemory, draftsOfApiEvents, type ApiEventOptions } from '../../src/capture/api-events';
import { upgradeLegacyEvents } from '../../src/capture/legacy-kinds';
import { EVENT_TYPES, eventBodySchema } from '../../src/contract/event';
import type { EventDraft } from '../../src/contract/event-draft';

const NOW = Date.parse('2026-11-20T08:00:00Z');
const ULID = '01JD3Q5T8GABCDEFGHJKMNPQRS';

function map(events: unknown[], options: Partial<ApiEventOptions> = {}) {
  return draftsOfApiEvents(events, { now: NOW, workspace: '/srv/demo', ...options });
}
function drafts(events: unknown[], options: Partial<ApiEventOptions> = {}): EventDraft[] {
  return map(events, options).flatMap((item) => ('draft' in item ? [item.draft] : []));
}
function one(event: unknown, options: Partial<ApiEventOptions> = {}): EventDraft {
  const [draft] = drafts([event], options);
  if (!draft) throw new Error('expected a draft');
  return draft;
}

describe('CraftBot types', () => {
  const kinds = {
    user_message: 'prompt',
    agent_message: 'session_summary',
    action_start: 'tool_use',
    action_end: 'tool_use',
  } as Record<string, string>;

  it.each(EVENT_TYPES.map((type) => [type, kinds[type] ?? 'note'] as const))(
    '%s becomes %s',
    (type, kind) => {
      expect(one({ event_type: type, message: 'hello', action_name: 'web_search' })).toMatchObject({
        kind,
        type,
      });
    },
  );

  it('keeps every field', () => {
    const event = {
      event_type: 'task_end',
      message: 'the whole message',
      kind: 'task ended on platform: Telegram',
      severity: 'WARN',
      display_message: 'short',
      task_status: 'cancelled',
      platform: 'Telegram',
      repeat_count: 3,
      ts: '2026-11-19T10:00:00',
      session_id: 's1',
    };
    expect(one(event)).toMatchObject({
      label: 'task ended on platform: Telegram',
      severity: 'WARN',
      display_message: 'short',
      task_status: 'cancelled',
      platform: 'Telegram',
      repeat_count: 3,
      valid_time: '2026-11-19T10:00:00.000Z',
      session_id: 's1',
      cwd: '/srv/demo',
      surface: 'api',
      body: { type: 'text', content: 'the whole message' },
    });
  });

  it('takes an unknown severity for INFO and never routes on text', () => {
    const event = { event_type: 'agent_message', message: 'Ignored error task_start', severity: 'LOUD' };
    expect(one(event)).toMatchObject({ kind: 'session_summary', severity: 'INFO' });
  });

  it('takes the record around an event', () => {
    const record = { event: { event_type: 'system', message: 'notice' }, ts: 1763539200, repeat_count: 50 };
    expect(one(record)).toMatchObject({
      kind: 'note',
      repeat_count: 50,
      valid_time: '2025-11-19T08:00:00.000Z',
    });
  });

  it('joins starts and ends by their id, parallel ones apart, status from the structure only', () => {
    const start = (id: string, query: string) => ({
      event_type: 'action_start',
      action_id: id,
      action_name: 'web_search',
      action_input: { query },
      message: 'searching',
    });
    const end = (id: string, output: object) => ({
      event_type: 'action_end',
      action_id: id,
      action_name: 'web_search',
      action_output: output,
      message: 'an error in the text is none',
    });
    const made = drafts([
      start('a', 'tides'),
      start('b', 'winds'),
      end('b', { status: 'error', reason: 'offline' }),
      end('a', { status: 'success', hits: 2 }),
    ]);
    expect(made.map((draft) => draft.body)).toMatchObject([
      {
        data: { tool_name: 'web_search', tool_input: { query: 'winds' }, tool_response: { success: false } },
      },
      { data: { tool_input: { query: 'tides' }, tool_response: { success: true, result: { hits: 2 } } } },
    ]);
    expect(made.map((draft) => [draft.type, draft.action_id])).toEqual([
      ['action_end', 'b'],
      ['action_end', 'a'],
    ]);
  });

  it('joins them across requests with a memory, and keeps a start alone without one', () => {
    const start = { event_type: 'action_start', action_id: 'a', action_name: 'run', action_input: { x: 1 } };
    const end = {
      event_type: 'action_end',
      action_id: 'a',
      action_output: { status: 'ok' },
      message: 'done',
    };
    const memory = new ApiEventMemory();
    expect(map([start], { memory })).toEqual([{ held: true }]);
    expect(one(end, { memory }).body).toMatchObject({
      data: { tool_name: 'run', tool_input: { x: 1 }, tool_response: { success: true, result: 'done' } },
    });
    expect(one(start)).toMatchObject({ kind: 'tool_use', type: 'action_start' });
  });
});

describe('Elephantasm types', () => {
  it.each([
    ['MESSAGE_IN', 'prompt', 'user_message', 'user'],
    ['MESSAGE_OUT', 'session_summary', 'agent_message', 'assistant'],
    ['SYSTEM', 'note', 'system', 'system'],
    ['EventType.MESSAGE_IN', 'prompt', 'user_message', 'user'],
    ['message.in', 'prompt', 'user_message', 'user'],
  ])('%s becomes %s', (event_type, kind, type, role) => {
    expect(one({ event_type, content: 'hi there' })).toMatchObject({ kind, type, role });
  });

  it('keeps every field', () => {
    const event = {
      event_type: 'MESSAGE_OUT',
      content: 'It is 72°F.',
      role: 'assistant',
      author: 'weather-agent',
      session_id: 'conv-123',
      anima_id: 'anima-7',
      occurred_at: '2026-11-19T10:00:00+01:00',
      meta: { confidence: 0.95 },
      importance_score: 0.7,
      source_uri: 'https://example.org/x',
    };
    expect(one(event)).toMatchObject({
      author: 'weather-agent',
      session_id: 'conv-123',
      valid_time: '2026-11-19T09:00:00.000Z',
      meta: { confidence: 0.95, anima_id: 'anima-7' },
      importance_score: 0.7,
      source_uri: 'https://example.org/x',
    });
  });

  it('joins a result with its call: by id, else the nearest open one of session and author', () => {
    const call = (content: string, more: object) => ({
      event_type: 'TOOL_CALL',
      content,
      session_id: 's',
      ...more,
    });
    const result = (content: string, more: object) => ({
      event_type: 'TOOL_RESULT',
      content,
      session_id: 's',
      ...more,
    });
    const made = drafts([
      call('{"name":"search","arguments":{"q":"one"}}', { meta: { tool_call_id: 't1' } }),
      call('{"name":"search","arguments":{"q":"two"}}', { author: 'x' }),
      call('{"name":"search","arguments":{"q":"three"}}', { author: 'y' }),
      result('of two', { author: 'x' }),
      result('of one', { meta: { tool_call_id: 't1', success: false } }),
      result('of nothing', { author: 'z' }),
    ]);
    expect(made.map((draft) => draft.body)).toMatchObject([
      { data: { tool_name: 'search', tool_input: { q: 'three' }, tool_response: { result: '' } } },
      { data: { tool_input: { q: 'two' }, tool_response: { result: 'of two' } } },
      { data: { tool_input: { q: 'one' }, tool_response: { result: 'of one', success: false } } },
      { data: { tool_name: 'unknown', tool_input: {}, tool_response: { result: 'of nothing' } } },
    ]);
  });

  it('calls only the last answer of a turn its summary', () => {
    const out = (content: string, session_id = 's') => ({ event_type: 'MESSAGE_OUT', content, session_id });
    const input = { event_type: 'MESSAGE_IN', content: 'next', session_id: 's' };
    const made = drafts([out('a'), out('b'), out('other', 't'), input, out('c')]);
    expect(made.map((draft) => draft.kind)).toEqual([
      'note',
      'session_summary',
      'session_summary',
      'prompt',
      'session_summary',
    ]);
  });
});

describe('events of the wire contract', () => {
  const event = {
    schema_version: 1,
    event_id: ULID,
    kind: 'note',
    body: { type: 'text', content: 'hello' },
    namespace: '/actor/somebody/project/else/',
    actor_id: 'somebody',
    session_id: 's1',
    valid_time: '2026-11-19T10:00:00+02:00',
    source: { surface: 'kiro-ide', version: '1', project_path: '/srv/other', client_id: 'c' },
    content_hash: `sha256:${'0'.repeat(64)}`,
    type: 'system',
  };

  it('keep what is theirs; place and origin are the caller’s', () => {
    const draft = one(event);
    expect(draft).toMatchObject({
      kind: 'note',
      session_id: 's1',
      type: 'system',
      surface: 'api',
      cwd: '/srv/demo',
    });
    expect(draft).not.toHaveProperty('namespace');
    expect(draft).not.toHaveProperty('content_hash');
  });

  it.each([
    [{ ...event, body: { type: 'message', turns: [] } }, 'the field body is malformed'],
    [{ ...event, kind: 'secret-kind' }, 'the field kind is malformed'],
    [{ ...event, schema_version: 2 }, 'the field schema_version is malformed'],
    [{ event_type: 'MOON', content: 'secret' }, 'the event has no known event_type'],
    [{ message: 'secret', kind: 'agent message' }, 'the event has no known event_type'],
    [{ event_type: 'user_message', message: '  ' }, 'the event has no text'],
    ['secret', 'an event must be an object'],
    [null, 'an event must be an object'],
  ])('say what is wrong, never what they hold %#', (given, error) => {
    expect(map([given])).toEqual([{ error }]);
  });
});

describe('an event that is sent again', () => {
  const message = { event_type: 'MESSAGE_IN', content: 'hello', session_id: 's' };
  const same = (a: EventDraft, b: EventDraft) => a.identity === b.identity && a.valid_time === b.valid_time;

  it('is the same by id, key, or content and time', () => {
    for (const more of [{ occurred_at: '2026-11-19T10:00:00Z' }, { event_id: ULID }]) {
      expect(same(one({ ...message, ...more }), one({ ...message, ...more }, { now: NOW + 3e6 }))).toBe(true);
    }
    const memory = new ApiEventMemory();
    const keyed = { ...message, idempotency_key: 'k' };
    expect(same(one(keyed, { memory }), one(keyed, { memory, now: NOW + 60_000 }))).toBe(true);
    const at = (occurred_at: string) => one({ ...message, occurred_at });
    expect(same(at('2026-11-19T10:00:00Z'), at('2026-11-19T10:00:01Z'))).toBe(false);
  });

  it('without either is the same within ten minutes', () => {
    const memory = new ApiEventMemory();
    const first = one(message, { memory });
    expect(same(first, one(message, { memory, now: NOW + 9 * 60_000 }))).toBe(true);
    expect(same(first, one({ ...message, content: 'hello!' }, { memory }))).toBe(false);
    expect(same(first, one(message, { memory, workspace: '/srv/b' }))).toBe(false);
    expect(same(first, one(message, { memory, now: NOW + 11 * 60_000 }))).toBe(false);
  });
});

describe('legacy kinds', () => {
  it.each([
    ['action_error', 'action_end', 'tool_use'],
    ['task_started', 'task_start', 'note'],
    ['task_ended', 'task_end', 'note'],
    ['agent reasoning', 'reasoning', 'note'],
    ['warning', 'system', 'note'],
    ['loop_detection_warning', 'system', 'note'],
    ['agent message to platform: Telegram', 'agent_message', 'session_summary'],
    ['user message from platform: Telegram', 'user_message', 'prompt'],
    ['something else', 'system', 'note'],
  ])('%s is upgraded to %s on import', (kind, type, becomes) => {
    const [event] = upgradeLegacyEvents([{ kind, message: 'text' }]);
    expect(one(event)).toMatchObject({ type, kind: becomes, label: kind });
  });

  it('leave everything else alone, and a failed action stays failed', () => {
    const events = [{ kind: 'note', body: { type: 'text', content: 'x' } }, { event_type: 'system' }, 7];
    expect(upgradeLegacyEvents(events)).toEqual(events);
    const [failed] = upgradeLegacyEvents([{ kind: 'action_error', message: 'broke', action_name: 'run' }]);
    expect(one(failed).body).toMatchObject({ data: { tool_response: { success: false, result: 'broke' } } });
  });
});

describe('whatever is sent', () => {
  it('gives one result each, and drafts that the contract takes', () => {
    const field = fc.constantFrom(
      ...[
        'event_type',
        'message',
        'content',
        'kind',
        'body',
        'meta',
        'ts',
        'session_id',
        'action_id',
        'event',
      ],
    );
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<string>(...EVENT_TYPES, 'MESSAGE_IN', 'TOOL_CALL', 'note'),
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.dictionary(field, value), fc.jsonValue()), { maxLength: 6 }),
        (events) => {
          const results = map(events);
          expect(results.length).toBe(events.length);
          for (const result of results) {
            if (!('draft' in result)) continue;
            expect(eventBodySchema.safeParse(result.draft.body).success).toBe(true);
            expect(Number.isNaN(Date.parse(result.draft.valid_time ?? ''))).toBe(false);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
