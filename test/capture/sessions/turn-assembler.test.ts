import { beforeEach, describe, expect, it } from 'vitest';
import { joinFragments } from '../../../src/capture/sessions/say-text';
import { parseHeader } from '../../../src/capture/sessions/session-header';
import { parseRow, type AnyRow } from '../../../src/capture/sessions/session-row';
import { TurnAssembler } from '../../../src/capture/sessions/turn-assembler';
import type { Captured, EventDraft } from '../../../src/contract/event-draft';

const header = parseHeader(
  JSON.stringify({
    schemaVersion: '1.0.0',
    id: 'sess_5b0e8f0a-1111-4c2d-9b77-000000000001',
    title: 'Importer skips row',
    agentMode: 'spec',
    workspacePaths: ['/srv/demo'],
    repositories: [{ root: '/srv/main', worktree: '/srv/demo', branch: 'topic', remote: 7 }],
    unknown: { key: true },
  }),
);

let counter = 0;
let assembler: TurnAssembler;

beforeEach(() => {
  counter = 0;
  if (!('header' in header)) throw new Error('the header is readable');
  assembler = new TurnAssembler(header.header, 'kiro-ide');
});

function row(payload: object, id = `m${++counter}`): AnyRow {
  const timestamp = new Date(Date.UTC(2026, 10, 20, 8) + counter * 1000).toISOString();
  const result = parseRow(Buffer.from(JSON.stringify({ id, timestamp, payload })));
  if (!('row' in result)) throw new Error(`a row was ${result.skipped}`);
  return result.row;
}

function feed(...payloads: object[]): Captured[] {
  for (const payload of payloads) assembler.feed(row(payload));
  return assembler.take().map((item) => item.captured);
}

const drafts = (items: Captured[]): EventDraft[] =>
  items.flatMap((item) => ('draft' in item ? [item.draft] : []));
const texts = (items: Captured[]) =>
  drafts(items).map(
    (draft) => `${draft.kind}: ${draft.body.type === 'text' ? draft.body.content : draft.action_name}`,
  );

const user = (content: string, more: object = {}) => ({ type: 'user', content, source: 'chat', ...more });
const start = (executionId: string) => ({ type: 'turn_start', executionId });
const end = (executionId: string, stopReason = 'end_turn') => ({ type: 'turn_end', stopReason, executionId });
const say = (content: string, executionId: string) => ({
  type: 'assistant',
  content,
  operationType: 'Say',
  executionId,
});
const call = (toolCallId: string, executionId: string, more: object = {}) => ({
  type: 'tool_call',
  toolCallId,
  toolName: 'execute_bash',
  executionId,
  ...more,
});
const result = (toolCallId: string, executionId: string, more: object = {}) => ({
  type: 'tool_result',
  toolCallId,
  content: 'Output:\nok\n\nExit Code: 0',
  executionId,
  ...more,
});

describe('turns', () => {
  it('take in what the engine leaves without a turn, by the next row that names one', () => {
    expect(feed(user('first'))).toEqual([]);
    expect(assembler.isWaiting).toBe(true);
    const opened = feed(start('t1'));
    expect(drafts(opened)).toMatchObject([{ kind: 'prompt', turn_id: 't1', meta: { agent_mode: 'spec' } }]);
    const steered = feed(user('use tabs', { source: 'steer' }), say('ok', 't1'));
    expect(drafts(steered)).toMatchObject([
      { kind: 'prompt', turn_id: 't1', parent_identity: drafts(opened)[0]?.identity, meta: { steer: true } },
    ]);
  });

  it('make one answer of what was said after the last result, and notes of the rest', () => {
    const items = feed(
      user('go'),
      start('t1'),
      say('Let me ', 't1'),
      say('look.', 't1'),
      call('c1', 't1', { args: { command: 'ls' } }),
      result('c1', 't1', { success: true, durationMs: 41 }),
      say('Found it', 't1'),
      say(', and fixed it.', 't1'),
      say('Tests pass.', 't1'),
      end('t1'),
    );
    expect(texts(items)).toEqual([
      'prompt: go',
      'note: Let me look.',
      'tool_use: execute_bash',
      'session_summary: Found it, and fixed it.\n\nTests pass.',
    ]);
    expect(items.at(-1)).toMatchObject({ signal: 'turn_end', turn_id: 't1', stop_reason: 'end_turn' });
    expect(drafts(items)[2]?.body).toMatchObject({
      data: { duration_ms: 41, tool_response: { success: true, exit_code: 0 } },
    });
  });

  it('that are cancelled leave open calls as begun, and a result without its call tells nothing', () => {
    const items = feed(user('go'), start('t1'), call('c1', 't1'), result('c9', 't1'), end('t1', 'cancelled'));
    expect(drafts(items)[1]).toMatchObject({ type: 'action_start', action_id: 'c1' });
    expect(drafts(items).length).toBe(2);
  });

  it('keep parallel calls of one name apart', () => {
    const items = feed(
      start('t1'),
      call('c1', 't1', { args: { command: 'one' } }),
      call('c2', 't1', { args: { command: 'two' } }),
      result('c2', 't1', { content: 'of two', success: false }),
      result('c1', 't1', { content: 'of one' }),
    );
    expect(drafts(items).map((draft) => draft.body)).toMatchObject([
      { data: { tool_input: { command: 'two' }, tool_response: { result: 'of two', success: false } } },
      { data: { tool_input: { command: 'one' }, tool_response: { result: 'of one' } } },
    ]);
  });
});

describe('rows that are no news', () => {
  it('such as copies are passed over, but not another row of the same id', () => {
    const first = row(user('go'), 'same');
    const copy = { ...first };
    const other = row(user('go on'), 'same');
    for (const one of [first, copy, other]) assembler.feed(one);
    expect(texts(feed(start('t1')))).toEqual(['prompt: go', 'prompt: go on']);
  });

  it('such as the engine’s own words, system prompts and silent tools are not captured', () => {
    const synthetic = { _meta: { kiro: { syntheticUserMessageReason: 'agent-initiated-prompt' } } };
    const items = feed(
      user('brief', synthetic),
      { type: 'agent_note', content: 'the time is 8' },
      start('t1'),
      {
        type: 'session_start',
        content: '(system prompt)',
        agentType: 'vibe',
        forcedRole: false,
        messageId: 'm1',
      },
      { type: 'assistant', content: '...', operationType: 'Reasoning', executionId: 't1' },
      { type: 'assistant', content: 'So far: row 7.', operationType: 'Summary' },
      { type: 'system', content: 'Session restored.' },
      call('c1', 't1', { toolName: 'memory' }),
      result('c1', 't1'),
      call('c2', 't1', { toolName: 'mcp_kiro_learn_ide_search' }),
      result('c2', 't1'),
    );
    expect(items).toEqual([]);
  });

  it('such as a role that a program hands to the model are marked', () => {
    const role = `You are Quill, a crew member. ${'Rules apply. '.repeat(20)}`;
    expect(drafts(feed(user(role), start('t1')))[0]).toMatchObject({ role: 'system' });
    expect(drafts(feed(user(role), start('t2')))[0]).not.toHaveProperty('role');
  });
});

describe('what happens besides', () => {
  it('becomes notes with their own type', () => {
    const items = feed(
      start('t1'),
      { type: 'error', message: 'model overloaded', code: 'throttled', details: {} },
      { type: 'mode_change', fromMode: 'vibe', toMode: 'spec', reason: 'user' },
      {
        type: 'assistant',
        content: 'The plugin is registered twice.',
        operationType: 'Reasoning',
        executionId: 't1',
      },
    );
    expect(drafts(items)).toMatchObject([
      { kind: 'note', type: 'error', severity: 'ERROR', turn_id: 't1' },
      { kind: 'note', type: 'system' },
      { kind: 'note', type: 'reasoning' },
    ]);
  });

  it('names the place once for all', () => {
    expect(drafts(feed(user('go'), start('t1')))[0]).toMatchObject({
      cwd: '/srv/demo',
      branch: 'topic',
      session_title: 'Importer skips row',
      project_hints: { workspace_paths: ['/srv/demo'], repositories: ['/srv/main'] },
    });
  });
});

describe('what is undone', () => {
  it('is named by a checkpoint’s tombstone, whole turns and what is open', () => {
    const kept = drafts(feed(user('a'), start('t1'), say('A', 't1'), end('t1')));
    const from = counter + 1;
    const undone = drafts(feed(user('b'), start('t2'), call('c1', 't2'), result('c1', 't2'), say('B', 't2')));
    const items = feed(
      { type: 'tombstone', kind: 'checkpoint_revert', effectiveFromMessageId: `m${from}` },
      end('t2'),
    );
    expect(items[0]).toMatchObject({ signal: 'revert', identities: undone.map((draft) => draft.identity) });
    expect(texts(items)).toEqual([]);
    expect(kept.length).toBe(2);
  });

  it('is not what a compaction drops from the model’s context', () => {
    feed(user('a'), start('t1'), say('A', 't1'), end('t1'));
    expect(feed({ type: 'tombstone', kind: 'summarization', effectiveFromMessageId: 'm1' })).toMatchObject([
      { signal: 'compaction' },
    ]);
  });

  it('may be a single call', () => {
    const [, use] = drafts(feed(user('a'), start('t1'), call('c1', 't1'), result('c1', 't1')));
    expect(feed({ type: 'tool_revert', toolCallId: 'c1' })).toMatchObject([
      { signal: 'revert', identities: [use?.identity] },
    ]);
    expect(feed({ type: 'tool_revert', toolCallId: 'unknown' })).toEqual([]);
  });
});

describe('delegates', () => {
  it('are a call with what they did below it, also when one starts another', () => {
    const begin = (subSessionId: string, subAgentName: string) => ({
      type: 'sub_agent_start',
      parentExecutionId: 't1',
      subSessionId,
      subAgentName,
      prompt: 'check',
      explanation: 'second look',
    });
    const finish = (subSessionId: string, status: string) => ({
      type: 'sub_agent_complete',
      parentExecutionId: 't1',
      subSessionId,
      response: '',
      status,
      errorMessage: 'out of context',
    });
    const outer = feed(user('go'), start('t1'), begin('s1', 'reviewer'));
    for (const one of [
      user('check'),
      begin('s2', 'helper'),
      finish('s2', 'success'),
      call('d1', 't1'),
      result('d1', 't1'),
      say('Looks right.', 't1'),
    ]) {
      assembler.feedDelegate('s1', row(one));
    }
    const inside = drafts(assembler.take().map((item) => item.captured));
    const [whole] = drafts(feed(finish('s1', 'error')));
    expect(inside).toMatchObject([
      { action_name: 'subagent_helper', parent_identity: whole?.identity, author: 'reviewer' },
      { action_name: 'execute_bash', parent_identity: whole?.identity, author: 'reviewer', turn_id: 't1' },
    ]);
    expect(whole).toMatchObject({
      parent_identity: drafts(outer)[0]?.identity,
      action_name: 'subagent_reviewer',
    });
    expect(whole?.body).toMatchObject({
      data: { tool_response: { result: 'out of context', success: false } },
    });
  });
});

describe('rows', () => {
  it.each([
    [{ id: 'x', timestamp: 'never', payload: { type: 'user', content: 7 } }, 'row'],
    [{ id: 'x', payload: { type: 'tool_call', toolCallId: 't' } }, 'row'],
    [{ id: 'x', payload: { type: 'tool_call' } }, 'broken_line'],
    [{ payload: { type: 'user', content: 'x' } }, 'broken_line'],
    [{ id: 'x', payload: { type: 'presence_ping' } }, 'unknown_type'],
    [{ id: 'x', payload: { type: 'constructor' } }, 'unknown_type'],
    [['x'], 'broken_line'],
    ['', 'broken_line'],
  ])('%j is a %s', (value, expected) => {
    const parsed = parseRow(Buffer.from(JSON.stringify(value)));
    expect('row' in parsed ? 'row' : parsed.skipped).toBe(expected);
  });

  it('never keep images or documents', () => {
    const one = row(
      user('look', { images: [{ data: 'AAAA', mimeType: 'image/png' }], documents: [{ data: 'BBBB' }] }),
    );
    expect(JSON.stringify(one)).not.toMatch(/AAAA|BBBB/);
  });
});

describe('fragments', () => {
  it.each([
    [['Found it', ' and fixed it.'], 'Found it and fixed it.'],
    [['impor', 'ter'], 'importer'],
    [['Done.', 'Next step.'], 'Done.\n\nNext step.'],
    [['a\n', 'b'], 'a\nb'],
    [['', 'x', ''], 'x'],
  ])('%j', (fragments, expected) => {
    expect(joinFragments(fragments)).toBe(expected);
  });
});
