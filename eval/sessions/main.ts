import path from 'node:path';
import { grade } from './grade';
import { grounding } from './grounding';
import { readQueries } from './query-set';
import { Replay } from './replay';
import { report, type Asked } from './report';
import { table } from './table';

const USAGE = 'usage: eval:sessions <folder of the set> [--json] [--queries <file>] [--answers] [--records]';

async function main(args: string[]): Promise<number> {
  const named = args.indexOf('--queries');
  const file = named < 0 ? 'queries.json' : args[named + 1];
  const folder = args.find((arg, i) => !arg.startsWith('--') && (named < 0 || i !== named + 1));
  if (folder === undefined || file === undefined) {
    console.error(USAGE);
    return 2;
  }
  const set = readQueries(path.resolve(folder), file);
  const replay = await Replay.of(path.resolve(folder));
  try {
    const asked: Asked[] = [];
    for (const query of set.queries) {
      const answer = await replay.ask(query, Date.parse(set.now));
      asked.push({ query, answer, grade: grade(query, answer) });
    }
    const records = replay.records();
    const ground = grounding(records, (id) => replay.event(id), replay.toolEvents());
    const result = report(asked, ground);
    if (args.includes('--records')) console.log(JSON.stringify(records, null, 2));
    if (args.includes('--answers')) for (const entry of asked) console.log(JSON.stringify(entry, null, 2));
    console.log(args.includes('--json') ? JSON.stringify(result, null, 2) : table(result));
    return 0;
  } finally {
    await replay.close();
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
    process.exitCode = 1;
  },
);
