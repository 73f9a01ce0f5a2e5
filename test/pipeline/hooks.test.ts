import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookFrame } from '../../src/contract/hook-frame';
import { openTestCollector, type TestCollector } from '../support/collector';

const START = Date.parse('2026-11-20T09:00:00Z');
const WORKSPACE = '/srv/parcel-router';

describe('hooks through the collector', () => {
  let opened: TestCollector;
  let now: number;
  let runs: number;

  beforeEach(async () => {
    now = START;
    runs = 0;
    opened = await openTestCollector({ clock: { now: () => now } });
  });
  afterEach(() => opened.dispose());

  function frame(payload: object, key = `${now}-${String(++runs).padStart(24, '0')}`): HookFrame {
    const bytes = Buffer.from(JSON.stringify({ cwd: WORKSPACE, ...payload }));
    return { channel: 'stdin', cwd: WORKSPACE, idempotencyKey: key, host: '', payload: bytes };
  }

  function hook(event: string, payload: object, key?: string): Promise<string> {
    now += 1000;
    return opened.collector.handleHook(event, frame(payload, key), new AbortController().signal);
  }

  async function learnPreference(): Promise<void> {
    const prompt = 'From now on run the tests with `uv run pytest -q`, never with plain pytest.';
    await hook('UserPromptSubmit', { session_id: 'sess_00000000-0000-4000-8000-000000000001', prompt });
    await hook('Stop', { session_id: 'sess_00000000-0000-4000-8000-000000000001' });
    await opened.collector.distilNow();
  }

  it('hands what one session learned to the next one, once', async () => {
    await learnPreference();
    const session_id = 'sess_00000000-0000-4000-8000-000000000002';
    const prompt = 'Write a test for the zone parser and run the tests.';
    const first = await hook('UserPromptSubmit', { session_id, prompt });
    expect(first).toContain('uv run pytest -q');
    expect(first).toMatch(/^<kiro-learn-context source="kiro-learn" key="testkey0">\n/);
    expect(await hook('UserPromptSubmit', { session_id, prompt: 'And run the tests again, please.' })).toBe(
      '',
    );
    expect(await hook('UserPromptSubmit', { session_id, prompt: 'ok, continue' })).toBe('');
  });

  it('keeps context for VS Code until an event whose output that host delivers', async () => {
    await learnPreference();
    const envelope = {
      sessionId: 'vs-1',
      timestamp: '2026-11-20T10:00:00.000Z',
      transcript_path: '/t.jsonl',
    };
    const prompt = 'Write a test for the zone parser and run the tests.';
    const asked = await hook('UserPromptSubmit', { ...envelope, hookEventName: 'UserPromptSubmit', prompt });
    expect(asked).toBe('');
    const tool = { hookEventName: 'PostToolUse', tool_name: 'readFile', tool_input: {}, tool_response: 'x' };
    const answer = JSON.parse(await hook('PostToolUse', { ...envelope, ...tool, tool_use_id: 't1' })) as {
      hookSpecificOutput: { hookEventName: string; additionalContext: string };
    };
    expect(answer.hookSpecificOutput.hookEventName).toBe('PostToolUse');
    expect(answer.hookSpecificOutput.additionalContext).toContain('uv run pytest -q');
    expect(await hook('PostToolUse', { ...envelope, ...tool, tool_use_id: 't2' })).toBe('');
  });

  it('stores a call once though the hook is registered twice', async () => {
    const call = {
      session_id: 'cc-1',
      transcript_path: '/t.jsonl',
      permission_mode: 'default',
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'git log -1' },
      tool_use_id: 'toolu_1',
      tool_response: { stdout: '4be01c7', stderr: '', interrupted: false },
    };
    await hook('PostToolUse', call);
    await hook('PostToolUse', call);
    const { items } = opened.store.events.list({ limit: 10 });
    expect(items).toHaveLength(1);
    expect(items[0]?.repeat_count).toBe(1);
  });

  it('knows an event that came in time when the spool brings it again', async () => {
    const payload = {
      session_id: 's',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'where is the depot list',
    };
    const key = `${START}-0123456789abcdef01234567`;
    await hook('UserPromptSubmit', payload, key);
    await hook('UserPromptSubmit', payload, key);
    const { items } = opened.store.events.list({ limit: 10 });
    expect(items.map((row) => row.repeat_count)).toEqual([1]);
  });

  it('gives sources without a session id one session per folder and a new one after 30 minutes', async () => {
    const env = (text: string): HookFrame => ({
      channel: 'env',
      cwd: WORKSPACE,
      idempotencyKey: `${now}-${String(++runs).padStart(24, '0')}`,
      host: 'kiro window:12',
      payload: Buffer.from(text),
    });
    const say = async (text: string) => {
      await opened.collector.handleHook('promptSubmit', env(text), new AbortController().signal);
    };
    await say('first question about zones');
    now += 20 * 60_000;
    await say('second question about zones');
    now += 31 * 60_000;
    await say('third question, after lunch');
    const sessions = opened.store.events.list({ limit: 10 }).items.map((row) => row.session_id);
    expect(sessions[1]).toBe(sessions[2]);
    expect(sessions[0]).not.toBe(sessions[1]);
  });

  it('keeps what one agent of the API stores below its own part of the project', async () => {
    const drafts = (anima: string, content: string) => ({
      kind: 'note' as const,
      body: { type: 'text' as const, content },
      identity: `api:${anima}:${content}`,
      surface: 'api' as const,
      session_id: 'conv-1',
      cwd: WORKSPACE,
      meta: { anima_id: anima },
    });
    const [a, b] = await opened.collector.capture([
      drafts('luna', 'a note of one agent'),
      drafts('../other', 'a note of another'),
    ]);
    const namespaces = [a, b].map((result) => (result && 'event' in result ? result.event.namespace : ''));
    const own = (await opened.collector.deps.resolver.resolve({ path: WORKSPACE })).namespace;
    expect(namespaces[0]).not.toBe(namespaces[1]);
    for (const namespace of namespaces) expect(namespace.startsWith(own.slice(0, -1))).toBe(true);
  });
});
