import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findClaudeTranscripts, readClaudeTranscript } from '../../../src/capture/sessions/claude-transcript';
import { findV2Sessions, readV2Session } from '../../../src/capture/sessions/v2-session';
import type { Captured, EventDraft } from '../../../src/contract/event-draft';

let home: string;
const clock = { now: () => Date.parse('2026-11-20T09:00:00Z') };

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'kl-other-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

function write(file: string, rows: (object | string)[], writtenAt = '2026-11-20T08:00:00Z'): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(
    file,
    rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n') + '\n',
  );
  utimesSync(file, new Date(writtenAt), new Date(writtenAt));
}

async function all(items: AsyncIterable<Captured>): Promise<Captured[]> {
  const list: Captured[] = [];
  for await (const item of items) list.push(item);
  return list;
}
const draftsOf = (items: Captured[]): EventDraft[] =>
  items.flatMap((item) => ('draft' in item ? [item.draft] : []));
const shape = (items: Captured[]) =>
  items.map((item) =>
    'draft' in item
      ? `${item.draft.kind} ${item.draft.body.type === 'text' ? item.draft.body.content : JSON.stringify(item.draft.body)}`
      : item.signal,
  );

describe('kiro-cli V2 sessions', () => {
  const id = '9f0c0000-0000-4000-8000-000000000001';
  const file = () => path.join(home, '.kiro', 'sessions', 'cli', `${id}.jsonl`);
  const text = (data: string) => ({ kind: 'text', data });
  const line = (kind: string, data: object) => ({ version: 'v1', kind, data });
  const rows = [
    line('Prompt', {
      message_id: 'p1',
      content: [text('list the tests'), { kind: 'image', data: { format: 'png' } }],
      meta: { timestamp: 1763625600, additionalContext: 'words of a hook' },
    }),
    line('AssistantMessage', {
      message_id: 'a1',
      content: [
        { kind: 'thinking', data: { text: 'secret thoughts' } },
        text('Looking.'),
        {
          kind: 'toolUse',
          data: { toolUseId: 't1', name: 'shell', input: { command: 'ls', __tool_use_purpose: 'because' } },
        },
      ],
    }),
    line('ToolResults', {
      message_id: 'r1',
      content: [
        {
          kind: 'toolResult',
          data: {
            toolUseId: 't1',
            status: 'success',
            content: [
              { kind: 'json', data: { exit_status: 'exit status: 2', stdout: 'a.test.ts', stderr: 'oops' } },
            ],
          },
        },
      ],
    }),
    'half a li',
    line('Clear', {}),
    line('AssistantMessage', { message_id: 'a2', content: [text('One test.')] }),
    line('Prompt', { message_id: 'p2', content: [text('thanks')], meta: { timestamp: 1763625700 } }),
  ];

  it('are found with their folder and read turn by turn', async () => {
    write(file(), rows);
    writeFileSync(
      file().replace('.jsonl', '.json'),
      JSON.stringify({
        session_id: id,
        cwd: '/srv/demo',
        title: 'Tests',
        created_at: '2025-11-20T08:00:00Z',
      }),
    );
    const [session] = await findV2Sessions(home);
    expect(session).toMatchObject({
      session_id: id,
      header: { workspacePaths: ['/srv/demo'], title: 'Tests' },
    });
    const items = await all(readV2Session(file(), { clock }));
    expect(shape(items)).toEqual([
      'prompt list the tests',
      'note Looking.',
      'tool_use {"type":"json","data":{"tool_name":"shell","tool_input":{"command":"ls"},"tool_response":{"result":"a.test.ts\\noops","success":false}}}',
      'session_summary One test.',
      'turn_end',
      'prompt thanks',
    ]);
    const drafts = draftsOf(items);
    expect(drafts[2]).toMatchObject({
      parent_identity: drafts[0]?.identity,
      surface: 'kiro-cli',
      session_id: id,
    });
    expect(drafts[0]).toMatchObject({ valid_time: '2025-11-20T08:00:00.000Z', cwd: '/srv/demo' });
    expect(await all(readV2Session(file(), { clock }))).toEqual(items);
  });

  it('without a header are named as unreadable', async () => {
    write(file(), rows);
    expect(await findV2Sessions(home)).toMatchObject([{ session_id: id, refused: 'unreadable' }]);
    expect(await all(readV2Session(file(), { clock }))).toEqual([]);
  });
});

describe('Claude Code transcripts', () => {
  const id = '11111111-2222-4333-8444-555555555555';
  const file = () => path.join(home, '.claude', 'projects', '-srv-demo', `${id}.jsonl`);
  let n = 0;
  const line = (type: string, content: unknown, more: object = {}) => ({
    type,
    uuid: `uuid-${++n}`,
    timestamp: `2026-11-20T07:00:${String(n % 60).padStart(2, '0')}.000Z`,
    sessionId: id,
    cwd: '/srv/demo',
    gitBranch: 'main',
    message: { role: type, content },
    ...more,
  });
  const rows = () => [
    { type: 'summary', summary: 'Sorting slips', leafUuid: 'x' },
    { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
    line('user', 'Caveat: a machine wrote this', { isMeta: true }),
    line('user', '<command-name>/clear</command-name>'),
    line('user', 'sort slips by depth <system-reminder>not mine</system-reminder>'),
    line('assistant', [{ type: 'thinking', thinking: 'hm' }]),
    line('assistant', [{ type: 'text', text: 'I will read it.' }]),
    line('assistant', [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/srv/demo/a.ts' } }]),
    line('user', [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'code' }] }]),
    line('user', 'words of a delegate', { isSidechain: true }),
    line('assistant', [{ type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'false' } }]),
    line('user', [{ type: 'tool_result', tool_use_id: 't2', content: 'Exit code 1', is_error: true }]),
    'not json',
    line('assistant', [{ type: 'text', text: 'Sorted by depth.' }]),
    line('user', 'This session is continued: ...', { isCompactSummary: true }),
    line('user', [{ type: 'text', text: 'now by length' }]),
    line('user', [{ type: 'text', text: '[Request interrupted by user]' }]),
  ];

  it('are found with their folder and read turn by turn', async () => {
    n = 0;
    write(file(), rows());
    expect(await findClaudeTranscripts(home)).toMatchObject([
      {
        session_id: id,
        header: { id, title: 'Sorting slips', workspacePaths: ['/srv/demo'], branch: 'main' },
      },
    ]);
    const items = await all(readClaudeTranscript(file(), { clock }));
    expect(shape(items)).toEqual([
      'prompt sort slips by depth ',
      'note I will read it.',
      'tool_use {"type":"json","data":{"tool_name":"Read","tool_input":{"file_path":"/srv/demo/a.ts"},"tool_response":{"result":"code","success":true}}}',
      'tool_use {"type":"json","data":{"tool_name":"Bash","tool_input":{"command":"false"},"tool_response":{"result":"Exit code 1","success":false}}}',
      'compaction',
      'session_summary Sorted by depth.',
      'turn_end',
      'prompt now by length',
      'turn_end',
    ]);
    expect(items.at(-1)).toMatchObject({ signal: 'turn_end', stop_reason: 'cancelled' });
    expect(draftsOf(items)[0]).toMatchObject({
      surface: 'claude-code',
      branch: 'main',
      session_title: 'Sorting slips',
    });
  });

  it('that are being written keep their last turn open', async () => {
    n = 0;
    write(file(), rows().slice(0, 14), '2026-11-20T08:59:00Z');
    const items = await all(readClaudeTranscript(file(), { clock }));
    expect(shape(items).some((entry) => entry.startsWith('session_summary'))).toBe(false);
  });
});
