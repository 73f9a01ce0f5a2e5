import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readLines, type LineReaderOptions } from '../../../src/capture/sessions/line-reader';

const folder = mkdtempSync(path.join(os.tmpdir(), 'kl-lines-'));
const file = path.join(folder, 'lines');
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

async function read(content: string | Buffer, options: LineReaderOptions = {}) {
  writeFileSync(file, content);
  const lines = [];
  for await (const line of readLines(file, options)) lines.push({ ...line, text: line.bytes.toString() });
  return lines;
}

describe('readLines', () => {
  it('gives each line with its place, and says which is not ended', async () => {
    expect(await read('one\r\n\ntwo')).toMatchObject([
      { text: 'one', start: 0, end: 5, complete: true },
      { text: '', start: 5, end: 6, complete: true },
      { text: 'two', start: 6, end: 9, complete: false },
    ]);
  });

  it('starts and stops at a cursor', async () => {
    expect((await read('one\ntwo\nthree\n', { from: 4 })).map((line) => line.text)).toEqual(['two', 'three']);
    expect((await read('one\ntwo\nthree\n', { from: 4, to: 8 })).map((line) => line.text)).toEqual(['two']);
    expect(await read('one\n', { from: 400 })).toEqual([]);
  });

  it('passes over a line that is too long and finds the next one', async () => {
    const lines = await read(`${'x'.repeat(400_000)}\nok\n`, { maxLineBytes: 1000 });
    expect(lines.map(({ tooLong, text, start }) => [tooLong, text, start])).toEqual([
      [true, '', 0],
      [false, 'ok', 400_001],
    ]);
  });

  it('gives back every byte, wherever chunks end', async () => {
    const line = fc.oneof(fc.string({ maxLength: 40 }), fc.constant('é'.repeat(70_000)), fc.constant(''));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 6 }), async (texts) => {
        const clean = texts.map((text) => text.replace(/[\r\n]/g, ' '));
        const content = clean.map((text) => `${text}\n`).join('');
        const lines = await read(content);
        expect(lines.map((found) => found.text)).toEqual(clean);
        expect(lines.at(-1)?.end ?? 0).toBe(Buffer.byteLength(content));
      }),
      { numRuns: 60 },
    );
  });
});
