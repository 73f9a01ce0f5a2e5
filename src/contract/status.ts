import { z } from 'zod';
import { modelStateSchema } from './model-state';

/** What the status bar and the panel's head show: exactly one of these at a time. */
export const collectorStateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('starting') }),
  z.object({ state: z.literal('idle') }),
  z.object({ state: z.literal('capturing'), buffered: z.number().int() }),
  z.object({ state: z.literal('distilling'), buffered: z.number().int() }),
  z.object({ state: z.literal('paused'), scope: z.enum(['window', 'project', 'everywhere']) }),
  z.object({ state: z.literal('degraded'), message: z.string() }),
  z.object({ state: z.literal('error'), message: z.string() }),
]);
export type CollectorState = z.infer<typeof collectorStateSchema>;

export const problemSchema = z.object({
  /** Closed, for the button that mends it: `store_quarantined`, `image_newer`, `disk_full`, `hook_silent`, … */
  code: z.string(),
  /** What happened, what was kept, what to do; one or two sentences. */
  message: z.string(),
  at: z.string(),
});
export type Problem = z.infer<typeof problemSchema>;

export const collectorStatusSchema = z.object({
  state: collectorStateSchema,
  /** Events that wait for the rules; drains to 0. */
  buffered: z.number().int(),
  /** Turns that wait for a model, where one is set. */
  pending_model: z.number().int(),
  events: z.number().int(),
  records: z.number().int(),
  last_capture_at: z.string().optional(),
  last_recall_at: z.string().optional(),
  last_injection: z
    .object({ injection_id: z.string(), records: z.number().int(), at: z.string() })
    .optional(),
  /** This window leads, or follows the one that does. */
  role: z.enum(['leader', 'follower', 'none']),
  leader: z.object({ pid: z.number().int(), version: z.string(), epoch: z.number().int() }).optional(),
  store: z.object({ path: z.string(), host: z.string(), read_only: z.boolean() }).optional(),
  provider: z.string(),
  model: modelStateSchema.optional(),
  problems: z.array(problemSchema),
});
export type CollectorStatus = z.infer<typeof collectorStatusSchema>;
