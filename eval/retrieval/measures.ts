import type { RetrievalSet, SetQuery, SetRecord } from './set';

/** A retriever gives ids of the set, best first. */
export interface Retriever {
  (query: SetQuery): string[];
}

export interface Figures {
  recall_at_5: number;
  recall_at_10: number;
  mrr: number;
  tokens: number;
}

export interface Measured {
  overall: Figures;
  categories: Record<string, Figures & { queries: number }>;
  stale_violations: number;
  stale_queries: number;
  abstain_precision: number;
  false_abstentions: number;
  latency: { p50_ms: number; p95_ms: number; p99_ms: number };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  return sorted[at] ?? 0;
}

export function rounded(value: number, digits = 4): number {
  return Number(value.toFixed(digits));
}

function tokensOf(record: SetRecord): number {
  const text = [record.title, record.summary, ...record.facts].join('\n');
  const wide = [...text].filter((char) => (char.codePointAt(0) ?? 0) >= 0x2e80).length;
  return (text.length - wide) / 4 + wide / 1.5;
}

function figures(rows: readonly Row[]): Figures {
  const mean = (of: (row: Row) => number): number =>
    rows.length === 0 ? 0 : rounded(rows.reduce((sum, row) => sum + of(row), 0) / rows.length);
  return {
    recall_at_5: mean((row) => row.at5),
    recall_at_10: mean((row) => row.at10),
    mrr: mean((row) => row.reciprocal),
    tokens: rounded(
      mean((row) => row.tokens),
      1,
    ),
  };
}

interface Row {
  query: SetQuery;
  found: string[];
  at5: number;
  at10: number;
  reciprocal: number;
  tokens: number;
}

/** Runs the queries and counts as the set's description says. */
export function measure(set: RetrievalSet, queries: readonly SetQuery[], retrieve: Retriever): Measured {
  const records = new Map(set.records.map((record) => [record.record_id, record]));
  const times: number[] = [];
  const rows = queries.map((query): Row => {
    const began = performance.now();
    const found = retrieve(query);
    times.push(performance.now() - began);
    const wanted = new Set(query.relevant);
    const share = (k: number): number =>
      wanted.size === 0 ? 0 : found.slice(0, k).filter((id) => wanted.has(id)).length / wanted.size;
    const first = found.slice(0, 10).findIndex((id) => wanted.has(id));
    const tokens = found.slice(0, 5).reduce((sum, id) => {
      const record = records.get(id);
      return sum + (record === undefined ? 0 : tokensOf(record));
    }, 0);
    return {
      query,
      found,
      at5: share(5),
      at10: share(10),
      reciprocal: first < 0 ? 0 : 1 / (first + 1),
      tokens,
    };
  });
  const labelled = rows.filter((row) => row.query.relevant.length > 0);
  const silent = rows.filter((row) => row.query.relevant.length === 0);
  const stale = labelled.filter((row) => row.query.must_not.length > 0);
  const isEmpty = (row: Row): boolean => row.found.length === 0;
  const categories: Measured['categories'] = {};
  for (const name of new Set(labelled.map((row) => row.query.category))) {
    const own = labelled.filter((row) => row.query.category === name);
    categories[name] = { ...figures(own), queries: own.length };
  }
  return {
    overall: figures(labelled),
    categories,
    stale_violations: stale.filter((row) =>
      row.query.must_not.some((id) => row.found.slice(0, 5).includes(id)),
    ).length,
    stale_queries: stale.length,
    abstain_precision: silent.length === 0 ? 1 : rounded(silent.filter(isEmpty).length / silent.length),
    false_abstentions: labelled.length === 0 ? 0 : rounded(labelled.filter(isEmpty).length / labelled.length),
    latency: {
      p50_ms: rounded(percentile(times, 0.5), 3),
      p95_ms: rounded(percentile(times, 0.95), 3),
      p99_ms: rounded(percentile(times, 0.99), 3),
    },
  };
}
