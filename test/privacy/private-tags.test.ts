import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removePrivate, splitPrivate } from '../../src/privacy/private-tags';

const M = '[REDACTED:private]';

describe('removePrivate', () => {
  it.each([
    ['a <private>x</private> b', `a ${M} b`],
    ['a <PRIVATE >x</private > b', `a ${M} b`],
    ['a < private >x</ private > b', `a ${M} b`],
    ['a <private reason="x > y" until=\'2027\'>x</private> b', `a ${M} b`],
    ['<private>o <private>i</private> t</private>!', `${M}!`],
    ['keep <private>all of this', `keep ${M}`],
    ['keep <private', `keep ${M}`],
    ['keep <private all of this </private> b', `keep ${M} b`],
    ['a<private/>b', `a${M}b`],
    ['a</private>b', 'a</private>b'],
    ['a <privateer> b', 'a <privateer> b'],
    ['a <private-note> b', 'a <private-note> b'],
    ['private int x < private_y', 'private int x < private_y'],
    ['<private>1</private>-<private>2</private>', `${M}-${M}`],
  ])('%s', (text, expected) => {
    expect(removePrivate(text)).toBe(expected);
  });

  it('gives what was taken out', () => {
    expect(splitPrivate('a <private>x</private> b <private>y').removed).toEqual(['x', 'y']);
  });

  it('never lets a hidden word through, and is the same when repeated', () => {
    const piece = fc.constantFrom(
      '<private>',
      '< PRIVATE a="b">',
      '</private>',
      '</ Private >',
      '<private',
      'open ',
      '<',
      '>',
      '"',
      '/',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(piece, { maxLength: 6 }), (before, inside) => {
        const opens = inside.filter((one) => /^<\s*private/i.test(one)).length;
        const closes = inside.filter((one) => one.startsWith('</')).length;
        const out = removePrivate(`${before.join('')}<private>${inside.join('')}`);
        expect(removePrivate(out)).toBe(out);
        if (closes === 0 && opens >= 0) {
          expect(removePrivate(`${before.join('')}\n<private>${inside.join('')}HIDDEN`)).not.toContain(
            'HIDDEN',
          );
        }
      }),
    );
  });
});
