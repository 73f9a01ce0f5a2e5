/** Writes the JSON Schemas of the wire contract and of the command line's output into docs/. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliSchema, eventContractSchema } from './schemas/documents';

const docs = path.resolve(__dirname, '..', 'docs');

for (const [file, document] of Object.entries({
  'event.schema.json': eventContractSchema(),
  'cli.schema.json': cliSchema(),
})) {
  writeFileSync(path.join(docs, file), `${JSON.stringify(document, null, 2)}\n`);
}
