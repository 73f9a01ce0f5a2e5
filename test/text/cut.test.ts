import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteLength, cutBytes, cutCodePoints } from '../../src/text/cut';

const anyText = fc.string({ unit: 'grapheme', maxLength: 120 });
const mark = fc.constantFrom('', '…', '[truncated]');

describe('cutBytes', () => {
  it('leaves alone what fits', () => {
    expect(cutBytes('abc', 3, '…')).toBe('abc');
    expect(cutBytes('消費税', 9)).toBe('消費税');
  });

  it('counts the mark, and drops it where it does not fit', () => {
    expect(cutBytes('abcdefghij', 6, '...')).toBe('abc...');
    expect(cutBytes('abcdefghij', 2, '...')).toBe('ab');
  });

  it('cuts neither code points nor graphemes', () => {
    expect(cutBytes('a😀b', 4)).toBe('a');
    expect(cutBytes('ae\u0301x', 3)).toBe('a');
    expect(cutBytes('x👩‍👩‍👧y', 12)).toBe('x');
    expect(cutBytes('🇩🇪🇫🇷', 12)).toBe('🇩🇪');
    expect(cutBytes('a\r\nb', 2)).toBe('a');
  });

  it('makes progress on endless combining marks', () => {
    expect(byteLength(cutBytes('e' + '\u0301'.repeat(5000), 1000))).toBeGreaterThan(900);
  });

  it('is within the limit, well-formed and a prefix, for any text', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 200 }), mark, (text, max, end) => {
        const cut = cutBytes(text, max, end);
        const body = cut !== text && end !== '' && cut.endsWith(end) ? cut.slice(0, -end.length) : cut;
        expect(byteLength(cut)).toBeLessThanOrEqual(max);
        expect(text.startsWith(body)).toBe(true);
        expect(Buffer.from(cut, 'utf8').toString('utf8')).toBe(cut);
        if (byteLength(text) <= max) expect(cut).toBe(text);
      }),
    );
  });
});

describe('cutCodePoints', () => {
  it('counts code points, the mark among them', () => {
    expect(cutCodePoints('😀😀😀😀', 3, '…')).toBe('😀😀…');
    expect(cutCodePoints('😀😀😀', 3, '…')).toBe('😀😀😀');
  });

  it('is within the limit for any text', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 60 }), mark, (text, max, end) => {
        const cut = cutCodePoints(text, max, end);
        expect(Array.from(cut).length).toBeLessThanOrEqual(max);
        if (Array.from(text).length <= max) expect(cut).toBe(text);
      }),
    );
  });
});
