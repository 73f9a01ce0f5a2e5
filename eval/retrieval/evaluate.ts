import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadStaticTable } from '../../src/recall/embedding/static-table';
import type { Embedder } from '../../src/recall/embedding/embedder';
import { Recall } from '../../src/recall/recall';
import type { RankerConfig } from '../../src/recall/ranker-config';
import { RecordIndex } from '../../src/recall/record-index';
import { distractors } from './distractors';
import { Fts5, orQuery, referenceQuery, wordsOf, type Fts5Row } from './fts5';
import { measure, rounded, type Measured, type Retriever } from './measures';
import { seeded, shuffled } from './random';
import { memoryId, memoryRecords, NAMESPACE, type RetrievalSet, type SetQuery, type SetRecord } from './set';

const DISTRACTORS = 20_000;
const SAMPLE_SIZES = [20, 100];
const SEED = 11;

export interface Subsample extends Measured {
  records: number;
  queries: number;
}

export interface Evaluation extends Measured {
  set: string;
  ranker: string;
  embedding: string | null;
  baselines: Record<string, Measured>;
  /** The same ranker without the embedding table, and without pruning of long prompts. */
  variants: Record<string, Measured>;
  subsamples: Subsample[];
  injection: { mean_records: number; mean_tokens: number; max_tokens: number; max_bytes: number };
  misses?: string[];
}

export interface EvaluateOptions {
  misses?: boolean;
  config?: Partial<RankerConfig>;
  /** Folder of the embedding table; `media/embedding` where absent. */
  table?: string;
  quick?: boolean;
}

export function embeddingTable(
  folder = path.resolve(__dirname, '../../media/embedding'),
): Embedder | undefined {
  return existsSync(path.join(folder, 'table.bin')) ? loadStaticTable(folder) : undefined;
}

interface System {
  retrieve: Retriever;
  recall: Recall;
}

function system(
  records: readonly SetRecord[],
  now: number,
  config: Partial<RankerConfig>,
  embedder?: Embedder,
): System {
  const index = new RecordIndex(config);
  const ids = new Map<string, string>();
  for (const record of records) ids.set(memoryId(record), record.record_id);
  for (const record of memoryRecords(records)) index.add(record);
  const recall = new Recall({
    index,
    clock: { now: () => now },
    timeZone: 'UTC',
    config,
    ...(embedder === undefined ? {} : { embedder }),
  });
  const retrieve: Retriever = (query) =>
    recall
      .search({ namespaces: [NAMESPACE], text: query.prompt, limit: 10, floor: true })
      .map(({ record }) => ids.get(record.record_id) ?? '');
  while (!recall.prepare(5000));
  return { retrieve, recall };
}

function rows(records: readonly SetRecord[]): Fts5Row[] {
  return records.map((record) => ({
    id: record.record_id,
    title: record.title,
    summary: record.summary,
    facts: record.facts.join('\n'),
    concepts: record.concepts.join('\n'),
    files: record.files_touched.join('\n'),
  }));
}

/** Ranks a set in every way that is compared, and counts. */
export function evaluate(set: RetrievalSet, options: EvaluateOptions = {}): Evaluation {
  const now = Date.parse(set.now);
  const config = options.config ?? {};
  const embedder = embeddingTable(options.table);
  const ours = system(set.records, now, config, embedder);
  const measured = measure(set, set.queries, ours.retrieve);
  const quick = options.quick === true;
  return {
    set: set.name,
    ranker: ours.recall.ranker,
    embedding: embedder?.version ?? null,
    ...measured,
    injection: injectionSizes(set, ours.recall),
    variants: quick ? {} : variants(set, now, config, embedder),
    subsamples: quick ? [] : subsamples(set, now, config, embedder),
    baselines: quick ? {} : baselines(set),
    ...(options.misses ? { misses: misses(set, ours.retrieve) } : {}),
  };
}

function baselines(set: RetrievalSet): Record<string, Measured> {
  const all = new Fts5(rows(set.records));
  const reference = new Fts5(rows(set.records).map((row) => ({ ...row, concepts: '', files: '' })));
  const result = {
    fts5_or: measure(set, set.queries, (query) => all.find(orQuery(wordsOf(query.prompt)), 10)),
    reference_32_terms: measure(set, set.queries, (query) =>
      reference.find(referenceQuery(reference, query.prompt), 10),
    ),
  };
  all.close();
  reference.close();
  return result;
}

function variants(
  set: RetrievalSet,
  now: number,
  config: Partial<RankerConfig>,
  embedder: Embedder | undefined,
): Record<string, Measured> {
  const unpruned = { ...config, maxTerms: 100_000 };
  return {
    ...(embedder === undefined
      ? {}
      : { without_embedding: measure(set, set.queries, system(set.records, now, config).retrieve) }),
    without_pruning: measure(set, set.queries, system(set.records, now, unpruned, embedder).retrieve),
  };
}

function subsamples(
  set: RetrievalSet,
  now: number,
  config: Partial<RankerConfig>,
  embedder: Embedder | undefined,
): Subsample[] {
  const samples = SAMPLE_SIZES.map((size) => sample(set, size));
  samples.push([...set.records, ...distractors(DISTRACTORS)]);
  return samples.map((records) => {
    const present = new Set(records.map((record) => record.record_id));
    const queries = set.queries.filter((query) => query.relevant.every((id) => present.has(id)));
    const { retrieve } = system(records, now, config, embedder);
    return {
      records: records.length,
      queries: queries.length,
      ...measure({ ...set, records }, queries, retrieve),
    };
  });
}

/** Records of randomly drawn labelled queries, filled up with others, so that a small sample has answers. */
function sample(set: RetrievalSet, size: number): SetRecord[] {
  const random = seeded(SEED);
  const wanted = new Set<string>();
  for (const query of shuffled(random, set.queries)) {
    const ids = [...query.relevant, ...query.must_not];
    if (wanted.size + ids.length <= size / 2) for (const id of ids) wanted.add(id);
  }
  for (const record of shuffled(random, set.records)) if (wanted.size < size) wanted.add(record.record_id);
  return set.records.filter((record) => wanted.has(record.record_id));
}

function injectionSizes(set: RetrievalSet, recall: Recall): Evaluation['injection'] {
  const answers = set.queries
    .filter((query) => query.relevant.length > 0)
    .map((query) =>
      recall.recall({
        namespaces: [NAMESPACE],
        prompt: query.prompt,
        sessionId: 'evaluation',
        key: 'evaluation',
        alreadyShown: new Map(),
        neverAgain: new Set(),
      }),
    );
  const mean = (of: (answer: (typeof answers)[number]) => number): number =>
    rounded(answers.reduce((sum, answer) => sum + of(answer), 0) / Math.max(1, answers.length), 2);
  return {
    mean_records: mean((answer) => answer.records.length),
    mean_tokens: mean((answer) => answer.tokens),
    max_tokens: Math.max(0, ...answers.map((answer) => answer.tokens)),
    max_bytes: Math.max(0, ...answers.map((answer) => answer.bytes)),
  };
}

function misses(set: RetrievalSet, retrieve: Retriever): string[] {
  const titles = new Map(set.records.map((record) => [record.record_id, record.title]));
  const told: string[] = [];
  for (const query of set.queries) {
    const found = retrieve(query);
    const missing = query.relevant.filter((id) => !found.slice(0, 5).includes(id));
    if (missing.length === 0 && (query.relevant.length > 0 || found.length === 0)) continue;
    told.push(describeMiss(query, found, missing, titles));
  }
  return told;
}

function describeMiss(
  query: SetQuery,
  found: readonly string[],
  missing: readonly string[],
  titles: ReadonlyMap<string, string>,
): string {
  const title = (id: string): string => `${id} ${titles.get(id)?.slice(0, 60) ?? ''}`;
  const head = `${query.category} ${query.query_id}: ${query.prompt.slice(0, 120).replaceAll('\n', ' ')}`;
  return `${head}\n    missing: ${missing.map((id) => `${title(id)} @${found.indexOf(id) + 1}`).join(' | ')}\n    found: ${found.slice(0, 3).map(title).join(' | ')}`;
}
