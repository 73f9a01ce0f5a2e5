import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { strings } from '../../webview/strings';

const root = path.resolve(__dirname, '../..');
const readJson = (name: string) =>
  JSON.parse(readFileSync(path.join(root, name), 'utf8')) as Record<string, unknown>;

/** Every text that the extension host puts through `t(…)`. */
function hostTexts(): Set<string> {
  const texts = new Set<string>();
  const sources = readdirSync(path.join(root, 'src/ide'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(root, 'src/ide', file));
  for (const file of [...sources, path.join(root, 'src/extension.ts')]) {
    const source = readFileSync(file, 'utf8');
    for (const match of source.matchAll(/\bt\(\s*'((?:[^'\\]|\\.)*)'/g))
      texts.add((match[1] ?? '').replace(/\\'/g, "'"));
  }
  return texts;
}

const placeholders = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([found]) => found).sort();

describe('words', () => {
  test('every text of the host and of the pages has its Japanese, with the same places for values', () => {
    const japanese = readJson('l10n/bundle.l10n.ja.json') as Record<string, string>;
    const english = new Set([...hostTexts(), ...Object.values(strings)]);
    expect([...english].filter((text) => japanese[text] === undefined)).toEqual([]);
    expect(Object.keys(japanese).filter((text) => !english.has(text))).toEqual([]);
    for (const [text, translated] of Object.entries(japanese)) {
      expect(placeholders(translated), text).toEqual(placeholders(text));
    }
  });

  test('the manifest’s texts exist in both languages, and none is left over', () => {
    const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
    const used = new Set([...manifest.matchAll(/%([a-z][\w.-]*)%/gi)].map((match) => match[1]));
    for (const name of ['package.nls.json', 'package.nls.ja.json']) {
      const known = new Set(Object.keys(readJson(name)));
      expect(
        [...used].filter((key) => !known.has(key ?? '')),
        name,
      ).toEqual([]);
      expect(
        [...known].filter((key) => !used.has(key)),
        name,
      ).toEqual([]);
    }
  });

  test('every command of the manifest is registered, and the two with fixed titles have them', async () => {
    const { contributes } = readJson('package.json') as { contributes: { commands: { command: string }[] } };
    const sources = ['src/ide/commands/register.ts', 'src/ide/providers/model-key.ts'];
    const register = sources.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
    for (const { command } of contributes.commands) expect(register).toContain(`'${command}'`);
    const titles = readJson('package.nls.json');
    expect(titles['command.showMemories']).toBe('Show kiro-learn memories');
    expect(titles['command.setUp']).toBe('Set up kiro-learn');
  });
});
