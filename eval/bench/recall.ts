import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Database as WasmDatabase } from 'node-sqlite3-wasm';
import type { MemoryRecord } from '../../src/contract/memory-record';
import type { Embedder } from '../../src/recall/embedding/embedder';
import { Recall } from '../../src/recall/recall';
import { RecordIndex } from '../../src/recall/record-index';
import { distractors } from '../retrieval/distractors';
import { embeddingTable } from '../retrieval/evaluate';
import { Fts5, FTS5_INSERT, FTS5_SCHEMA, FTS5_SEARCH, orQuery, wordsOf } from '../retrieval/fts5';
import { percentile, rounded } from '../retrieval/measures';
import { memoryRecords, NAMESPACE, type SetRecord } from '../retrieval/set';
import { prompts, type PromptKind } from './recall-prompts';

const SIZES = [1_000, 10_000, 50_000];
const WARM_PROMPTS = 40;
const COLD_STARTS = 2;
const NOW = Date.UTC(2026, 10, 20, 12);

interface Percentiles {
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
}

interface PromptFigures {
  /** The first prompt after an index was built. */
  cold: Percentiles;
  warm: Percentiles;
  fts5_wasm: Percentiles;
  fts5_native: Percentiles;
}

interface SizeFigures {
  records: number;
  prompts: Record<PromptKind, PromptFigures>;
  bytes_per_record: number;
  vector_bytes_per_record: number;
  /** From records in memory to the first ranked answer. */
  first_result_ms: Percentiles;
}

type Search = (prompt: string) => unknown;

/** Recall at three sizes beside FTS5 on the same records and prompts, warm and cold. */
export async function runRecallBench(): Promise<{ sizes: SizeFigures[] }> {
  const sizes: SizeFigures[] = [];
  for (const size of SIZES) {
    sizes.push(benchSize(size));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { sizes };
}

function benchSize(size: number): SizeFigures {
  const records = distractors(size, 23);
  const ours = openRecall(records);
  const wasm = openWasm(records);
  const native = openNative(records);
  const vectors = embeddingTable()?.dimensions ?? 0;
  const figures = (kind: PromptKind): PromptFigures => {
    const texts = prompts(kind, records, WARM_PROMPTS);
    return {
      cold: coldStarts(records, texts),
      warm: timed(ours.search, texts),
      fts5_wasm: timed(wasm.search, texts),
      fts5_native: timed(native.search, texts),
    };
  };
  const result: SizeFigures = {
    records: size,
    prompts: { short: figures('short'), long: figures('long'), log: figures('log') },
    bytes_per_record: Math.round(ours.bytes / size),
    vector_bytes_per_record: vectors,
    first_result_ms: firstResults(records),
  };
  wasm.close();
  native.close();
  return result;
}

function timed(search: Search, texts: readonly string[]): Percentiles {
  for (const text of texts.slice(0, 10)) search(text);
  return percentiles(
    texts.map((text) => {
      const began = performance.now();
      search(text);
      return performance.now() - began;
    }),
  );
}

function percentiles(times: readonly number[]): Percentiles {
  return {
    p50_ms: rounded(percentile(times, 0.5), 3),
    p95_ms: rounded(percentile(times, 0.95), 3),
    p99_ms: rounded(percentile(times, 0.99), 3),
  };
}

function open(
  records: readonly MemoryRecord[],
  embedder: Embedder | undefined,
): { index: RecordIndex; recall: Recall } {
  const index = new RecordIndex();
  for (const record of records) index.add(record);
  const recall = new Recall({
    index,
    clock: { now: () => NOW },
    timeZone: 'UTC',
    ...(embedder === undefined ? {} : { embedder }),
  });
  return { index, recall };
}

function searchOf(recall: Recall): Search {
  return (text) => recall.search({ namespaces: [NAMESPACE], text, limit: 10, floor: true });
}

function openRecall(records: readonly SetRecord[]): { search: Search; bytes: number } {
  const { index, recall } = open(memoryRecords(records), embeddingTable());
  while (!recall.prepare(5_000));
  return { search: searchOf(recall), bytes: index.bytes };
}

function coldStarts(records: readonly SetRecord[], texts: readonly string[]): Percentiles {
  const asStored = memoryRecords(records);
  const embedder = embeddingTable();
  const times: number[] = [];
  for (let i = 0; i < COLD_STARTS; i++) {
    const search = searchOf(open(asStored, embedder).recall);
    const began = performance.now();
    search(texts[i] ?? '');
    times.push(performance.now() - began);
  }
  return percentiles(times);
}

function firstResults(records: readonly SetRecord[]): Percentiles {
  const asStored = memoryRecords(records);
  const embedder = embeddingTable();
  const times: number[] = [];
  for (let i = 0; i < COLD_STARTS; i++) {
    const began = performance.now();
    searchOf(open(asStored, embedder).recall)(records[i]?.title ?? '');
    times.push(performance.now() - began);
  }
  return percentiles(times);
}

function openNative(records: readonly SetRecord[]): { search: Search; close: () => void } {
  const index = new Fts5(records.map((record) => ({ ...row(record), id: record.record_id })));
  return { search: (text) => index.find(orQuery(wordsOf(text)), 10), close: () => index.close() };
}

function openWasm(records: readonly SetRecord[]): { search: Search; close: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'recall-bench-'));
  const db = new WasmDatabase(path.join(folder, 'index.db'));
  db.exec(FTS5_SCHEMA);
  db.exec('begin');
  const insert = db.prepare(FTS5_INSERT);
  records.forEach((record, i) => {
    const { title, summary, facts, concepts, files } = row(record);
    insert.run([i + 1, title, summary, facts, concepts, files]);
  });
  insert.finalize();
  db.exec('commit');
  const find = db.prepare(FTS5_SEARCH);
  return {
    search: (text) => find.all([orQuery(wordsOf(text)), 10]),
    close: () => {
      find.finalize();
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function row(record: SetRecord): Record<'title' | 'summary' | 'facts' | 'concepts' | 'files', string> {
  return {
    title: record.title,
    summary: record.summary,
    facts: record.facts.join('\n'),
    concepts: record.concepts.join('\n'),
    files: record.files_touched.join('\n'),
  };
}
