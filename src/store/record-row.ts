import type { Evidence, MemoryRecord } from '../contract/memory-record';
import { OBSERVATIONS, ORIGIN_CODES, STATUSES, STRATEGY_CODES } from './codes';
import type { SqlRow, SqlValue } from './database';
import type { Names } from './names';
import { packTime, timeMs, unpackTime } from './stored-time';
import { bytesToRecordId, recordIdToBytes } from './ulid-bytes';

type StoredTime = number | string;

/** What the image needs no column for; by position, to spare 30,000 times the names. */
type Doc = [
  sessionTitle: string | null,
  branch: string | null,
  title: string,
  summary: string,
  facts: string[],
  concepts: string[],
  files: string[],
  evidence: [string, string][],
  supersededBy: string | null,
  validFrom: StoredTime,
  validTo: StoredTime | null,
  createdAt: StoredTime,
  updatedAt: StoredTime,
];

export const RECORD_COLUMNS =
  'record_id, namespace, session, type, status, origin, strategy, importance, pinned, recurrence, time, recall_count, last_recalled, doc';

/** The values of {@link RECORD_COLUMNS}. */
export function recordValues(record: MemoryRecord, names: Names): SqlValue[] {
  return [
    recordIdToBytes(record.record_id),
    names.intern(record.namespace),
    names.intern(record.session_id),
    OBSERVATIONS.code(record.observation_type),
    STATUSES.code(record.status),
    ORIGIN_CODES.code(record.origin),
    STRATEGY_CODES.code(record.strategy),
    record.importance,
    record.pinned ? 1 : 0,
    record.recurrence,
    timeMs(record.valid_from),
    record.recall_count,
    record.last_recalled_at === undefined ? null : packTime(record.last_recalled_at),
    JSON.stringify(docOf(record)),
  ];
}

function docOf(record: MemoryRecord): Doc {
  return [
    record.session_title ?? null,
    record.branch ?? null,
    record.title,
    record.summary,
    record.facts,
    record.concepts,
    record.files_touched,
    record.evidence.map(({ event_id, excerpt }) => [event_id, excerpt]),
    record.superseded_by ?? null,
    packTime(record.valid_from),
    record.valid_to === undefined ? null : packTime(record.valid_to),
    packTime(record.created_at),
    packTime(record.updated_at),
  ];
}

/** A record from a row of {@link RECORD_COLUMNS}; a closed name of a later version reads as the most modest one. */
export function recordOfRow(row: SqlRow, names: Names): MemoryRecord {
  const doc = JSON.parse(String(row['doc'])) as Doc;
  const [sessionTitle, branch, title, summary, facts, concepts, files, evidence] = doc;
  const [, , , , , , , , supersededBy, validFrom, validTo, createdAt, updatedAt] = doc;
  const recalled = row['last_recalled'] as StoredTime | null;
  return {
    record_id: bytesToRecordId(row['record_id'] as Uint8Array),
    namespace: names.name(row['namespace']) ?? '',
    session_id: names.name(row['session']) ?? '',
    ...(sessionTitle === null ? {} : { session_title: sessionTitle }),
    ...(branch === null ? {} : { branch }),
    observation_type: OBSERVATIONS.name(row['type']) ?? 'discovery',
    title,
    summary,
    facts,
    concepts,
    files_touched: files,
    evidence: evidence.map(([event_id, excerpt]): Evidence => ({ event_id, excerpt })),
    strategy: STRATEGY_CODES.name(row['strategy']) ?? 'rules',
    origin: ORIGIN_CODES.name(row['origin']) ?? 'external',
    importance: Number(row['importance']),
    status: STATUSES.name(row['status']) ?? 'withdrawn',
    ...(supersededBy === null ? {} : { superseded_by: supersededBy }),
    valid_from: unpackTime(validFrom),
    ...(validTo === null ? {} : { valid_to: unpackTime(validTo) }),
    pinned: row['pinned'] === 1,
    recurrence: Number(row['recurrence']),
    created_at: unpackTime(createdAt),
    updated_at: unpackTime(updatedAt),
    recall_count: Number(row['recall_count']),
    ...(recalled === null || recalled === undefined ? {} : { last_recalled_at: unpackTime(recalled) }),
  };
}

/** The fields of `before` that differ in `after`; null stands for a field that was not there. */
export function changedFields(before: MemoryRecord, after: MemoryRecord): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof MemoryRecord>;
  for (const key of keys) {
    if (key === 'recall_count' || key === 'last_recalled_at') continue;
    if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) changed[key] = before[key] ?? null;
  }
  return changed;
}

/** Puts the fields back that {@link changedFields} took from an earlier state. */
export function withFields(record: MemoryRecord, fields: Record<string, unknown>): MemoryRecord {
  const earlier: Record<string, unknown> = { ...record };
  for (const [key, value] of Object.entries(fields)) {
    if (value === null) delete earlier[key];
    else earlier[key] = value;
  }
  return earlier as unknown as MemoryRecord;
}
