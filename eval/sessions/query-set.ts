import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** A string that must be found, or several of which one is enough. */
const wantedSchema = z.union([z.string(), z.array(z.string()).min(1)]);

const querySchema = z.object({
  query_id: z.string(),
  category: z.string(),
  workspace: z.string(),
  prompt: z.string(),
  must_include: z.array(wantedSchema),
  must_not_include: z.array(z.string()),
  stale: z.array(z.string()).default([]),
  expected_empty: z.boolean(),
});
export type Query = z.infer<typeof querySchema>;

const setSchema = z.object({ now: z.iso.datetime({ offset: true }), queries: z.array(querySchema) });

export interface QuerySet {
  /** What relative dates in prompts are relative to, ISO 8601. */
  now: string;
  queries: Query[];
}

/** Reads `queries.json` of a set of sessions, or another file of the same form. */
export function readQueries(folder: string, name: string): QuerySet {
  return setSchema.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
}
