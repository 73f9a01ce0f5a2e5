import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { recordId } from '../../src/contract/ids';
import { OBSERVATION_TYPES, type MemoryRecord } from '../../src/contract/memory-record';

const setSchema = z.object({
  name: z.string(),
  now: z.string(),
  records: z.array(
    z.object({
      record_id: z.string(),
      created_at: z.string(),
      observation_type: z.enum(OBSERVATION_TYPES),
      title: z.string(),
      summary: z.string(),
      facts: z.array(z.string()),
      concepts: z.array(z.string()),
      files_touched: z.array(z.string()),
      session_id: z.string(),
      superseded_by: z.string().nullable(),
    }),
  ),
  queries: z.array(
    z.object({
      query_id: z.string(),
      category: z.string(),
      prompt: z.string(),
      relevant: z.array(z.string()),
      must_not: z.array(z.string()),
    }),
  ),
});
export type RetrievalSet = z.infer<typeof setSchema>;
export type SetRecord = RetrievalSet['records'][number];
export type SetQuery = RetrievalSet['queries'][number];

export const NAMESPACE = '/actor/eval/project/set/';

/** Reads a set in the form of the labelled retrieval sets. */
export function readSet(file: string): RetrievalSet {
  return setSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** The id that a record of a set has as a memory record. */
export function memoryId(record: SetRecord): string {
  return recordId(Date.parse(record.created_at), record.record_id);
}

/** Records of a set as the product stores them. */
export function memoryRecords(records: readonly SetRecord[]): MemoryRecord[] {
  const byId = new Map(records.map((record) => [record.record_id, record]));
  return records.map((record) => {
    const heir = record.superseded_by === null ? undefined : byId.get(record.superseded_by);
    const created = new Date(record.created_at).toISOString();
    return {
      record_id: memoryId(record),
      namespace: NAMESPACE,
      session_id: record.session_id,
      observation_type: record.observation_type,
      title: record.title,
      summary: record.summary,
      facts: record.facts,
      concepts: record.concepts,
      files_touched: record.files_touched,
      evidence: [],
      strategy: 'rules',
      origin: record.observation_type === 'preference' ? 'user_words' : 'tool_output',
      importance: 0.5,
      status: record.superseded_by === null ? 'current' : 'superseded',
      ...(heir === undefined
        ? {}
        : { superseded_by: memoryId(heir), valid_to: new Date(heir.created_at).toISOString() }),
      valid_from: created,
      pinned: false,
      recurrence: 1,
      created_at: created,
      updated_at: created,
      recall_count: 0,
    };
  });
}
