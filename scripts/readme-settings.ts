/** Writes the list of settings into README.md from the table that the manifest is made from. `--check` compares. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS } from '../src/contract/settings';

const root = path.resolve(__dirname, '..');
const readme = path.join(root, 'README.md');
const words = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;

const rows = Object.values(SETTINGS).map(
  ({ key, default: fallback, nls }) =>
    `| \`kiro-learn.${key}\` | \`${JSON.stringify(fallback)}\` | ${words[nls] ?? ''} |`,
);
const list = ['| setting | default | what it does |', '|---|---|---|', ...rows].join('\n');
const text = readFileSync(readme, 'utf8');
const written = text.replace(/<!-- settings -->[\s\S]*?(?=\n## )/, () => `<!-- settings -->\n\n${list}\n`);
if (process.argv.includes('--check')) {
  if (written !== text) throw new Error('README.md differs from the table of settings: npm run schemas');
} else {
  writeFileSync(readme, written);
}
