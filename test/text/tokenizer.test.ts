import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runTerms, scanRuns, tokenize } from '../../src/text/tokenizer';

function terms(text: string): Set<string> {
  return new Set(tokenize(text).flatMap((token) => [token.whole, ...token.parts]));
}

describe('tokenize', () => {
  it('gives one whole for three spellings of an identifier, and its parts', () => {
    const wholes = ['parseOrderLines', 'parse_order_lines', 'parse-order-lines'].map(
      (t) => runTerms(t).whole,
    );
    expect(new Set(wholes).size).toBe(1);
    expect(runTerms('parseOrderLines').parts).toEqual(['pars', 'order', 'line']);
    expect(runTerms('parseOrderLines').identifier).toBe(true);
  });

  it('splits dotted names and paths by segment', () => {
    expect(terms('a1.billing.closeOrder')).toContain('bill');
    const path = terms('packages\\importer\\src\\sniffDelimiter.ts');
    for (const part of ['import', 'sniff', 'delimit', 'importer/src']) expect(path).toContain(part);
    expect(path).toEqual(terms('packages/importer/src/sniffDelimiter.ts'));
  });

  it('keeps error codes, versions and numbers', () => {
    expect(runTerms('40P01')).toMatchObject({ whole: '40p01', parts: [], identifier: true });
    expect(terms('see NP-1042')).toContain('np1042');
    expect(runTerms('5.14.2').whole).toBe('5.14.2');
    expect(terms('limit 1000')).toContain('1000');
  });

  it('joins cases, accents, widths, inflections and spellings', () => {
    expect(terms('Überweisung')).toEqual(terms('uberweisung'));
    expect(terms('CSV')).toEqual(terms('csv'));
    expect(terms('deadlocks')).toEqual(terms('deadlocked'));
    expect(terms('wrote')).toEqual(terms('writing'));
    expect(terms('colour normalised')).toEqual(terms('color normalized'));
  });

  it('finds two-character words inside longer runs', () => {
    expect(terms('軽減税率8%と標準税率10%')).toContain('税率');
    expect(terms('库存扣减并发导致超卖')).toContain('超卖');
    expect(terms('税')).toContain('税');
  });

  it('marks function words', () => {
    expect(runTerms('the').stop).toBe(true);
    expect(runTerms("don't").stop).toBe(true);
    expect(runTerms('queue').stop).toBe(false);
  });

  it('never throws, and its runs lie inside the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const token of tokenize(text)) {
          expect(text.slice(token.start, token.end)).toBe(token.text);
          expect(token.end).toBeGreaterThan(token.start);
        }
      }),
    );
  });

  it('hashes a run by its characters alone', () => {
    const seen: [number, number][] = [];
    scanRuns('order (order) "order" other', (_text, _start, _end, a, b) => seen.push([a, b]));
    expect(seen).toHaveLength(4);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expect(seen[3]).not.toEqual(seen[0]);
  });
});
