import { z } from 'zod';

export const INJECTION_VERDICTS = ['not_useful', 'never_again'] as const;
export type InjectionVerdict = (typeof INJECTION_VERDICTS)[number];

export const injectedRecordSchema = z.object({
  record_id: z.string(),
  title: z.string(),
  score: z.number(),
  /** Short, for people: `title: queue, pg-boss`, `file in play: docs/adr/0007.md`. */
  reasons: z.array(z.string()),
  verdict: z.enum(INJECTION_VERDICTS).optional(),
});
export type InjectedRecord = z.infer<typeof injectedRecordSchema>;

/** One answered prompt: what was injected, why, and what was left out. */
export const injectionSchema = z.object({
  injection_id: z.string(),
  namespace: z.string(),
  session_id: z.string(),
  event_id: z.string().optional(),
  at: z.iso.datetime({ offset: true }),
  records: z.array(injectedRecordSchema),
  left_out: z.array(injectedRecordSchema),
  /** Why nothing was injected, where nothing was. */
  abstained: z.string().optional(),
  context: z.string(),
  latency_ms: z.number(),
  bytes: z.number().int(),
  tokens: z.number().int(),
  surface: z.string(),
});
export type Injection = z.infer<typeof injectionSchema>;
