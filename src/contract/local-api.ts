import { z } from 'zod';
import { EVENT_KINDS, EVENT_TYPES, eventSchema } from './event';
import { injectionSchema, INJECTION_VERDICTS, injectedRecordSchema } from './injection';
import { memoryRecordSchema, OBSERVATION_TYPES, ORIGINS, RECORD_STATUSES } from './memory-record';
import { savedObservationSchema } from './saved-note';
import { collectorStatusSchema } from './status';

/** One line of the event tail: enough to draw it, without the body. */
export const eventRowSchema = z.object({
  event_id: z.string(),
  namespace: z.string(),
  kind: z.enum(EVENT_KINDS),
  type: z.enum(EVENT_TYPES).optional(),
  session_id: z.string(),
  session_title: z.string().optional(),
  turn_id: z.string().optional(),
  parent_event_id: z.string().optional(),
  valid_time: z.string(),
  surface: z.string(),
  preview: z.string(),
  display_message: z.string().optional(),
  label: z.string().optional(),
  severity: z.string().optional(),
  tool_name: z.string().optional(),
  success: z.boolean().optional(),
  duration_ms: z.number().optional(),
  action_id: z.string().optional(),
  action_name: z.string().optional(),
  action_display_name: z.string().optional(),
  task_status: z.string().optional(),
  repeat_count: z.number().int(),
  distil: z.enum(['pending', 'done', 'never']),
});
export type EventRow = z.infer<typeof eventRowSchema>;

export const recordFilterSchema = z.object({
  namespace: z.string().optional(),
  query: z.string().max(10_000).optional(),
  types: z.array(z.enum(OBSERVATION_TYPES)).optional(),
  statuses: z.array(z.enum(RECORD_STATUSES)).optional(),
  origins: z.array(z.enum(ORIGINS)).optional(),
  file: z.string().optional(),
  session_id: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  pinned: z.boolean().optional(),
});
export type RecordFilter = z.infer<typeof recordFilterSchema>;

export const historyEntrySchema = z.object({
  change_id: z.string(),
  record_id: z.string(),
  change: z.string(),
  at: z.string(),
  before: memoryRecordSchema.optional(),
  after: memoryRecordSchema.optional(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

export const projectSchema = z.object({
  namespace: z.string(),
  project_id: z.string(),
  root: z.string(),
  display_name: z.string(),
  events: z.number().int(),
  records: z.number().int(),
});

export const healthSchema = z.object({
  status: collectorStatusSchema,
  hooks: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['fired', 'silent', 'output_dropped', 'prompt_empty', 'set_aside', 'not_installed']),
      detail: z.string(),
      last_at: z.string().optional(),
    }),
  ),
  sessions_not_read: z.array(z.object({ session_id: z.string(), reason: z.string() })),
  sizes: z.record(z.string(), z.number()),
  spool: z.object({ waiting: z.number().int(), dropped: z.number().int() }),
});
export type Health = z.infer<typeof healthSchema>;

export const insightsSchema = z.object({
  days: z.array(
    z.object({
      day: z.string(),
      prompt: z.number(),
      tool_use: z.number(),
      session_summary: z.number(),
      note: z.number(),
      records: z.number(),
      tokens_injected: z.number(),
    }),
  ),
  tools: z.array(z.object({ tool_name: z.string(), used: z.number(), failed: z.number() })),
  distillations: z.array(
    z.object({ at: z.string(), events: z.number(), records: z.number(), ms: z.number() }),
  ),
});
export type Insights = z.infer<typeof insightsSchema>;

const page = { limit: z.number().int().min(1).max(500).default(50) };
const changed = z.object({ changed: z.number().int(), change_ids: z.array(z.string()) });
const ids = z.array(z.string()).min(1).max(10_000);

/**
 * Every method of the local API: parameters and result. `POST /v1/rpc/<method>` on the socket, and the same
 * names on the message port between a window and its worker. The reference's REST routes map onto these.
 */
export const LOCAL_API = {
  status: { params: z.object({ workspace: z.string().optional() }), result: collectorStatusSchema },
  projects: { params: z.object({}), result: z.object({ items: z.array(projectSchema) }) },
  resolveProject: {
    params: z.object({ path: z.string() }),
    result: z.object({
      namespace: z.string(),
      root: z.string(),
      display_name: z.string(),
      /** Whether memory is on for this folder, or why it is not. */
      allowed: z.enum(['yes', 'paused', 'untrusted', 'excluded']).optional(),
    }),
  },
  listEvents: {
    params: z.object({
      ...page,
      namespace: z.string().optional(),
      session_id: z.string().optional(),
      kinds: z.array(z.enum(EVENT_KINDS)).optional(),
      types: z.array(z.enum(EVENT_TYPES)).optional(),
      text: z.string().optional(),
      before: z.string().optional(),
    }),
    result: z.object({
      items: z.array(eventRowSchema),
      next: z.string().optional(),
      total: z.number().int(),
    }),
  },
  getEvent: {
    params: z.object({ event_id: z.string() }),
    result: z.object({ event: eventSchema.nullable(), derived: z.array(memoryRecordSchema) }),
  },
  listMemories: {
    params: recordFilterSchema.extend({
      limit: z.number().int().min(1).max(1000).default(100),
      offset: z.number().int().min(0).default(0),
    }),
    result: z.object({ items: z.array(memoryRecordSchema), total: z.number().int() }),
  },
  getMemory: {
    params: z.object({ record_id: z.string() }),
    result: z.object({
      record: memoryRecordSchema.nullable(),
      history: z.array(historyEntrySchema),
      evidence: z.array(eventRowSchema),
    }),
  },
  editMemory: {
    params: z.object({
      record_id: z.string(),
      title: z.string().min(1).optional(),
      summary: z.string().optional(),
      facts: z.array(z.string()).optional(),
    }),
    result: changed,
  },
  pinMemories: { params: z.object({ record_ids: ids, pinned: z.boolean() }), result: changed },
  forgetMemories: {
    params: z.object({ record_ids: ids.optional(), filter: recordFilterSchema.optional() }),
    result: changed,
  },
  restoreMemories: { params: z.object({ record_ids: ids }), result: changed },
  eraseMemories: {
    params: z.object({ record_ids: ids, with_events: z.boolean().default(true) }),
    result: z.object({ erased: z.number().int(), events_erased: z.number().int() }),
  },
  undo: { params: z.object({ change_ids: ids }), result: changed },
  remember: {
    params: z.object({
      text: z.string().min(1),
      workspace: z.string(),
      file: z.string().optional(),
      observation_type: z.enum(OBSERVATION_TYPES).default('preference'),
    }),
    result: z.object({ record_id: z.string() }),
  },
  search: {
    params: z.object({
      query: z.string(),
      namespace: z.string().optional(),
      workspace: z.string().optional(),
      limit: z.number().int().min(1).max(100).default(10),
    }),
    result: z.object({
      items: z.array(
        z.object({ record: memoryRecordSchema, score: z.number(), reasons: z.array(z.string()) }),
      ),
    }),
  },
  /** Memories in the order of time around one of them, around a date, or the latest. */
  timeline: {
    params: z.object({
      workspace: z.string(),
      record_id: z.string().optional(),
      /** ISO 8601, with or without a time. */
      at: z.string().max(64).optional(),
      before: z.number().int().min(0).max(50).default(5),
      after: z.number().int().min(0).max(50).default(5),
    }),
    result: z.object({ items: z.array(memoryRecordSchema), anchor: z.string().optional() }),
  },
  /** What an agent asks to be kept; the same `key` again gives the same memory. */
  saveObservation: {
    params: z.object({
      workspace: z.string(),
      key: z.string().min(1).max(128),
      session_id: z.string().min(1).max(128),
      client: z.string().max(200).optional(),
      observation: savedObservationSchema,
    }),
    result: z.object({ record_id: z.string(), outcome: z.enum(['created', 'reinforced', 'known']) }),
  },
  /** Turns that a model could not be asked about after several tries are tried again. */
  retryModel: { params: z.object({}), result: z.object({ turns: z.number().int() }) },
  /** A window whose user allows its model takes a request that the stream announced; the first one gets it. */
  takeModelRequest: {
    params: z.object({ request_id: z.number().int() }),
    result: z.object({
      request: z.object({ system: z.string(), prompt: z.string(), max_tokens: z.number().int() }).nullable(),
    }),
  },
  answerModelRequest: {
    params: z.object({
      request_id: z.number().int(),
      text: z.string().max(2_000_000).optional(),
      error: z.string().max(2000).optional(),
    }),
    result: z.object({}),
  },
  /** The key of the model's endpoint, from the window's secret storage; kept in memory only. */
  modelKey: { params: z.object({ key: z.string().max(4096) }), result: z.object({}) },
  ask: {
    params: z.object({
      prompt: z.string(),
      workspace: z.string(),
      session_id: z.string().optional(),
      now: z.string().optional(),
    }),
    result: z.object({
      context: z.string(),
      records: z.array(injectedRecordSchema),
      abstained: z.string().optional(),
      latency_ms: z.number(),
      bytes: z.number().int(),
      tokens: z.number().int(),
    }),
  },
  listInjections: {
    params: z.object({ ...page, namespace: z.string().optional(), before: z.string().optional() }),
    result: z.object({ items: z.array(injectionSchema), next: z.string().optional() }),
  },
  injectionFeedback: {
    params: z.object({
      injection_id: z.string(),
      record_id: z.string(),
      verdict: z.enum(INJECTION_VERDICTS).nullable(),
    }),
    result: z.object({}),
  },
  insights: {
    params: z.object({
      namespace: z.string().optional(),
      days: z.number().int().min(1).max(366).default(30),
    }),
    result: insightsSchema,
  },
  health: { params: z.object({ workspace: z.string().optional() }), result: healthSchema },
  distilNow: {
    params: z.object({ namespace: z.string().optional() }),
    result: z.object({ events: z.number().int(), records: z.number().int() }),
  },
  pause: {
    params: z.object({
      scope: z.enum(['window', 'project', 'everywhere']),
      paused: z.boolean(),
      workspace: z.string().optional(),
    }),
    result: z.object({}),
  },
  /** What an import would read, before anything is read. */
  findSessions: {
    params: z.object({ workspace: z.string() }),
    result: z.object({ sessions: z.number().int(), bytes: z.number().int(), already: z.number().int() }),
  },
  /** Progress comes through the stream as `job` events. */
  importSessions: {
    params: z.object({ workspace: z.string().optional(), dry_run: z.boolean().default(false) }),
    result: z.object({ job_id: z.string() }),
  },
  cancelJob: { params: z.object({ job_id: z.string() }), result: z.object({ cancelled: z.boolean() }) },
  exportMemories: {
    params: z.object({ namespace: z.string().optional(), format: z.enum(['json', 'markdown']) }),
    result: z.object({ text: z.string(), records: z.number().int() }),
  },
  importMemories: {
    params: z.object({ text: z.string(), workspace: z.string() }),
    result: z.object({ added: z.number().int(), skipped: z.number().int() }),
  },
  /** v1 events, CraftBot and Elephantasm events; each is validated and mapped on its own. */
  capture: {
    params: z.object({
      events: z.array(z.unknown()).min(1).max(1000),
      workspace: z.string().optional(),
      retrieve: z.boolean().default(false),
    }),
    result: z.object({
      results: z.array(z.object({ event_id: z.string(), stored: z.boolean(), error: z.string().optional() })),
      context: z.string().optional(),
    }),
  },
  /** A following window tells the leader what it knows of its folders. */
  window: {
    params: z.object({
      window_id: z.string(),
      folders: z.array(
        z.object({ path: z.string(), trusted: z.boolean(), settings: z.record(z.string(), z.unknown()) }),
      ),
      sessions_consent: z.boolean(),
      paused: z.boolean(),
    }),
    result: z.object({}),
  },
  stats: { params: z.object({ namespace: z.string().optional() }), result: z.record(z.string(), z.json()) },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;

export type ApiMethod = keyof typeof LOCAL_API;
export type ApiParams<M extends ApiMethod> = z.input<(typeof LOCAL_API)[M]['params']>;
export type ApiParsedParams<M extends ApiMethod> = z.output<(typeof LOCAL_API)[M]['params']>;
export type ApiResult<M extends ApiMethod> = z.output<(typeof LOCAL_API)[M]['result']>;

/** Whoever answers the local API: the collector itself, or a client of the one that leads. */
export interface LocalApi {
  call<M extends ApiMethod>(method: M, params: ApiParams<M>): Promise<ApiResult<M>>;
  /** Follows the stream until disposed; events missed while a leader changes are covered by a `resync`. */
  subscribe(listener: (event: StreamEvent) => void): { dispose(): void };
}

export const streamEventSchema = z.discriminatedUnion('stream', [
  z.object({ stream: z.literal('event'), row: eventRowSchema }),
  z.object({ stream: z.literal('records'), record_ids: z.array(z.string()) }),
  z.object({ stream: z.literal('status'), status: collectorStatusSchema }),
  z.object({ stream: z.literal('injection'), injection: injectionSchema }),
  z.object({
    stream: z.literal('job'),
    job_id: z.string(),
    label: z.string(),
    done: z.number(),
    total: z.number(),
    state: z.enum(['running', 'finished', 'cancelled', 'failed']),
    message: z.string().optional(),
  }),
  /** A model request waits for a window that may answer it; its content is given to the one that takes it. */
  z.object({ stream: z.literal('model_request'), request_id: z.number().int() }),
  /** State may have been missed: ask again. */
  z.object({ stream: z.literal('resync') }),
]);
export type StreamEvent = z.infer<typeof streamEventSchema>;

/** An error that a caller of the local API may show; `code` is closed and stable. */
export class ApiError extends Error {
  constructor(
    readonly code: 'bad_request' | 'not_found' | 'read_only' | 'paused' | 'unavailable' | 'internal',
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}
