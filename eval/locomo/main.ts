import path from 'node:path';
import { embeddingTable } from '../retrieval/evaluate';
import { readDialogues } from './dialogues';
import { fts5Dialogues, rankDialogues } from './evaluate';

const args = process.argv.slice(2);
const file = args.find((arg) => !arg.startsWith('--'));
if (file === undefined) {
  console.error('usage: eval:locomo <locomo10.zip or folder> [--json]');
  process.exit(2);
}
const dialogues = readDialogues(path.resolve(file));
const embedder = embeddingTable();
const open = rankDialogues(dialogues, false, {}, embedder);
const { ranker, ...figures } = open;
const result = {
  ...figures,
  ranker,
  embedding: embedder?.version ?? null,
  floor_on: rankDialogues(dialogues, true, {}, embedder),
  without_embedding: embedder === undefined ? null : rankDialogues(dialogues, false, {}),
  baselines: { fts5_or: fts5Dialogues(dialogues) },
};
if (args.includes('--json')) console.log(JSON.stringify(result, null, 2));
else {
  const rows = [
    ['kiro-learn', figures] as const,
    ['kiro-learn, floor on', result.floor_on] as const,
    ...(result.without_embedding === null
      ? []
      : [['kiro-learn, no embedding', result.without_embedding] as const]),
    ['FTS5 OR', result.baselines.fts5_or] as const,
  ];
  console.log('| system | questions | R@5 | R@10 | R@20 | p95 ms |\n|---|---|---|---|---|---|');
  for (const [name, row] of rows) {
    console.log(
      `| ${name} | ${row.questions} | ${row.recall_at_5} | ${row.recall_at_10} | ${row.recall_at_20} | ${row.p95_ms} |`,
    );
  }
}
