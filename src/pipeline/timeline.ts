import type { MemoryRecord } from '../contract/memory-record';
import type { RecordQueries } from '../store/record-queries';

export interface TimelineQuestion {
  record_id?: string | undefined;
  /** ISO 8601, a date or a date and time. */
  at?: string | undefined;
  before: number;
  after: number;
}

export interface Timeline {
  /** Oldest first; superseded ones too, marked by their status. */
  items: MemoryRecord[];
  /** Id of the record that the question named. */
  anchor?: string;
}

const PAGE = 200;

/** Records of one project around a record or a date, in the order of time; without either, the latest. */
export function timelineAround(
  records: Pick<RecordQueries, 'get' | 'list'>,
  namespace: string,
  question: TimelineQuestion,
): Timeline {
  const named = question.record_id ? records.get(question.record_id) : undefined;
  const anchor = named?.namespace === namespace ? named : undefined;
  if (question.record_id && !anchor) return { items: [] };
  const at = anchor?.valid_from ?? isoOf(question.at);
  if (at === undefined) return { items: earlier(records, namespace, undefined, question.before).reverse() };
  const isOther = (record: MemoryRecord) => record.record_id !== anchor?.record_id;
  const before = earlier(records, namespace, at, question.before + 1).filter(isOther);
  const taken = new Set(before.slice(0, question.before).map((record) => record.record_id));
  const after = later(records, namespace, at, question.after + taken.size + 1).filter(
    (record) => isOther(record) && !taken.has(record.record_id),
  );
  return {
    items: [
      ...before.slice(0, question.before).reverse(),
      ...(anchor ? [anchor] : []),
      ...after.slice(0, question.after),
    ],
    ...(anchor ? { anchor: anchor.record_id } : {}),
  };
}

/** The last `count` records up to a time, newest first. */
function earlier(
  records: Pick<RecordQueries, 'list'>,
  namespace: string,
  at: string | undefined,
  count: number,
): MemoryRecord[] {
  const to = at === undefined ? {} : { to: at };
  return records.list({ namespace, statuses: ['current', 'superseded'], ...to, limit: count }).items;
}

/** The first `count` records from a time on, oldest first: the list is newest first, so its end is read. */
function later(
  records: Pick<RecordQueries, 'list'>,
  namespace: string,
  at: string,
  count: number,
): MemoryRecord[] {
  const filter = { namespace, statuses: ['current' as const, 'superseded' as const], from: at };
  const { total } = records.list({ ...filter, limit: 0 });
  const limit = Math.min(count, PAGE);
  return records.list({ ...filter, limit, offset: Math.max(0, total - limit) }).items.reverse();
}

function isoOf(text: string | undefined): string | undefined {
  const ms = text === undefined ? NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
