import type { Embedder } from '../../src/recall/embedding/embedder';
import { Recall } from '../../src/recall/recall';
import type { RankerConfig } from '../../src/recall/ranker-config';
import { RecordIndex } from '../../src/recall/record-index';
import { Fts5, orQuery, wordsOf } from '../retrieval/fts5';
import { percentile, rounded } from '../retrieval/measures';
import type { Dialogue } from './dialogues';

export interface LocomoFigures {
  questions: number;
  recall_at_5: number;
  recall_at_10: number;
  recall_at_20: number;
  p95_ms: number;
  /** Share of questions for which nothing was returned. */
  abstained: number;
}

type Search = (text: string, limit: number) => string[];

function count(dialogues: readonly Dialogue[], open: (dialogue: Dialogue) => Search): LocomoFigures {
  const sums = { 5: 0, 10: 0, 20: 0 };
  const times: number[] = [];
  let questions = 0;
  let silent = 0;
  for (const dialogue of dialogues) {
    const search = open(dialogue);
    for (const { text, evidence } of dialogue.questions) {
      const began = performance.now();
      const found = search(text, 20);
      times.push(performance.now() - began);
      if (found.length === 0) silent++;
      questions++;
      for (const k of [5, 10, 20] as const) {
        const top = new Set(found.slice(0, k));
        sums[k] += evidence.filter((id) => top.has(id)).length / evidence.length;
      }
    }
  }
  return {
    questions,
    recall_at_5: rounded(sums[5] / questions),
    recall_at_10: rounded(sums[10] / questions),
    recall_at_20: rounded(sums[20] / questions),
    p95_ms: rounded(percentile(times, 0.95), 3),
    abstained: rounded(silent / questions),
  };
}

/** Ranks every question of every dialogue with the product's ranker. */
export function rankDialogues(
  dialogues: readonly Dialogue[],
  floor: boolean,
  config: Partial<RankerConfig> = {},
  embedder?: Embedder,
): LocomoFigures & { ranker: string } {
  let ranker = '';
  const figures = count(dialogues, (dialogue) => {
    const index = new RecordIndex(config);
    for (const record of dialogue.records) index.add(record);
    const recall = new Recall({
      index,
      clock: { now: () => dialogue.now },
      timeZone: 'UTC',
      config,
      ...(embedder === undefined ? {} : { embedder }),
    });
    ranker = recall.ranker;
    const namespaces = dialogue.records.slice(0, 1).map((record) => record.namespace);
    return (text, limit) =>
      recall
        .search({ namespaces, text, limit, floor })
        .map(({ record }) => dialogue.turnOf.get(record.record_id) ?? '');
  });
  return { ...figures, ranker };
}

/** FTS5 over the same turns, all words joined by OR. */
export function fts5Dialogues(dialogues: readonly Dialogue[]): LocomoFigures {
  return count(dialogues, (dialogue) => {
    const index = new Fts5(
      dialogue.records.map((record) => ({
        id: dialogue.turnOf.get(record.record_id) ?? '',
        title: record.title,
        summary: record.summary,
        facts: record.facts.join('\n'),
        concepts: '',
        files: '',
      })),
    );
    return (text, limit) => index.find(orQuery(wordsOf(text)), limit);
  });
}
