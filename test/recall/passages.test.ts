import { describe, expect, it } from 'vitest';
import { passagesOf } from '../../src/recall/passages';

describe('passagesOf', () => {
  it('favours the sentence that asks over what is told or waived', () => {
    const text =
      'The coffee machine is broken. Please look up which port the API has. Ignore the part on v1.2 of the plant.';
    const [told, asked, waived] = passagesOf(text);
    expect(text.slice(asked?.start, asked?.end).trim()).toBe('Please look up which port the API has.');
    expect(asked?.cue).toBeGreaterThan(told?.cue ?? 9);
    expect(waived?.cue).toBeLessThan(told?.cue ?? 0);
    expect(passagesOf(text)).toHaveLength(3);
  });

  it('covers the text without a gap', () => {
    const text = 'One two. Three!\nFour? 五六。七八九十';
    const passages = passagesOf(text);
    expect(passages[0]?.start).toBe(0);
    expect(passages.at(-1)?.end).toBe(text.length);
    passages.slice(1).forEach(({ start }, i) => expect(start).toBe(passages[i]?.end));
  });

  it('leaves logs alone', () => {
    expect(passagesOf('took 3 ms\n'.repeat(100))).toEqual([]);
  });
});
