import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, neutraliseForDisplay, repairText } from '../../src/text/unicode';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
  .map((units) => String.fromCharCode(...units));
const wellFormed = (text: string): boolean =>
  !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);

describe('decodeUtf8', () => {
  it('drops the byte order mark and replaces what is no UTF-8', () => {
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('a');
    expect(decodeUtf8(Uint8Array.of(0x61, 0xff, 0xfe, 0xc3, 0x28))).toBe('a\uFFFD\uFFFD\uFFFD(');
  });

  it('reads UTF-16 that says so', () => {
    expect(decodeUtf8(Uint8Array.of(0xff, 0xfe, 0x61, 0x00, 0xe9, 0x00))).toBe('aé');
  });

  it('gives back what was encoded', () => {
    fc.assert(
      fc.property(
        anyText,
        (text) => decodeUtf8(new TextEncoder().encode(text)) === text.replace(/^\uFEFF/, ''),
      ),
    );
  });
});

describe('repairText', () => {
  it('replaces lone surrogates and drops control characters', () => {
    expect(repairText('buoy \ud83d light')).toBe('buoy \uFFFD light');
    expect(repairText('hull\u0000 \u0007number\u009b')).toBe('hull number');
    expect(repairText('\u001b[31mred\u001b[0m')).toBe('red');
  });

  it('keeps line ends, tabs and emoji', () => {
    expect(repairText('a\r\nb\tc\n🚢👩‍👩‍👧')).toBe('a\r\nb\tc\n🚢👩‍👩‍👧');
  });

  it('is well-formed and the same when repeated, for any UTF-16', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        const once = repairText(text);
        return (
          wellFormed(once) && repairText(once) === once && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/.test(once)
        );
      }),
    );
  });
});

describe('neutraliseForDisplay', () => {
  it('removes what hides or reorders text', () => {
    expect(neutraliseForDisplay('a\u202Eb\u2066c\u200Bd\r\ne\u2028f')).toBe('abcd\ne\nf');
    expect(neutraliseForDisplay('x\u{E0041}\u{E0042}y')).toBe('xy');
  });

  it('is the same when repeated', () => {
    fc.assert(
      fc.property(
        anyUnits,
        (text) => neutraliseForDisplay(neutraliseForDisplay(text)) === neutraliseForDisplay(text),
      ),
    );
  });
});
