import path from 'node:path';
import { evaluate } from './evaluate';
import { readSet } from './set';
import { table } from './table';

const args = process.argv.slice(2);
const file = args.find((arg) => !arg.startsWith('--'));
if (file === undefined) {
  console.error('usage: eval:retrieval <set.json> [--json] [--misses]');
  process.exit(2);
}
const result = evaluate(readSet(path.resolve(file)), { misses: args.includes('--misses') });
console.log(args.includes('--json') ? JSON.stringify(result, null, 2) : table(result));
