import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { latestPrompt } from '../../../src/capture/sessions/latest-prompt';

const ID = 'sess_5b0e8f0a-1111-4c2d-9b77-000000000001';
let home: string;
let file: string;

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'kl-prompt-'));
  const folder = path.join(home, '.kiro', 'sessions', 'ab12', ID);
  mkdirSync(folder, { recursive: true });
  file = path.join(folder, 'messages.jsonl');
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

const row = (payload: object) =>
  `${JSON.stringify({ id: 'x', timestamp: '2026-11-20T08:00:00Z', payload })}\n`;
const user = (content: string, more: object = {}) => row({ type: 'user', content, ...more });
const end = row({ type: 'turn_end', stopReason: 'end_turn', executionId: 'e' });
const synthetic = { _meta: { kiro: { syntheticUserMessageReason: 'agent-initiated-prompt' } } };
const carrier = { _meta: { kiro: { syntheticUserMessageReason: 'steering-injection' } } };
const receipt = { _meta: { kiro: { steeringClearedIds: ['x'] } } };

describe('latestPrompt', () => {
  it.each([
    ['the newest prompt', user('one') + end + user('two'), 'two'],
    ['its turn may have started', user('one') + row({ type: 'turn_start', executionId: 'e' }), 'one'],
    ['carriers and receipts are nobody’s', user('one') + user('x', carrier) + user('', receipt), 'one'],
    ['a half-written line is not there yet', user('one') + '{"id":"y","pay', 'one'],
    ['a last line without its feed counts', user('one').trimEnd(), 'one'],
    ['not the prompt of a turn that is over', user('one') + end, undefined],
    ['not what the engine says', user('one') + end + user('brief', synthetic), undefined],
    ['nothing in an empty file', '', undefined],
  ])('%s', async (_what, text, expected) => {
    writeFileSync(file, text);
    expect(await latestPrompt(home, ID)).toBe(expected);
  });

  it('finds a prompt far before the end of a long file', async () => {
    const noise = row({ type: 'session_metadata', key: 'x', value: 'y'.repeat(1000) }).repeat(300);
    writeFileSync(file, user('first') + noise);
    expect(await latestPrompt(home, ID)).toBe('first');
  });

  it('waits for a row that is about to be written', async () => {
    writeFileSync(file, user('one') + end);
    const waiting = latestPrompt(home, ID);
    await new Promise((resolve) => setImmediate(resolve));
    appendFileSync(file, user('two'));
    expect(await waiting).toBe('two');
  });

  it('gives up when told to', async () => {
    writeFileSync(file, end);
    expect(await latestPrompt(home, ID, AbortSignal.abort())).toBeUndefined();
  });

  it.each(['../../../etc/passwd', 'sess_../x', `${ID}/..`, '', 'sess_', `sess_${'a'.repeat(100)}`])(
    'makes no path of %j',
    async (id) => {
      writeFileSync(file, user('one'));
      expect(await latestPrompt(home, id)).toBeUndefined();
    },
  );
});
