import { z } from 'zod';
import { LIMITS } from './limits';

export const EVENT_KINDS = ['prompt', 'tool_use', 'session_summary', 'note'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The closed set that rendering and distillation route on; never on text. */
export const EVENT_TYPES = [
  'user_message',
  'agent_message',
  'system',
  'error',
  'reasoning',
  'action_start',
  'action_end',
  'task_start',
  'task_end',
  'waiting_for_user',
  'relevant_memories',
  'todos',
  'internal',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const SURFACES = ['kiro-ide', 'kiro-cli', 'vscode', 'claude-code', 'api', 'mcp', 'import'] as const;
export type Surface = (typeof SURFACES)[number];

export const SEVERITIES = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const TASK_STATUSES = ['completed', 'error', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export const ulidSchema = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
const idSchema = z.string().min(1).max(LIMITS.idChars);
const jsonObjectSchema = z.record(z.string(), z.json());

export const textBodySchema = z.object({ type: z.literal('text'), content: z.string() });
export const messageBodySchema = z.object({
  type: z.literal('message'),
  turns: z.array(z.object({ role: z.string().min(1).max(64), content: z.string() })).min(1),
});
export const jsonBodySchema = z.object({ type: z.literal('json'), data: z.json() });
export const eventBodySchema = z.discriminatedUnion('type', [
  textBodySchema,
  messageBodySchema,
  jsonBodySchema,
]);
export type EventBody =
  | { type: 'text'; content: string }
  | { type: 'message'; turns: { role: string; content: string }[] }
  | { type: 'json'; data: JsonValue };

export const eventSourceSchema = z.object({
  surface: z.enum(SURFACES),
  version: z.string().max(64),
  project_path: z.string().min(1).max(LIMITS.projectPathChars).optional(),
  client_id: z.string().max(LIMITS.idChars).optional(),
  branch: z.string().max(255).optional(),
});

/** Optional fields beside the envelope; readers that don't know them pass them over. */
export const eventDetailSchema = z.object({
  type: z.enum(EVENT_TYPES).optional(),
  label: z.string().max(500).optional(),
  severity: z.enum(SEVERITIES).catch('INFO').optional(),
  display_message: z.string().max(4000).optional(),
  action_id: idSchema.optional(),
  action_name: z.string().max(200).optional(),
  action_display_name: z.string().max(200).optional(),
  task_status: z.enum(TASK_STATUSES).optional(),
  platform: z.string().max(200).optional(),
  repeat_count: z.number().int().min(1).optional(),
  author: z.string().max(200).optional(),
  role: z.string().max(64).optional(),
  importance_score: z.number().min(0).max(1).optional(),
  source_uri: z.string().max(2048).optional(),
  meta: jsonObjectSchema.optional(),
});

/** The wire contract, version 1 (seeds; design.md "The event"). */
export const eventSchema = z.object({
  event_id: ulidSchema,
  kind: z.enum(EVENT_KINDS),
  body: eventBodySchema,
  namespace: z.string().regex(/^\/actor\/[^/]+\/project\/[^/]+\/$/),
  actor_id: idSchema,
  session_id: idSchema,
  valid_time: z.iso.datetime({ offset: true }),
  recorded_at: z.iso.datetime({ offset: true }).optional(),
  source: eventSourceSchema,
  schema_version: z.literal(1),
  content_hash: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .optional(),
  parent_event_id: ulidSchema.optional(),
  ...eventDetailSchema.shape,
});

export interface EventSource {
  surface: Surface;
  version: string;
  project_path?: string;
  client_id?: string;
  branch?: string;
}

export interface EventDetail {
  type?: EventType;
  label?: string;
  severity?: Severity;
  /** For people; models and logs get the full body. */
  display_message?: string;
  action_id?: string;
  action_name?: string;
  action_display_name?: string;
  task_status?: TaskStatus;
  platform?: string;
  repeat_count?: number;
  author?: string;
  role?: string;
  importance_score?: number;
  source_uri?: string;
  meta?: JsonObject;
}

/** A stored event: everything filled in, body scrubbed and cut. */
export interface MemoryEvent extends EventDetail {
  event_id: string;
  kind: EventKind;
  body: EventBody;
  namespace: string;
  actor_id: string;
  session_id: string;
  valid_time: string;
  recorded_at: string;
  source: EventSource;
  schema_version: 1;
  content_hash: string;
  parent_event_id?: string;
}

/** Body data of a `tool_use`: one call joined with its result. */
export interface ToolUseData {
  tool_name: string;
  tool_input: JsonValue;
  tool_response: { result: JsonValue; success?: boolean };
  /** Milliseconds, where the source measured it. */
  duration_ms?: number;
}

export const toolUseDataSchema = z.looseObject({
  tool_name: z.string(),
  tool_input: z.json().optional(),
  tool_response: z.looseObject({ result: z.json().optional(), success: z.boolean().optional() }).optional(),
  duration_ms: z.number().optional(),
});
