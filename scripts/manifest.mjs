/**
 * Writes `contributes.configuration` of package.json from the table of settings. Run with tsx
 * (`npx tsx scripts/manifest.mjs`); `--check` only compares and fails where they differ.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { SETTINGS } from '../src/contract/settings';

const file = path.resolve(import.meta.dirname, '..', 'package.json');

/** The schema words that VS Code's settings editor knows. */
function toManifest(definition) {
  const schema = z.toJSONSchema(definition.schema, { io: 'input' });
  delete schema.$schema;
  const property = { ...schema, default: definition.default, scope: definition.scope };
  property.markdownDescription = `%${definition.nls}%`;
  if (schema.enum)
    property.markdownEnumDescriptions = schema.enum.map((value) => `%${definition.nls}.${value}%`);
  if (property.maximum === Number.MAX_SAFE_INTEGER) delete property.maximum;
  return property;
}

const text = await readFile(file, 'utf8');
const manifest = JSON.parse(text);
const properties = Object.fromEntries(
  Object.values(SETTINGS).map((definition, order) => [
    `kiro-learn.${definition.key}`,
    { ...toManifest(definition), order },
  ]),
);
const configuration = { title: 'kiro-learn', properties };
const same = JSON.stringify(manifest.contributes?.configuration) === JSON.stringify(configuration);
if (process.argv.includes('--check')) {
  if (!same) throw new Error('package.json differs from the table of settings: run scripts/manifest.mjs');
} else if (!same) {
  manifest.contributes = { ...manifest.contributes, configuration };
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
