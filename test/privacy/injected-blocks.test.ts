import { describe, expect, it } from 'vitest';
import { stripInjected } from '../../src/privacy/injected-blocks';

const own = (key = ''): string =>
  `<kiro-learn-context source="kiro-learn"${key}>\n- likes pink.\n</kiro-learn-context>`;

describe('stripInjected', () => {
  it.each([
    ['our block', `${own()}\nmake the header sticky`],
    ['our block with a key', `${own(' key="K1"')}\nmake the header sticky`],
    ['behind the prompt', `make the header sticky\n\n${own()}`],
    ['a hook wrapper', '<HOOK_INSTRUCTION>\nUser likes pink.\n</HOOK_INSTRUCTION>\nmake the header sticky'],
    [
      'our block in a hook wrapper',
      `<HOOK_INSTRUCTION>\n${own()}\n</HOOK_INSTRUCTION>\nmake the header sticky`,
    ],
    ['another tool', '<claude-mem-context>\n# pink\n</claude-mem-context>\nmake the header sticky'],
    ['two blocks', `${own()}\nmake the header sticky\n${own()}`],
    [
      'the heading',
      '## Prior observations from kiro-learn\n### Style\nLikes pink.\n- Facts: none\n\nmake the header sticky',
    ],
    [
      'several records',
      '## Prior observations\n\n### A\n\npink one\n\n- pink\n- pink\n\n### B\npink two\n\nmake the header sticky',
    ],
    ['an unclosed wrapper', '<HOOK_INSTRUCTION>\nUser likes pink.\n\nmake the header sticky'],
  ])('%s goes, the prompt stays', (_name, text) => {
    expect(stripInjected(text)).toBe('make the header sticky');
  });

  it('drops an unclosed block without a blank line whole', () => {
    expect(stripInjected('<kiro-learn-context source="kiro-learn">\n- likes pink.')).toBe('');
  });

  it.each([
    'how does <kiro-learn-context> work, and <HOOK_INSTRUCTION>?',
    '## Plan\n### Step 1\ndo it',
    '## Prior observations\n\nnone were made in the study.',
    'if (a < b) return <Context>{children}</Context>;',
  ])('leaves alone: %s', (text) => {
    expect(stripInjected(text)).toBe(text);
  });

  it('stays linear on many openings', () => {
    const text = '<HOOK_INSTRUCTION> '.repeat(60_000);
    expect(stripInjected(text).length).toBeGreaterThan(0);
  });
});
