import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../../src/contract/memory-record';
import { Recall } from '../../src/recall/recall';
import { RecordIndex } from '../../src/recall/record-index';
import { NAMESPACE, NOW, record, shopRecords } from './records';

const WORDS = [
  'queue',
  'invoice',
  'parseOrderLines',
  'deadlock',
  '税率',
  'coupon',
  'cache',
  'a.b.c',
  'NP-1042',
  'wave',
];

function ranked(records: RecordIndex, text: string): [string, number][] {
  const recall = new Recall({ index: records, clock: { now: () => NOW }, timeZone: 'UTC' });
  return recall
    .search({ namespaces: [NAMESPACE], text, limit: 50 })
    .map(({ record: { record_id }, score }): [string, number] => [record_id, score])
    .sort();
}

describe('RecordIndex', () => {
  it('adds, gets, updates and removes', () => {
    const index = new RecordIndex();
    const [first] = shopRecords();
    if (first === undefined) throw new Error('no record');
    index.add(first);
    index.add(first);
    expect(index.size).toBe(1);
    index.update({ ...first, title: 'Renamed to graphile-worker' });
    expect(index.get(first.record_id)?.title).toBe('Renamed to graphile-worker');
    expect(ranked(index, 'graphile')).toHaveLength(1);
    expect(ranked(index, 'pg-boss')).toHaveLength(0);
    index.remove(first.record_id);
    index.remove(first.record_id);
    expect([index.size, index.get(first.record_id), ranked(index, 'graphile')]).toEqual([0, undefined, []]);
  });

  it('ranks after any changes as an index that was built from what is left', () => {
    const sentence = fc
      .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
      .map((words) => words.join(' '));
    const change = fc.record({ id: fc.nat(200), title: sentence, summary: sentence, remove: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 500, minLength: 100 }),
        fc.constantFrom(...WORDS),
        (changes, word) => {
          const live = new Map<number, MemoryRecord>();
          const index = new RecordIndex();
          for (const { id, title, summary, remove } of changes) {
            const made = { ...record(`r${id}`), title, summary };
            if (remove) {
              live.delete(id);
              index.remove(made.record_id);
            } else {
              live.set(id, made);
              index.update(made);
            }
          }
          const fresh = new RecordIndex();
          for (const one of live.values()) fresh.add(one);
          expect(index.size).toBe(live.size);
          const [a, b] = [ranked(index, word), ranked(fresh, word)];
          if (live.size <= 50) expect(a).toEqual(b);
          else expect(a.length).toBe(b.length);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('keeps postings in less room than the text they are made of', () => {
    const index = new RecordIndex();
    let text = 0;
    for (let i = 0; i < 2000; i++) {
      const one = record(`Case ${i}`, {
        summary: `The ${WORDS[i % 10] ?? ''} of case ${i} was rebuilt ${'and checked again '.repeat(4)}`,
      });
      text += one.title.length + one.summary.length;
      index.add(one);
    }
    expect(index.bytes).toBeLessThan(text * 4);
  });
});
