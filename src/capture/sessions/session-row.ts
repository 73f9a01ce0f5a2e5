import { createHash } from 'node:crypto';
import { z } from 'zod';

const text = z.string().catch('');
const maybeText = z.string().optional().catch(undefined);
const turnId = { executionId: maybeText };

const kiroMetaSchema = z
  .looseObject({
    syntheticUserMessageReason: maybeText,
    steeringClearedIds: z.array(z.unknown()).optional().catch(undefined),
  })
  .optional()
  .catch(undefined);
const metaSchema = z.looseObject({ kiro: kiroMetaSchema }).optional().catch(undefined);

/** Fields that are used; images, documents and the content of context items are never kept. */
const payloadSchemas = {
  user: z.object({
    content: text,
    source: maybeText,
    contextItems: z
      .array(z.object({ name: maybeText, uri: maybeText }))
      .optional()
      .catch(undefined),
    _meta: metaSchema,
    ...turnId,
  }),
  assistant: z.object({ content: text, operationType: maybeText, ...turnId }),
  tool_call: z.object({
    toolCallId: z.string(),
    toolName: text,
    args: z.unknown().optional(),
    kind: maybeText,
    filePath: maybeText,
    ...turnId,
  }),
  tool_result: z.object({
    toolCallId: z.string(),
    content: z.unknown().optional(),
    success: z.boolean().optional().catch(undefined),
    durationMs: z.number().optional().catch(undefined),
    ...turnId,
  }),
  agent_note: z.object(turnId),
  system: z.object(turnId),
  error: z.object({ message: text, code: maybeText, ...turnId }),
  tool_revert: z.object({ toolCallId: z.string(), ...turnId }),
  mode_change: z.object({ fromMode: text, toMode: text, ...turnId }),
  session_event: z.object({
    category: text,
    context: z.object({ executionId: maybeText, status: maybeText }).optional().catch(undefined),
  }),
  sub_agent_start: z.object({
    parentExecutionId: maybeText,
    subSessionId: z.string(),
    subAgentName: text,
    prompt: text,
    explanation: text,
  }),
  sub_agent_progress: z.object({ parentExecutionId: maybeText }),
  sub_agent_complete: z.object({
    parentExecutionId: maybeText,
    subSessionId: z.string(),
    response: text,
    status: text,
    errorMessage: maybeText,
  }),
  steering_inclusion: z.object(turnId),
  turn_start: z.object(turnId),
  turn_end: z.object({ stopReason: text, ...turnId }),
  tombstone: z.object({ kind: text, effectiveFromMessageId: text }),
  usage_summary: z.object({ status: maybeText, ...turnId }),
  ContextualHookInvoked: z.object({
    hookId: text,
    name: text,
    status: maybeText,
    output: maybeText,
    exitCode: z.number().optional().catch(undefined),
    ...turnId,
  }),
  pending_interaction: z.object({ toolCallId: maybeText, ...turnId }),
  interaction_resolved: z.object({ toolCallId: maybeText, ...turnId }),
  session_metadata: z.object({ key: text, ...turnId }),
  session_start: z.object({}),
};

export type RowType = keyof typeof payloadSchemas;
type Payloads = { [T in RowType]: { type: T } & z.infer<(typeof payloadSchemas)[T]> };

/** One record of a session file. */
export interface SessionRow<T extends RowType = RowType> {
  /** The engine's id; two different rows can share one (an approval that was asked for twice). */
  id: string;
  /** `kiro:<id>#<first 12 hex digits of SHA-256 over the line>`: the same bytes are the same record. */
  key: string;
  /** ISO 8601 UTC; '' where the row has no usable time. */
  time: string;
  payload: Payloads[T];
}

export type AnyRow = { [T in RowType]: SessionRow<T> }[RowType];

const envelopeSchema = z.object({
  id: z.string().min(1),
  timestamp: z.string().catch(''),
  payload: z.looseObject({ type: z.string() }),
  _meta: metaSchema,
});

export type RowResult = { row: AnyRow } | { skipped: 'blank' | 'broken_line' | 'unknown_type' };

/** Reads one line of a session file. Never throws: the engine passes over what it can't parse, and so do we. */
export function parseRow(line: Buffer): RowResult {
  const source = line.toString('utf8');
  if (source.trim() === '') return { skipped: 'blank' };
  let value: unknown;
  try {
    value = JSON.parse(source.charCodeAt(0) === 0xfeff ? source.slice(1) : source);
  } catch {
    return { skipped: 'broken_line' };
  }
  const envelope = envelopeSchema.safeParse(value);
  if (!envelope.success) return { skipped: 'broken_line' };
  const { id, timestamp, payload, _meta } = envelope.data;
  const { type } = payload;
  if (!isRowType(type)) return { skipped: 'unknown_type' };
  const parsed = payloadSchemas[type].safeParse(payload);
  if (!parsed.success) return { skipped: 'broken_line' };
  const fields = { ...parsed.data, type } as AnyRow['payload'];
  // Some builds write `_meta` beside the payload.
  if (fields.type === 'user') fields._meta ??= _meta;
  return { row: { id, key: rowKey('kiro', id, line), time: isoTime(timestamp), payload: fields } as AnyRow };
}

/** Identity of a record: whose it is, its id, and the beginning of a digest of its bytes. */
export function rowKey(source: string, id: string, line: Buffer): string {
  return `${source}:${id}#${createHash('sha256').update(line).digest('hex').slice(0, 12)}`;
}

function isRowType(type: string): type is RowType {
  return Object.hasOwn(payloadSchemas, type);
}

function isoTime(timestamp: string): string {
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

/** The turn that a row names; the engine leaves prompts and messages sent during a turn without one. */
export function turnOf({ payload }: AnyRow): string | undefined {
  if ('executionId' in payload) return payload.executionId || undefined;
  if ('parentExecutionId' in payload) return payload.parentExecutionId || undefined;
  if (payload.type === 'session_event' && payload.category === 'session_pause') {
    return payload.context?.executionId || undefined;
  }
  return undefined;
}

/**
 * Who a `user` row is from: a person (`real`, or `steer` while a turn runs), the engine (`synthetic` prompts,
 * the `carrier` that hands a steer message to the model), or nobody (`receipt`).
 */
export type UserRowKind = 'real' | 'steer' | 'synthetic' | 'carrier' | 'receipt';

export function userRowKind({ payload }: SessionRow<'user'>): UserRowKind {
  const kiro = payload._meta?.kiro;
  if (kiro?.steeringClearedIds) return 'receipt';
  if (kiro?.syntheticUserMessageReason === 'steering-injection') return 'carrier';
  if (kiro?.syntheticUserMessageReason) return 'synthetic';
  return payload.source === 'steer' ? 'steer' : 'real';
}
