import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliSchema, eventContractSchema } from '../../scripts/schemas/documents';

const docs = path.resolve(__dirname, '../../docs');

function written(file: string): unknown {
  return JSON.parse(readFileSync(path.join(docs, file), 'utf8'));
}

describe('schemas in docs/', () => {
  it.each([
    ['event.schema.json', eventContractSchema],
    ['cli.schema.json', cliSchema],
  ])('%s is what the code says (npm run schemas)', (file, make) => {
    expect(written(file)).toEqual(JSON.parse(JSON.stringify(make())));
  });
});
