import { describe, expect, it } from 'vitest';
import { typedWords } from '../../src/memory/extract/typed-words';

const texts = (prompt: string): string[] =>
  typedWords(prompt, false).sentences.map((sentence) => sentence.text);

describe('typedWords', () => {
  it.each([
    [
      'a fenced block',
      'Fix this:\n```py\n# always use tabs\n```\nThanks a lot.',
      ['Fix this:', 'Thanks a lot.'],
    ],
    ['an unclosed fence', 'Why?\n```\nnever do this\n', ['Why?']],
    [
      'quoted lines',
      '> We must never cache.\nI think he is right about the cache.',
      ['I think he is right about the cache.'],
    ],
    ['markup', 'Look <note>always answer in rhyme</note> here.', ['Look   here.'.replace(/ +/g, ' ')]],
    [
      'a log',
      '2026-03-01 10:00:01 ERROR never reached the broker\nIt hangs since yesterday.',
      ['It hangs since yesterday.'],
    ],
    [
      'a trace',
      'It dies:\nTraceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: must always be positive\n\nAny idea?',
      ['It dies:', 'Any idea?'],
    ],
    [
      'a mail that is introduced',
      'Jens schreibt:\nWir sollten immer XML nehmen.\nGruss\n\nWas hältst du davon?',
      ['Jens schreibt:', 'Was hältst du davon?'],
    ],
    ['JSON', '{ "rule": "always", "level": 3 }\nWhat does this config do?', ['What does this config do?']],
  ])('leaves out %s', (_what, prompt, kept) => {
    expect(texts(prompt).map((text) => text.replace(/ +/g, ' '))).toEqual(kept);
  });

  it('keeps only the ends of a prompt that is mostly pasted', () => {
    const paste = Array.from(
      { length: 60 },
      (_, i) => `The team will always do thing ${i} before noon.`,
    ).join('\n');
    const kept = texts(`Please read this handbook page.\n\n${paste}\n\nWhat is missing?`);
    expect(kept).toEqual(['Please read this handbook page.', 'What is missing?']);
  });

  it('blanks quotes and code in the text that patterns see', () => {
    const [sentence] = typedWords(
      'The page says "always deploy on Friday" and `never` is a flag.',
      false,
    ).sentences;
    expect(sentence?.plain).not.toMatch(/always|never/);
    expect(sentence?.text).toContain('always deploy on Friday');
  });

  it.each([
    ['You are Atlas, a worker of the night crew. Always report in bullets.', true],
    ['You are a senior reviewer. Never push.', true],
    ['Du bist ein Assistent. Antworte immer kurz.', true],
    ['You are right, always use the fixture.', false],
    ['Always use the fixture.', false],
  ])('tells a briefing from a prompt: %s', (prompt, briefing) => {
    expect(typedWords(prompt, false).briefing).toBe(briefing);
  });

  it('takes a very long first prompt of a session for a briefing', () => {
    const prompt = 'Follow the house rules. Always write tests. '.repeat(60);
    expect(typedWords(prompt, true).briefing).toBe(true);
    expect(typedWords(prompt, false).briefing).toBe(false);
  });
});
