import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../../src/contract/memory-record';
import { Recall, type RecallRequest, type SearchQuery } from '../../src/recall/recall';
import { RecordIndex } from '../../src/recall/record-index';
import { NAMESPACE, NOW, record, shopRecords } from './records';

function open(records: readonly MemoryRecord[] = shopRecords()): { index: RecordIndex; recall: Recall } {
  const index = new RecordIndex();
  for (const one of records) index.add(one);
  return { index, recall: new Recall({ index, clock: { now: () => NOW }, timeZone: 'UTC' }) };
}

function titles(recall: Recall, text: string, more: Partial<SearchQuery> = {}): string[] {
  return recall
    .search({ namespaces: [NAMESPACE], text, limit: 5, floor: true, ...more })
    .map(({ record: { title } }) => title);
}

function request(prompt: string, more: Partial<RecallRequest> = {}): RecallRequest {
  return {
    namespaces: [NAMESPACE],
    prompt,
    sessionId: 'now',
    key: 'K1',
    alreadyShown: new Map(),
    neverAgain: new Set(),
    ...more,
  };
}

describe('search', () => {
  const { recall } = open();

  it.each([
    ['why do we use pg boss for jobs?', 'Background jobs run on pg-boss in Postgres'],
    ['where does parse order lines count rows', 'parseOrderLines drops rows with a leading apostrophe'],
    ['PARSE_ORDER_LINES', 'parseOrderLines drops rows with a leading apostrophe'],
    ['ERROR: 40P01', 'Deadlock 40P01 when two orders reserve the same SKUs'],
    ['open packages\\importer\\src\\parse.ts', 'parseOrderLines drops rows with a leading apostrophe'],
    [
      'anything about src/importer and packages/importer/src/',
      'parseOrderLines drops rows with a leading apostrophe',
    ],
    ['税率', '税率ごとの合計を明細に保持する'],
    ['昨日の合計', '税率ごとの合計を明細に保持する'],
    ['what was wrong with totals yesterday?', 'Invoice totals were rounded twice'],
  ])('%s', (text, title) => {
    expect(titles(recall, text)[0]).toBe(title);
  });

  it.each([
    'yes',
    'ok, continue',
    'hi',
    '1',
    'thanks!',
    'はい、お願いします',
    '好的,继续',
    '',
    '???',
    'no, the other one',
  ])('gives nothing for "%s"', (text) => {
    expect(titles(recall, text)).toEqual([]);
  });

  it('gives nothing for what no record is about, pins included', () => {
    const { recall: pinned } = open([
      ...shopRecords(),
      record('Releases happen on Thursdays', { pinned: true }),
    ]);
    expect(titles(pinned, 'which of the planets has the most moons')).toEqual([]);
    expect(titles(pinned, 'yes')).toEqual([]);
  });

  it('takes any text for a query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(titles(recall, text).length).toBeLessThanOrEqual(5);
      }),
    );
    for (const text of ['"unclosed', 'NOT (', 'a AND', '*', 'NEAR(', "'; drop table"]) titles(recall, text);
  });

  it('finds the record in a pasted log of a thousand lines', () => {
    const noise = Array.from(
      { length: 1000 },
      (_, i) => `2026-11-20T09:00:00.${i}Z INFO request id=${(i * 7919).toString(16)} took=${i}ms`,
    );
    noise.splice(500, 0, 'ERROR 40P01 deadlock detected while locking SKUs');
    expect(titles(recall, noise.join('\n'))[0]).toContain('Deadlock 40P01');
  });

  it('tells why', () => {
    const [hit] = recall.search({ namespaces: [NAMESPACE], text: 'pg-boss jobs', limit: 1, floor: true });
    expect(hit?.reasons.join(' ')).toContain('title: jobs, pg-boss');
  });

  it('keeps namespaces apart', () => {
    const { recall: two } = open([
      ...shopRecords(),
      record('Deadlock 40P01 elsewhere', { namespace: '/actor/test/project/b/' }),
    ]);
    expect(titles(two, '40P01')).toEqual(['Deadlock 40P01 when two orders reserve the same SKUs']);
    expect(titles(two, '40P01', { namespaces: ['/actor/test/project/b/'] })).toEqual([
      'Deadlock 40P01 elsewhere',
    ]);
  });
});

describe('a question about a time alone', () => {
  const day = '2026-10-22T09:00:00.000Z';
  const { recall } = open([
    ...shopRecords(),
    record('Sessions live in Redis', { observation_type: 'decision', valid_from: day }),
    record('Ran the linter', { observation_type: 'tool_use', valid_from: day }),
  ]);

  it.each([
    'What did we decide on 22 October?',
    'was haben wir am 22. Oktober beschlossen',
    '10月22日に何を決めましたか',
    '10月22日我们决定了什么?',
  ])('%s gets the decisions of that day', (text) => {
    expect(titles(recall, text)[0]).toBe('Sessions live in Redis');
    expect(recall.recall(request(text)).records.map(({ title }) => title)).toEqual([
      'Sessions live in Redis',
    ]);
  });

  it('gets everything of that day where none were asked for', () => {
    const found = titles(recall, 'what happened on 22 October?');
    expect(new Set(found)).toEqual(new Set(['Sessions live in Redis', 'Ran the linter']));
  });

  it.each(['what did we decide on 3 January 2020?', "that's all for today, thanks"])(
    '%s gets nothing',
    (text) => {
      expect(titles(recall, text)).toEqual([]);
    },
  );
});

describe('German', () => {
  const { recall } = open([
    ...shopRecords(),
    record('Drift der Sonden', { summary: 'Die Korrektur ist linear.' }),
    record('Datum wird mit ISO formatiert'),
    record('Schwellen lösen Alarm aus'),
  ]);

  it.each([
    ['wo liegt die driftkorrektur', 'Drift der Sonden'],
    ['wie formatiere ich das Datum', 'Datum wird mit ISO formatiert'],
    ['welche Alarmschwellen gibt es', 'Schwellen lösen Alarm aus'],
  ])('%s', (text, title) => expect(titles(recall, text)[0]).toBe(title));

  it('gives nothing for a poem', () => {
    expect(titles(recall, 'Schreib ein Gedicht über den Herbst')).toEqual([]);
    expect(titles(recall, 'Write a haiku about winter rain')).toEqual([]);
  });
});

describe('supersession', () => {
  const newer = record('Access tokens are server-side sessions in Redis', { observation_type: 'decision' });
  const older = record('Access tokens are stateless JWT', {
    observation_type: 'decision',
    status: 'superseded',
    superseded_by: newer.record_id,
    valid_from: '2026-06-03T12:00:00.000Z',
  });

  it('gives what holds now, also to words that only the old record has', () => {
    const { recall } = open([...shopRecords(), older, newer]);
    expect(titles(recall, 'stateless JWT or what are access tokens?')[0]).toBe(newer.title);
    expect(titles(recall, 'stateless JWT')).not.toContain(older.title);
    expect(titles(recall, 'stateless JWT')[0]).toBe(newer.title);
  });

  it('gives the old one, marked, where it is asked for by date', () => {
    const { recall } = open([...shopRecords(), older, newer]);
    const answer = recall.recall(request('what did we decide about access tokens in June?'));
    const line = answer.context.split('\n').find((text) => text.includes(older.record_id));
    expect(line).toContain('decided (replaced later) 2026-06-03');
  });

  it('follows a change at once', () => {
    const current = { ...older, status: 'current' as const };
    const { index, recall } = open([...shopRecords(), current]);
    expect(titles(recall, 'JWT access tokens')).toContain(older.title);
    index.update(older);
    index.add(newer);
    expect(titles(recall, 'JWT access tokens')).toEqual([newer.title]);
    index.update({ ...newer, status: 'forgotten' });
    expect(titles(recall, 'JWT access tokens')).toEqual([]);
  });
});

describe('recall', () => {
  it('gives the same bytes for the same input', () => {
    const prompt = 'why are jobs in Postgres and how are totals rounded?';
    const first = open().recall.recall(request(prompt)).context;
    expect(open().recall.recall(request(prompt)).context).toBe(first);
    expect(first).not.toBe('');
  });

  it('keeps within the budget, whole records only', () => {
    const many = Array.from({ length: 30 }, (_, i) =>
      record(`Deadlock number ${i} in the stock reservation`, {
        summary: `Case ${i}: ${'rows were locked '.repeat(40)}`,
      }),
    );
    const { recall } = open(many);
    const answer = recall.recall(request('deadlock in the stock reservation'));
    expect(answer.records.length).toBeGreaterThan(0);
    expect(answer.bytes).toBe(Buffer.byteLength(answer.context));
    expect(answer.bytes).toBeLessThanOrEqual(6 * 1024);
    expect(answer.tokens).toBeLessThanOrEqual(1200);
    const small = recall.recall(request('deadlock in the stock reservation', { budget: { bytes: 1200 } }));
    expect(small.records).toHaveLength(1);
    expect(small.left_out.length).toBeGreaterThan(0);
    expect(small.context.endsWith('</kiro-learn-context>')).toBe(true);
  });

  it('does not repeat what the session has seen, unless it changed', () => {
    const { index, recall } = open();
    const prompt = 'ERROR: 40P01 deadlock';
    const [shown] = recall.recall(request(prompt)).records;
    const seen = index.get(shown?.record_id ?? '');
    expect(seen).toBeDefined();
    if (seen === undefined) return;
    const alreadyShown = new Map([[seen.record_id, seen.updated_at]]);
    expect(recall.recall(request(prompt, { alreadyShown })).context).not.toContain(seen.record_id);
    index.update({ ...seen, summary: 'Solved by lock order.', updated_at: '2026-11-20T10:00:00.000Z' });
    expect(recall.recall(request(prompt, { alreadyShown })).context).toContain('Solved by lock order.');
  });

  it('never gives what the user banned', () => {
    const { recall } = open();
    const [shown] = recall.recall(request('ERROR: 40P01 deadlock')).records;
    const neverAgain = new Set([shown?.record_id ?? '']);
    expect(recall.recall(request('ERROR: 40P01 deadlock', { neverAgain })).context).not.toContain(
      '40P01 when two',
    );
  });

  it('gives one of several that say the same', () => {
    const twins = [1, 2, 3].map((n) =>
      record('Flaky checkout test waits for the settled price', {
        valid_from: `2026-11-0${n}T09:00:00.000Z`,
      }),
    );
    const answer = open([...twins, ...shopRecords()]).recall.recall(
      request('why was the flaky checkout test fixed by a settled price'),
    );
    expect(answer.records).toHaveLength(1);
  });

  it('says why it gives nothing', () => {
    expect(open().recall.recall(request('continue'))).toMatchObject({ context: '', records: [], bytes: 0 });
    expect(open().recall.recall(request('continue')).abstained).toBeTypeOf('string');
  });
});
