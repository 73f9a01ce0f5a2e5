import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSessionFolders, readSessionFolder } from '../../../src/capture/sessions/session-reader';
import { SessionTailer, type SessionTailerDeps } from '../../../src/capture/sessions/session-tailer';
import { systemClock } from '../../../src/contract/clock';
import type { Captured } from '../../../src/contract/event-draft';
import { sharedData } from '../../support/shared-data';

const ID = 'sess_5b0e8f0a-1111-4c2d-9b77-000000000001';
let base: string;
let root: string;
let folder: string;
let now: number;
let cursors: Map<string, string>;
let tailers: SessionTailer[];

beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'kl-tail-'));
  root = path.join(base, '.kiro', 'sessions');
  folder = path.join(root, 'ab12ab12ab12ab12', ID);
  now = Date.now();
  cursors = new Map();
  tailers = [];
});
afterEach(async () => {
  await Promise.all(tailers.map((tailer) => tailer.dispose()));
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

interface Seen {
  tailer: SessionTailer;
  items: Captured[];
  notRead: string[];
}

function tail(changes: Partial<SessionTailerDeps> = {}): Seen {
  const items: Captured[] = [];
  const notRead: string[] = [];
  const tailer = new SessionTailer({
    root,
    cursors: { get: (key) => cursors.get(key), set: (key, value) => void cursors.set(key, value) },
    clock: { now: () => now },
    since: 0,
    accepts: () => true,
    onCaptured: async (_header, more) => void items.push(...more),
    onNotRead: (_id, reason) => notRead.push(reason),
    ...changes,
  });
  tailers.push(tailer);
  return { tailer, items, notRead };
}

const header = {
  schemaVersion: '1.0.0',
  id: ID,
  title: 'Rows',
  agentMode: 'vibe',
  workspacePaths: ['/srv/demo'],
  createdAt: '2026-11-20T08:00:00.000Z',
  lastModifiedAt: '2026-11-20T08:00:00.000Z',
};

function writeHeader(changes: object = {}): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'session.json'), JSON.stringify({ ...header, ...changes }));
}

let second = 0;
function row(id: string, payload: object): string {
  second += 1;
  return `${JSON.stringify({ id, timestamp: new Date(Date.UTC(2026, 10, 20) + second * 1000).toISOString(), payload })}\n`;
}

function turn(n: number): string {
  const executionId = `ex-${n}`;
  return [
    row(`u${n}`, { type: 'user', content: `prompt number ${n}`, source: 'chat' }),
    row(`s${n}`, { type: 'turn_start', executionId }),
    row(`c${n}`, {
      type: 'tool_call',
      toolCallId: `tc-${n}`,
      toolName: 'read_file',
      args: { path: 'a.ts' },
      executionId,
    }),
    row(`r${n}`, { type: 'tool_result', toolCallId: `tc-${n}`, content: 'text', success: true, executionId }),
    row(`a${n}`, { type: 'assistant', content: `answer number ${n}`, operationType: 'Say', executionId }),
    row(`e${n}`, { type: 'turn_end', stopReason: 'end_turn', executionId }),
  ].join('');
}

const messages = () => path.join(folder, 'messages.jsonl');
const add = (text: string) => appendFileSync(messages(), text);
const kinds = (items: Captured[]) => items.map((item) => ('draft' in item ? item.draft.kind : item.signal));
const identities = (items: Captured[]) =>
  items.flatMap((item) => ('draft' in item ? [item.draft.identity] : []));
const TURN = ['prompt', 'tool_use', 'session_summary', 'turn_end'];

describe('following a session', () => {
  it('hands on each thing once, as soon as it is final', async () => {
    writeHeader();
    const { tailer, items } = tail();
    add('');
    await tailer.scan();
    const lines = turn(1).split(/(?<=\n)/);
    const seen: string[][] = [];
    for (const line of lines) {
      add(line);
      await tailer.scan();
      seen.push(kinds(items));
    }
    expect(seen.map((list) => list.length)).toEqual([0, 1, 1, 2, 2, 4]);
    expect(kinds(items)).toEqual(TURN);
    await tailer.scan();
    expect(items.length).toBe(4);
  });

  it('waits for the rest of a half-written line', async () => {
    writeHeader();
    const text = turn(1) + turn(2);
    const { tailer, items } = tail();
    for (let at = 0; at < text.length; at += 97) {
      add(text.slice(at, at + 97));
      await tailer.scan();
    }
    expect(kinds(items)).toEqual([...TURN, ...TURN]);
  });

  it('goes on after a restart, at any line, without handing on anything twice', async () => {
    writeHeader();
    const lines = (turn(1) + turn(2)).split(/(?<=\n)/);
    const all: Captured[] = [];
    for (const line of lines) {
      add(line);
      const { tailer, items } = tail();
      await tailer.scan();
      await tailer.dispose();
      all.push(...items);
    }
    expect(kinds(all)).toEqual([...TURN, ...TURN]);
    const tools = all.filter((item) => 'draft' in item && item.draft.kind === 'tool_use');
    expect(tools[1]).toMatchObject({ draft: { parent_identity: identities(all)[3], turn_id: 'ex-2' } });
  });

  it('reads again what could not be handed on', async () => {
    writeHeader();
    add(turn(1));
    let failures = 1;
    const taken: Captured[] = [];
    const { tailer } = tail({
      onCaptured: async (_header, more) => {
        if (failures-- > 0) throw new Error('store is down');
        taken.push(...more);
      },
    });
    await tailer.scan();
    expect(taken).toEqual([]);
    await tailer.scan();
    expect(kinds(taken)).toEqual(TURN);
  });

  it('understands a return to a checkpoint that lies before a restart', async () => {
    writeHeader();
    add(turn(1) + turn(2));
    const before = tail();
    await before.tailer.scan();
    await before.tailer.dispose();
    add(row('t1', { type: 'tombstone', kind: 'checkpoint_revert', effectiveFromMessageId: 'u2' }));
    const after = tail();
    await after.tailer.scan();
    expect(after.items).toEqual([
      { signal: 'revert', session_id: ID, identities: identities(before.items).slice(3) },
    ]);
  });

  it('starts over when the file was cut or replaced, with the same identities', async () => {
    writeHeader();
    const first = turn(1);
    add(first + turn(2));
    const { tailer, items } = tail();
    await tailer.scan();
    truncateSync(messages(), Buffer.byteLength(first));
    await tailer.scan();
    expect(new Set(identities(items)).size).toBe(6);
    expect(identities(items).slice(6)).toEqual(identities(items).slice(0, 3));
    const count = items.length;
    const other = path.join(base, 'other.jsonl');
    writeFileSync(other, turn(3) + turn(4) + turn(5));
    renameSync(other, messages());
    await tailer.scan();
    expect(kinds(items.slice(count))).toEqual([...TURN, ...TURN, ...TURN]);
  });

  it('keeps what it read of a session that is deleted', async () => {
    writeHeader();
    add(turn(1));
    const { tailer, items } = tail();
    await tailer.scan();
    rmSync(folder, { recursive: true });
    await tailer.scan();
    expect(kinds(items)).toEqual(TURN);
  });

  it('passes over blank, broken and unknown lines, and takes CRLF', async () => {
    writeHeader();
    const good = turn(1).replace(/\n/g, '\r\n');
    add(`\n\r\n{"id":"x","payl\nnot json\n[1]\n{"id":"p","payload":{"type":"presence_ping"}}\n${good}`);
    const { tailer, items } = tail();
    await tailer.scan();
    expect(kinds(items)).toEqual(TURN);
  });
});

describe('prompts whose turn never starts', () => {
  it('are handed on without a turn after five minutes of stillness', async () => {
    writeHeader();
    add(row('u9', { type: 'user', content: 'anyone there?', source: 'chat' }));
    const { tailer, items } = tail();
    await tailer.scan();
    now += 4 * 60_000;
    await tailer.scan();
    expect(items).toEqual([]);
    now += 61_000;
    await tailer.scan();
    expect(kinds(items)).toEqual(['prompt']);
    expect(items[0]).not.toHaveProperty('draft.turn_id');
  });
});

describe('sessions that must not be read', () => {
  it('are turned away by their header, before a message is opened, until that changes', async () => {
    writeHeader();
    add(turn(1));
    let open = false;
    const asked: string[] = [];
    const { tailer, items } = tail({
      accepts: (found) => {
        asked.push(found.workspacePaths.join());
        return open;
      },
    });
    await tailer.scan();
    await tailer.scan();
    expect(asked).toEqual(['/srv/demo']);
    expect(items).toEqual([]);
    expect(cursors.size).toBe(0);
    open = true;
    tailer.reconsider();
    await tailer.scan();
    expect(kinds(items)).toEqual(TURN);
  });

  it('of another schema are reported once', async () => {
    writeHeader({ schemaVersion: '2.0.0' });
    add(turn(1));
    const { tailer, items, notRead } = tail();
    await tailer.scan();
    add(turn(2));
    await tailer.scan();
    expect(notRead).toEqual(['schema_version']);
    expect(items).toEqual([]);
  });

  it('that rest since before are left to the import', async () => {
    writeHeader();
    add(turn(1));
    const { tailer, items } = tail({ since: Date.now() + 60_000 });
    await tailer.scan();
    expect(items).toEqual([]);
  });

  it('have no record yet', async () => {
    writeHeader();
    writeFileSync(messages(), '');
    const { tailer, items, notRead } = tail();
    await tailer.scan();
    expect([items, notRead]).toEqual([[], []]);
    add(turn(1));
    await tailer.scan();
    expect(kinds(items)).toEqual(TURN);
  });
});

describe('delegates', () => {
  it('are captured below their start while they write', async () => {
    writeHeader();
    const sub = path.join(folder, 'sub-executions', 'sub-77.jsonl');
    add(
      row('u1', { type: 'user', content: 'have it checked' }) +
        row('s1', { type: 'turn_start', executionId: 'ex' }),
    );
    add(
      row('d1', {
        type: 'sub_agent_start',
        parentExecutionId: 'ex',
        subSessionId: 'sub-77',
        subAgentName: 'reviewer',
        prompt: 'check',
        explanation: '',
      }),
    );
    const { tailer, items } = tail();
    await tailer.scan();
    mkdirSync(path.dirname(sub));
    const call = { toolCallId: 'tc-d1', executionId: 'ex', subExecutionId: 'sub-77' };
    writeFileSync(sub, row('x1', { type: 'tool_call', toolName: 'read_file', args: { path: 'a' }, ...call }));
    await tailer.scan();
    appendFileSync(sub, row('x2', { type: 'tool_result', content: 'text', success: true, ...call }));
    await tailer.scan();
    add(
      row('d2', {
        type: 'sub_agent_complete',
        parentExecutionId: 'ex',
        subSessionId: 'sub-77',
        response: 'fine',
        status: 'success',
      }),
    );
    await tailer.scan();
    expect(kinds(items)).toEqual(['prompt', 'tool_use', 'tool_use']);
    const [prompt, inner, outer] = items;
    if (!prompt || !inner || !outer || !('draft' in prompt) || !('draft' in inner) || !('draft' in outer)) {
      throw new Error('drafts expected');
    }
    expect(inner.draft.parent_identity).toBe(outer.draft.identity);
    expect(outer.draft.parent_identity).toBe(prompt.draft.identity);
    expect(inner.draft.author).toBe('reviewer');
  });
});

describe('on its own', () => {
  it.each([
    ['in a new folder', () => mkdirSync(root, { recursive: true })],
    ['although there was no folder for sessions yet', () => undefined],
  ])('notices a new session %s, and stops when told to', async (_where, prepare) => {
    prepare();
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const { tailer } = tail({ clock: systemClock, onCaptured: async () => arrived() });
    tailer.start();
    await tailer.scan();
    writeHeader();
    add(turn(1));
    await arrival;
    await tailer.dispose();
  });
});

const alpha = sharedData('data', 'sessions', 'alpha', 'home', '.kiro');

describe.skipIf(!alpha)('recorded Kiro sessions (shared data), written bit by bit', () => {
  it('give what a whole read gives', async () => {
    const source = (await findSessionFolders(alpha!)).filter((session) => !session.refused);
    const expected = new Set<string>();
    for (const session of source) {
      for await (const item of readSessionFolder(session.folder, { clock: systemClock }))
        expected.add(JSON.stringify(item));
    }
    const got: string[] = [];
    const deps = {
      onCaptured: async (_h: unknown, more: Captured[]) =>
        void got.push(...more.map((i) => JSON.stringify(i))),
    };
    for (const part of [0.3, 0.31, 0.77, 1]) {
      for (const { folder: from } of source) {
        const to = path.join(root, path.basename(path.dirname(from)), path.basename(from));
        mkdirSync(to, { recursive: true });
        for (const name of ['tool-outputs', 'sub-executions', 'session.json']) {
          if (existsSync(path.join(from, name)))
            cpSync(path.join(from, name), path.join(to, name), {
              recursive: true,
              force: true,
            });
        }
        const text = readFileSync(path.join(from, 'messages.jsonl'));
        writeFileSync(path.join(to, 'messages.jsonl'), text.subarray(0, Math.floor(text.length * part)));
      }
      const { tailer } = tail(deps);
      await tailer.scan();
      await tailer.dispose();
    }
    expect(got.length).toBe(new Set(got).size);
    expect([...expected].filter((item) => !got.includes(item)).slice(0, 1)).toEqual([]);
    expect(got.filter((item) => !expected.has(item)).slice(0, 1)).toEqual([]);
  });
});
