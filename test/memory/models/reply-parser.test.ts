import { describe, expect, it } from 'vitest';
import { parseReply } from '../../../src/memory/models/reply-parser';

const GOOD = {
  type: 'decision',
  title: 'Queue is pg-boss',
  summary: 'Postgres was there.',
  evidence: [1, 4],
};
const OTHER = { type: 'error', title: 'Port 5432 was closed', summary: 'Tests failed.', evidence: [3] };
const titles = (text: string) => parseReply(text).records.map((record) => record.title);

describe('parseReply', () => {
  it.each([
    ['plain', JSON.stringify({ records: [GOOD, OTHER] })],
    ['fenced', `\`\`\`json\n${JSON.stringify({ records: [GOOD, OTHER] }, null, 2)}\n\`\`\``],
    [
      'with words around',
      `Sure! Here {is} what I found:\n${JSON.stringify([GOOD, OTHER])}\nHope [this] helps.`,
    ],
    ['one object after another', `${JSON.stringify(GOOD)}\n${JSON.stringify(OTHER)}`],
    [
      'with thoughts',
      `<think>maybe {"title":"no","summary":"x"}</think>${JSON.stringify({ records: [GOOD, OTHER] })}`,
    ],
    [
      'trailing commas and comments',
      `{"records":[${JSON.stringify(GOOD)}, // first\n${JSON.stringify(OTHER)},]}`,
    ],
  ])('reads a reply that is %s', (_name, text) => {
    expect(titles(text)).toEqual([GOOD.title, OTHER.title]);
  });

  it('keeps the good ones beside a bad one', () => {
    const bad = ['null', '42', '"text"', '{"evidence":[1]}', '[]', '{"title":{"a":1},"summary":7}'];
    for (const item of bad) {
      expect(titles(`{"records":[${JSON.stringify(GOOD)},${item},${JSON.stringify(OTHER)}]}`)).toEqual([
        GOOD.title,
        OTHER.title,
      ]);
    }
  });

  it('keeps what was complete when the reply was cut, at any place', () => {
    const text = JSON.stringify({ records: [GOOD, OTHER] });
    const ends = (record: object) => text.indexOf(JSON.stringify(record)) + JSON.stringify(record).length;
    for (let end = 0; end < text.length; end++) {
      const found = titles(text.slice(0, end));
      expect(found).toEqual([GOOD, OTHER].filter((one) => end >= ends(one)).map((one) => one.title));
    }
  });

  it('tells an empty answer from none', () => {
    expect(parseReply('{"records":[]}')).toEqual({ records: [], answered: true });
    expect(parseReply('```json\n[]\n```').answered).toBe(true);
    for (const text of [
      '',
      'I cannot help with that.',
      '<html>502</html>',
      '{"error":"overloaded"}',
      '{{{{{',
    ]) {
      expect(parseReply(text)).toEqual({ records: [], answered: false });
    }
  });

  it('takes other names and forms of the same parts', () => {
    const [record] = parseReply(
      '{"observation_type":"BUG","title":"T","description":"D","fact":"one","tags":["a",2],"files_touched":["x.ts"],"sources":"[1], [3]"}',
    ).records;
    expect(record).toEqual({
      type: 'bug',
      title: 'T',
      summary: 'D',
      facts: ['one'],
      concepts: ['a', '2'],
      files: ['x.ts'],
      evidence: [1, 3],
    });
  });

  it('stays bounded and harmless on hostile text', () => {
    expect(parseReply('['.repeat(300_000)).answered).toBe(false);
    expect(parseReply('{"'.repeat(150_000)).answered).toBe(false);
    expect(parseReply(`{"records":[${'[],'.repeat(50_000)}[]]}`).records).toEqual([]);
    const many = JSON.stringify({ records: Array.from({ length: 5000 }, () => GOOD) });
    expect(parseReply(many).records.length).toBeLessThanOrEqual(40);
    const [polluted] = parseReply(
      '{"title":"t","summary":"s","__proto__":{"pinned":true},"pinned":true}',
    ).records;
    expect(Object.keys(polluted ?? {}).sort()).toEqual(
      ['concepts', 'evidence', 'facts', 'files', 'summary', 'title', 'type'].sort(),
    );
    expect(({} as { pinned?: boolean }).pinned).toBeUndefined();
  });
});
