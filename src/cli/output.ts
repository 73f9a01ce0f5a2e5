import { z } from 'zod';
import { EVENT_KINDS } from '../contract/event';
import { injectedRecordSchema } from '../contract/injection';
import { memoryRecordSchema } from '../contract/memory-record';

const count = z.number().int().min(0);

const sessionCountsSchema = z.looseObject({
  sessions_read: count,
  turns: count,
  prompts: z.object({
    real: count,
    steer: count,
    synthetic: count,
    carriers: count,
    receipts: count,
    never_ran: count,
  }),
  tool_calls: count,
  tool_calls_joined: count,
  tool_calls_failed: count,
  delegates: count,
  sub_tool_calls_joined: count,
  reverted_turns: count,
  turns_aborted: count,
  reused_ids: count,
  skipped: z.object({ unknown_type: count, broken_line: count }),
});

/** What each command prints with `--json`; docs/cli.schema.json is generated from here. */
export const CLI_OUTPUT = {
  replay: z.object({
    read: z.union([
      sessionCountsSchema,
      z.object({ cases: count }),
      z.object({ lines: count, invalid: count }),
    ]),
    added: z.object({
      events: z.object({ prompt: count, tool_use: count, session_summary: count, note: count }),
      records: count,
    }),
    not_read: z.array(z.object({ session_id: z.string(), reason: z.string() })),
    by_session: z.record(z.string(), z.unknown()).optional(),
    cases: z
      .array(
        z.object({
          name: z.string(),
          kind: z.enum([...EVENT_KINDS, 'none']),
          body_type: z.enum(['text', 'message', 'json']).nullable(),
          event: z.unknown().nullable(),
          exit_code: z.number().int().nullable(),
          stdout: z.string(),
        }),
      )
      .optional(),
  }),
  ask: z.object({
    context: z.string(),
    records: z.array(injectedRecordSchema),
    abstained: z.string().optional(),
    latency_ms: z.number(),
    bytes: count,
    tokens: count,
  }),
  search: z.object({
    items: z.array(z.object({ record: memoryRecordSchema, score: z.number(), reasons: z.array(z.string()) })),
  }),
  stats: z.record(z.string(), z.json()),
  doctor: z.object({
    sound: z.boolean(),
    findings: z.array(z.object({ level: z.enum(['ok', 'warning', 'error']), message: z.string() })),
  }),
  export: z.object({ records: count, path: z.string().optional(), text: z.string().optional() }),
  import: z.object({ added: count, skipped: count }),
} as const;

export type CliOutput<C extends keyof typeof CLI_OUTPUT> = z.output<(typeof CLI_OUTPUT)[C]>;
