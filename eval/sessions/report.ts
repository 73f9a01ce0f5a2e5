import type { Answer, Grade } from './grade';
import type { Grounding } from './grounding';
import type { Query } from './query-set';

export interface Asked {
  query: Query;
  answer: Answer;
  grade: Grade;
}

export interface SessionsReport {
  queries: number;
  answered: number;
  overall: number;
  by_category: Record<string, { queries: number; passed: number; share: number }>;
  /** Forbidden strings found in answers, leaks included. */
  forbidden: number;
  /** Forbidden strings in answers to another project's questions. */
  leaks: number;
  /** Answers that state an old value as if it held. */
  stale: number;
  /** Means over the queries that got an answer. */
  mean_tokens: number;
  mean_records: number;
  /** Queries that got no answer. */
  abstained: number;
  grounding: Omit<Grounding, 'ungrounded'>;
  failed: Pick<Grade, 'query_id' | 'missing' | 'forbidden' | 'unwanted'>[];
}

/** Sums up graded answers. */
export function report(asked: readonly Asked[], grounding: Grounding): SessionsReport {
  const answered = asked.filter(({ answer }) => answer.context !== '');
  const categories = [...new Set(asked.map(({ query }) => query.category))];
  const { ungrounded: _, ...figures } = grounding;
  return {
    queries: asked.length,
    answered: answered.length,
    overall: share(asked),
    by_category: Object.fromEntries(
      categories.map((category) => {
        const own = asked.filter(({ query }) => query.category === category);
        const passed = own.filter(({ grade }) => grade.passed).length;
        return [category, { queries: own.length, passed, share: share(own) }];
      }),
    ),
    forbidden: sum(asked, ({ grade }) => grade.forbidden.length),
    leaks: sum(
      asked.filter(({ query }) => query.category === 'cross_project_leak'),
      ({ grade }) => grade.forbidden.length,
    ),
    stale: sum(asked, ({ grade }) => grade.stale.length),
    mean_tokens: mean(answered, ({ answer }) => answer.tokens),
    mean_records: mean(answered, ({ answer }) => answer.records),
    abstained: asked.length - answered.length,
    grounding: figures,
    failed: asked
      .filter(({ grade }) => !grade.passed)
      .map(({ grade }) => ({
        query_id: grade.query_id,
        missing: grade.missing,
        forbidden: grade.forbidden,
        unwanted: grade.unwanted,
      })),
  };
}

function share(asked: readonly Asked[]): number {
  return asked.length === 0 ? 0 : round(asked.filter(({ grade }) => grade.passed).length / asked.length);
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

function mean<T>(items: readonly T[], value: (item: T) => number): number {
  return items.length === 0 ? 0 : round(sum(items, value) / items.length);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
