import { describe, expect, it } from 'vitest';
import { germanForms, isGerman } from '../../src/text/german';

describe('isGerman', () => {
  it.each(['wo liegt die driftkorrektur', 'soll ich die Werte runden?', 'Alarmschwellen für Sauerstoff'])(
    'knows %s',
    (text) => expect(isGerman(text)).toBe(true),
  );

  it.each(['where is the drift correction', 'let the process die', 'npm run build', ''])('not %s', (text) =>
    expect(isGerman(text)).toBe(false),
  );
});

describe('germanForms', () => {
  it.each([
    ['formatiere', 'formatiert'],
    ['bilder', 'bild'],
    ['antwortest', 'antworten'],
    ['schwelle', 'schwellen'],
  ])('%s meets %s', (word, other) => expect(germanForms(word)).toContain(other));

  it('keeps stems long enough to mean something', () => {
    for (const form of germanForms('essen')) expect(form.length).toBeGreaterThanOrEqual(4);
  });
});
