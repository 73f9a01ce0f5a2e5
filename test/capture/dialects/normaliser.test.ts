import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHookOutput } from '../../../src/capture/dialects/hook-output';
import { normaliseHook, type HookCapture } from '../../../src/capture/dialects/normaliser';
import { readProse } from '../../../src/capture/dialects/prose-result';

interface Given {
  event?: string;
  payload: unknown;
  channel?: 'env' | 'stdin';
  host?: string;
  key?: string;
}

function hook({ event = '', payload, channel = 'stdin', host = '', key = 'k1' }: Given): HookCapture {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return normaliseHook({
    event,
    receivedAt: Date.parse('2026-11-20T08:00:00Z'),
    frame: { channel, cwd: '/srv/demo', idempotencyKey: key, host, payload: Buffer.from(text) },
  });
}

function draftOf(capture: HookCapture) {
  if (capture.outcome !== 'event') throw new Error(`expected an event, got ${capture.outcome}`);
  return capture.draft;
}

describe('which event it is', () => {
  it('believes the payload where the argument says otherwise', () => {
    const payload = {
      session_id: 'sess_1',
      hook_event_name: 'PostToolUse',
      cwd: '/srv/demo',
      tool_name: 'fs_write',
      tool_input: { path: 'a.ts' },
      tool_response: 'Created the a.ts file.',
    };
    expect(draftOf(hook({ event: 'UserPromptSubmit', payload })).kind).toBe('tool_use');
  });

  it('takes the argument where the payload names none', () => {
    expect(draftOf(hook({ event: 'prompt', payload: { session_id: 'sess_1', prompt: 'hello' } })).kind).toBe(
      'prompt',
    );
  });

  it('does not fall back to the argument when the payload names an unknown event', () => {
    const payload = { session_id: 'sess_1', hook_event_name: 'MoonRise', prompt: 'hello' };
    expect(hook({ event: 'UserPromptSubmit', payload }).outcome).toBe('skip');
  });
});

describe('which dialect it is', () => {
  const base = { cwd: '/srv/demo', prompt: 'hello' };
  it.each([
    ['kiro-1x', { ...base, session_id: 'sess_1', hook_event_name: 'UserPromptSubmit' }],
    ['kiro-1x', { ...base, session_id: 'sess_1', hook_event_name: 'UserPromptSubmit', source: 'x' }],
    ['kiro-cli-v2', { ...base, session_id: '9f', hook_event_name: 'userPromptSubmit' }],
    ['vscode', { ...base, sessionId: 'v', hookEventName: 'UserPromptSubmit', transcript_path: '/t' }],
    [
      'vscode',
      { ...base, session_id: 'v', hook_event_name: 'UserPromptSubmit', timestamp: '2026-01-01T00:00:00Z' },
    ],
    [
      'claude-code',
      { ...base, session_id: 'c', hook_event_name: 'UserPromptSubmit', permission_mode: 'default' },
    ],
  ])('%s %#', (dialect, payload) => {
    const capture = hook({ payload });
    expect(capture).toMatchObject({ outcome: 'event', dialect });
  });

  it('keeps the time that VS Code states and the cwd of the payload', () => {
    const payload = {
      timestamp: '2026-01-01T00:00:00+02:00',
      cwd: '/srv/other',
      sessionId: 'v',
      hookEventName: 'UserPromptSubmit',
      prompt: 'hi there',
    };
    expect(draftOf(hook({ payload }))).toMatchObject({
      valid_time: '2025-12-31T22:00:00.000Z',
      cwd: '/srv/other',
      surface: 'vscode',
    });
  });
});

describe('what is not captured', () => {
  it.each(['mcp_kiro_learn_ide_search', '@kiro-learn-ide/search', 'mcp__kiro-learn-ide__search', 'memory'])(
    'calls of %s',
    (tool_name) => {
      const payload = { session_id: 'sess_1', hook_event_name: 'PostToolUse', tool_name, tool_response: 'x' };
      expect(hook({ payload }).outcome).toBe('skip');
    },
  );

  it('an MCP tool of somebody else is captured', () => {
    const payload = {
      session_id: 'sess_1',
      hook_event_name: 'PostToolUse',
      tool_name: 'mcp_learning_api_get',
      tool_response: 'x',
    };
    expect(hook({ payload }).outcome).toBe('event');
  });
});

describe('a hook that is registered twice', () => {
  it('gives one identity where the host numbers its calls', () => {
    const payload = {
      session_id: 'c',
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: 't1',
      tool_response: { stdout: 'ok', stderr: '' },
    };
    const first = draftOf(hook({ payload, key: 'k1' }));
    const second = draftOf(hook({ payload, key: 'k2' }));
    expect(first.identity).toBe(second.identity);
    const other = draftOf(hook({ payload: { ...payload, tool_use_id: 't2' } }));
    expect(other.identity).not.toBe(first.identity);
  });
});

describe('the end of a turn', () => {
  it('is a signal where the payload holds no answer', () => {
    const capture = hook({ payload: { session_id: 'sess_1', hook_event_name: 'Stop' } });
    expect(capture).toMatchObject({
      outcome: 'signal',
      signal: { signal: 'turn_end', session_id: 'sess_1' },
    });
  });

  it('is a summary that closes the turn where it does', () => {
    const payload = { session_id: 'c', hook_event_name: 'Stop', last_assistant_message: 'Done.' };
    expect(draftOf(hook({ payload }))).toMatchObject({ kind: 'session_summary', ends_turn: true });
  });
});

describe('prompts that a build leaves out', () => {
  it('are looked for in the session file', () => {
    const payload = { session_id: 'sess_1', hook_event_name: 'UserPromptSubmit', prompt: null };
    expect(hook({ payload })).toMatchObject({ outcome: 'prompt_in_session_file', sessionId: 'sess_1' });
  });
});

describe('whatever arrives', () => {
  const words = [
    '',
    'prompt',
    'promptSubmit',
    'postToolUse',
    'Stop',
    'PreCompact',
    'constructor',
    '__proto__',
  ];
  const keys = ['session_id', 'hook_event_name', 'prompt', 'tool_name', 'tool_input', 'tool_response', 'cwd'];

  it('never throws and never tells the payload in a reason', () => {
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .dictionary(fc.constantFrom(...keys), fc.oneof(fc.json(), fc.string(), fc.constantFrom(...words)))
        .map((value) => new Uint8Array(Buffer.from(JSON.stringify(value)))),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...words),
        fc.constantFrom<'env' | 'stdin'>('env', 'stdin'),
        payload,
        (event, channel, bytes) => {
          const capture = normaliseHook({
            event,
            receivedAt: 0,
            frame: { channel, cwd: '/x', idempotencyKey: 'k', host: '', payload: bytes },
          });
          if (capture.outcome === 'event') {
            expect(capture.draft.identity).not.toBe('');
            expect(() => JSON.stringify(capture.draft.body)).not.toThrow();
          }
          if (capture.outcome === 'skip') expect(capture.reason).toMatch(/^[a-z A-Z]+$/);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('bounds the depth of what it hands on', () => {
    const deep = '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000);
    const payload = `{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"x","tool_input":${deep},"tool_response":"done"}`;
    const capture = hook({ payload });
    expect(capture.outcome).toBe('event');
    expect(JSON.stringify(draftOf(capture).body).length).toBeLessThan(2000);
  });
});

describe('results in prose', () => {
  it.each([
    ['fs_write', 'Created the a b/c.ts file.\n', { path: 'a b/c.ts', success: true }],
    ['fsWrite', 'Created the a.ts file.', { path: 'a.ts', success: true }],
    ['str_replace', 'Replaced text in a.ts (12 occurrences)', { path: 'a.ts', success: true }],
    ['str_replace', 'Replaced text in a (1).ts', { path: 'a (1).ts', success: true }],
    ['fs_append', 'Appended the text to the x/y.md file.', { path: 'x/y.md', success: true }],
    ['fs_write', 'Error: EACCES', { success: false }],
    ['fs_write', 'hm', {}],
    ['execute_bash', 'Output:\nok\n\nExit Code: 0\n', { exit_code: 0, success: true }],
    ['execute_pwsh', 'Output:\n\nExit Code: -1', { exit_code: -1, success: false }],
    ['execute_bash', 'Output:\nExit Code: 3 was expected', {}],
    ['read_file', 'Created the a.ts file.', {}],
  ])('%s %j', (tool, text, findings) => {
    expect(readProse(tool, text)).toEqual(findings);
  });
});

describe('hook output', () => {
  it.each([
    ['text', 'UserPromptSubmit', 'ctx'],
    ['text', 'promptSubmit', 'ctx'],
    ['text', 'PostToolUse', ''],
    ['text', 'Stop', ''],
    ['vscode-json', 'UserPromptSubmit', ''],
    [
      'vscode-json',
      'SessionStart',
      '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"ctx"}}',
    ],
    [
      'vscode-json',
      'postToolUse',
      '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"ctx"}}',
    ],
    [
      'claude-json',
      'UserPromptSubmit',
      '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"ctx"}}',
    ],
    ['claude-json', 'Stop', ''],
  ] as const)('%s at %s', (output, event, expected) => {
    expect(formatHookOutput(output, event, 'ctx')).toBe(expected);
    expect(formatHookOutput(output, event, '')).toBe('');
  });
});
