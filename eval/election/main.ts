import { parseArgs } from 'node:util';
import { runElection, type ElectionOptions, type ElectionResult } from './election';

/** `--rounds N` (200) `--processes N` (5) `--json`: elections on fresh and stale stores, with and without jitter. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '200' },
      processes: { type: 'string', default: '5' },
      json: { type: 'boolean', default: false },
    },
  });
  const base = { rounds: Number(values.rounds), processes: Number(values.processes) };
  const runs: ElectionOptions[] = [
    { ...base, start: 'stale', jitterMs: 0 },
    { ...base, start: 'fresh', jitterMs: 0 },
    { ...base, start: 'stale', jitterMs: 8 },
    { ...base, start: 'fresh', jitterMs: 8, apart: true },
  ];
  const results: ElectionResult[] = [];
  for (const run of runs) {
    const result = await runElection(run);
    results.push(result);
    if (!values.json) console.log(JSON.stringify(result));
  }
  if (values.json) console.log(JSON.stringify({ elections: results }, null, 2));
  if (results.some((result) => result.double_leaders + result.no_leader + result.errors > 0))
    process.exitCode = 1;
}

void main();
