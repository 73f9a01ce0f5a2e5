import { recordId } from '../../src/contract/ids';
import type { MemoryRecord } from '../../src/contract/memory-record';

export const NAMESPACE = '/actor/test/project/shop/';
export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** A record with a title and whatever a test cares about. */
export function record(title: string, more: Partial<MemoryRecord> = {}): MemoryRecord {
  const at = more.valid_from ?? '2026-11-02T09:00:00.000Z';
  return {
    record_id: recordId(Date.parse(at), `${title}:${at}:${more.namespace ?? NAMESPACE}`),
    namespace: NAMESPACE,
    session_id: `session-${at.slice(0, 10)}`,
    observation_type: 'discovery',
    title,
    summary: '',
    facts: [],
    concepts: [],
    files_touched: [],
    evidence: [],
    strategy: 'rules',
    origin: 'tool_output',
    importance: 0.5,
    status: 'current',
    valid_from: at,
    pinned: false,
    recurrence: 1,
    created_at: at,
    updated_at: at,
    recall_count: 0,
    ...more,
  };
}

/** A small project's memory. */
export function shopRecords(): MemoryRecord[] {
  return [
    record('Background jobs run on pg-boss in Postgres', {
      observation_type: 'decision',
      summary: 'Jobs are enqueued in the same transaction as the order change; Redis lost 212 jobs.',
      concepts: ['queue', 'jobs'],
      files_touched: ['docs/adr/0007-queue.md'],
      session_title: 'Queue migration',
      valid_from: '2026-09-05T12:54:32.000Z',
    }),
    record('parseOrderLines drops rows with a leading apostrophe', {
      summary: 'Excel exports protect numeric SKUs; one apostrophe is stripped now.',
      files_touched: ['packages/importer/src/parse.ts'],
      valid_from: '2026-10-12T10:00:00.000Z',
    }),
    record('Deadlock 40P01 when two orders reserve the same SKUs', {
      observation_type: 'error',
      summary: 'Rows are locked in order of warehouse and SKU.',
      files_touched: ['packages/stock/src/reserve.ts'],
      valid_from: '2026-10-14T16:00:00.000Z',
    }),
    record('Commit messages begin with the ticket id', {
      observation_type: 'preference',
      origin: 'user_words',
      valid_from: '2026-06-02T13:00:00.000Z',
    }),
    record('税率ごとの合計を明細に保持する', { valid_from: '2026-11-19T09:00:00.000Z' }),
    record('Invoice totals were rounded twice', {
      observation_type: 'error',
      summary: 'Line totals round half to even, tax rounds half up.',
      files_touched: ['packages/invoicing/src/totals.ts'],
      valid_from: '2026-11-19T15:00:00.000Z',
    }),
  ];
}
