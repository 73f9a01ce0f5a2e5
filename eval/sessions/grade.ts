import type { Query } from './query-set';

/** What came back for one query. */
export interface Answer {
  context: string;
  tokens: number;
  records: number;
}

export interface Grade {
  query_id: string;
  category: string;
  passed: boolean;
  /** Wanted strings that are missing, alternatives joined by ` | `. */
  missing: string[];
  /** Forbidden strings that were found. */
  forbidden: string[];
  /** Old values on a line that does not mark them as old. */
  stale: string[];
  /** Something was injected where nothing should be. */
  unwanted: boolean;
}

const MARKS_OLD =
  /replaced later|superseded|no longer|was .* before|used to|until|instead of|replaces|not any ?more|ersetzt|以前|之前/i;

/** Grades an answer: all wanted strings, no forbidden one, nothing where nothing is expected. Case is ignored. */
export function grade(query: Query, answer: Answer): Grade {
  const text = answer.context.toLowerCase();
  const holds = (wanted: string): boolean => text.includes(wanted.toLowerCase());
  const missing = query.must_include
    .filter((wanted) => (typeof wanted === 'string' ? !holds(wanted) : !wanted.some(holds)))
    .map((wanted) => (typeof wanted === 'string' ? wanted : wanted.join(' | ')));
  const forbidden = query.must_not_include.filter(holds);
  const unwanted = query.expected_empty && answer.context !== '';
  return {
    query_id: query.query_id,
    category: query.category,
    passed: missing.length === 0 && forbidden.length === 0 && !unwanted,
    missing,
    forbidden,
    stale: staleIn(query.stale, answer.context),
    unwanted,
  };
}

function staleIn(values: readonly string[], context: string): string[] {
  const lines = context.split('\n').filter((line) => !MARKS_OLD.test(line));
  return values.filter((value) => lines.some((line) => line.toLowerCase().includes(value.toLowerCase())));
}
