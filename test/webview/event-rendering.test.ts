import { describe, expect, test } from 'vitest';
import type { EventRow } from '../../src/contract/local-api';
import { layoutEvents } from '../../webview/event-layout';
import { renderEvent } from '../../webview/event-rendering';
import { SparsePages } from '../../webview/sparse-pages';

let count = 0;
function row(more: Partial<EventRow>): EventRow {
  count += 1;
  return {
    event_id: `01M8Q${String(count).padStart(21, '0')}`,
    namespace: '/actor/a/project/p/',
    kind: 'note',
    session_id: 's1',
    valid_time: '2026-12-01T10:00:00Z',
    surface: 'kiro-ide',
    preview: '',
    repeat_count: 1,
    distil: 'done',
    ...more,
  };
}

describe('the rendering table', () => {
  test.each(['relevant_memories', 'todos', 'internal'] as const)('%s is hidden', (type) => {
    expect(renderEvent(row({ type }))).toEqual({ drawn: undefined, why: 'hidden' });
  });

  test.each(['task_start', 'ignore'])('the action %s is control flow', (name) => {
    expect(renderEvent(row({ type: 'action_end', action_name: name })).drawn).toBeUndefined();
    expect(renderEvent(row({ type: 'action_start', action_name: name })).drawn).toBeUndefined();
  });

  test('failure is read from structure, never from text', () => {
    const said = row({ kind: 'tool_use', type: 'action_end', preview: 'error: failed', success: true });
    const was = row({ kind: 'tool_use', type: 'action_end', preview: 'fine', success: false });
    expect(renderEvent(said).drawn?.failed).toBe(false);
    expect(renderEvent(was).drawn?.failed).toBe(true);
    expect(
      renderEvent(row({ kind: 'prompt', type: 'user_message', preview: 'Ignored error' })).drawn?.tone,
    ).toBe('user');
  });

  test('an action without a display name gets its own in title case', () => {
    expect(renderEvent(row({ type: 'action_end', action_name: 'web_search' })).drawn?.name).toBe(
      'Web Search',
    );
    expect(
      renderEvent(row({ type: 'action_end', action_name: 'x', action_display_name: 'Ask' })).drawn?.name,
    ).toBe('Ask');
  });

  test('our own events are drawn by kind; a foreign one without a type is not drawn at all', () => {
    expect(renderEvent(row({ kind: 'prompt' })).drawn?.label).toBe('event.prompt');
    expect(renderEvent(row({ kind: 'note', label: 'agent message' }))).toEqual({
      drawn: undefined,
      why: 'untyped',
    });
  });

  test.each([
    ['completed', 'event.taskEnd', false],
    ['error', 'event.taskFailed', true],
    ['cancelled', 'event.taskCancelled', false],
  ])('a task that ended as %s says so', (status, label, failed) => {
    expect(renderEvent(row({ type: 'task_end', task_status: status })).drawn).toMatchObject({
      label,
      failed,
    });
  });
});

describe('the tail', () => {
  test('a start and its end are one line, parallel ones of one name stay apart', () => {
    const action = { kind: 'tool_use', action_name: 'search' } as const;
    const { lines } = layoutEvents([
      row({ ...action, type: 'action_start', action_id: 'a' }),
      row({ ...action, type: 'action_start', action_id: 'b' }),
      row({ ...action, type: 'action_end', action_id: 'b' }),
    ]);
    const events = lines.filter((line) => line.line === 'event');
    expect(events.map((line) => [line.row.action_id, line.rendering.open])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  test('reasoning of one turn is one line with its count; sessions get a heading each', () => {
    const { lines } = layoutEvents([
      row({ type: 'reasoning', turn_id: 't1' }),
      row({ type: 'reasoning', turn_id: 't1' }),
      row({ type: 'reasoning', turn_id: 't2' }),
      row({ session_id: 's2' }),
    ]);
    expect(lines.map((line) => (line.line === 'session' ? 'session' : line.grouped))).toEqual([
      'session',
      2,
      1,
      'session',
      1,
    ]);
  });

  test('delegates lie below their start, and rows in any order come out in order', () => {
    const prompt = row({ kind: 'prompt' });
    const start = row({ kind: 'tool_use', parent_event_id: prompt.event_id });
    const inner = row({ kind: 'tool_use', parent_event_id: start.event_id });
    const { lines } = layoutEvents([inner, start, prompt]);
    expect(lines.flatMap((line) => (line.line === 'event' ? [line.depth] : []))).toEqual([0, 1, 2]);
  });
});

describe('a long list of known pages', () => {
  test('asks for what is missing and forgets what was looked at longest ago', () => {
    const pages = new SparsePages<number>(10, 2);
    pages.set(0, [0, 1, 2], 45);
    expect(pages.missing(0, 25)).toEqual([1, 2]);
    pages.set(1, [10], 45);
    pages.set(4, [40], 45);
    expect(pages.at(0)).toBeUndefined();
    expect(pages.at(40)).toBe(40);
    expect(pages.missing(38, 100)).toEqual([3]);
  });
});
