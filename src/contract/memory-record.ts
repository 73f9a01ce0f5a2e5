import { z } from 'zod';
import { ulidSchema } from './event';
import { LIMITS } from './limits';

export const OBSERVATION_TYPES = [
  'decision',
  'error',
  'discovery',
  'pattern',
  'preference',
  'tool_use',
  'session_summary',
] as const;
export type ObservationType = (typeof OBSERVATION_TYPES)[number];

export const STRATEGIES = ['rules', 'llm', 'user', 'mcp', 'import'] as const;
export type Strategy = (typeof STRATEGIES)[number];

export const ORIGINS = [
  'user_words',
  'agent_words',
  'tool_output',
  'mcp',
  'api',
  'import',
  'external',
] as const;
export type Origin = (typeof ORIGINS)[number];

export const RECORD_STATUSES = ['current', 'superseded', 'withdrawn', 'forgotten'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];

export const recordIdSchema = z.string().regex(/^mr_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);

export const evidenceSchema = z.object({
  event_id: ulidSchema,
  excerpt: z.string().max(LIMITS.excerptChars),
});
/** An excerpt outlives the raw event that it was taken from. */
export type Evidence = z.infer<typeof evidenceSchema>;

export const memoryRecordSchema = z.object({
  record_id: recordIdSchema,
  namespace: z.string(),
  session_id: z.string().max(LIMITS.idChars),
  session_title: z.string().max(LIMITS.titleChars).optional(),
  branch: z.string().max(255).optional(),
  observation_type: z.enum(OBSERVATION_TYPES),
  title: z.string().min(1).max(LIMITS.titleChars),
  summary: z.string().max(LIMITS.summaryChars),
  facts: z.array(z.string().max(LIMITS.factChars)).max(LIMITS.facts),
  concepts: z.array(z.string().max(LIMITS.conceptChars)).max(LIMITS.concepts),
  files_touched: z.array(z.string().max(LIMITS.fileChars)).max(LIMITS.files),
  evidence: z.array(evidenceSchema).max(LIMITS.evidence),
  strategy: z.enum(STRATEGIES),
  origin: z.enum(ORIGINS),
  importance: z.number().min(0).max(1),
  status: z.enum(RECORD_STATUSES),
  superseded_by: recordIdSchema.optional(),
  valid_from: z.iso.datetime({ offset: true }),
  valid_to: z.iso.datetime({ offset: true }).optional(),
  pinned: z.boolean(),
  /** How often the same thing was learned again. */
  recurrence: z.number().int().min(1),
  created_at: z.iso.datetime({ offset: true }),
  updated_at: z.iso.datetime({ offset: true }),
  recall_count: z.number().int().min(0),
  last_recalled_at: z.iso.datetime({ offset: true }).optional(),
});
export type MemoryRecord = z.infer<typeof memoryRecordSchema>;

/** What a rule or a model proposes: ids, times of storing and status are the lifecycle's. */
export interface RecordDraft {
  /**
   * Identity of what was learned, such as `<rule>:<turn>:<n>`: the same draft made again (a turn that is
   * distilled twice) becomes the same record.
   */
  identity: string;
  session_id: string;
  session_title?: string;
  branch?: string;
  observation_type: ObservationType;
  title: string;
  summary: string;
  facts: string[];
  concepts: string[];
  files_touched: string[];
  evidence: Evidence[];
  strategy: Strategy;
  origin: Origin;
  importance: number;
  /** ISO 8601: when what it says became true. */
  valid_from: string;
}
