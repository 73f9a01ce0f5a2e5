import { describe, expect, it } from 'vitest';
import { grade } from '../../eval/sessions/grade';
import type { Query } from '../../eval/sessions/query-set';

const query: Query = {
  query_id: 'q',
  category: 'decision',
  workspace: '/srv/demo',
  prompt: 'Which queue?',
  must_include: ['Postgres', ['311 jobs', 'lost jobs']],
  must_not_include: ['RabbitMQ'],
  stale: ['Redis'],
  expected_empty: false,
};
const answer = (context: string) => ({ context, tokens: 10, records: 1 });

describe('grades of the session evaluation', () => {
  it.each([
    ['all of it, in any case', 'POSTGRES, as Lost Jobs showed', true],
    ['an alternative is missing', 'Postgres', false],
    ['a forbidden string, in any case', 'Postgres after 311 jobs in rabbitmq', false],
  ])('%s', (_what, context, passed) => {
    expect(grade(query, answer(context)).passed).toBe(passed);
  });

  it('an old value counts only where its line does not mark it', () => {
    expect(grade(query, answer('Postgres, lost jobs\n- decided: Redis')).stale).toEqual(['Redis']);
    expect(grade(query, answer('Postgres, lost jobs\n- decided (replaced later): Redis')).stale).toEqual([]);
  });

  it('nothing must come where nothing is expected', () => {
    const empty: Query = { ...query, must_include: [], expected_empty: true };
    expect(grade(empty, answer('')).passed).toBe(true);
    expect(grade(empty, answer('something')).passed).toBe(false);
  });
});
