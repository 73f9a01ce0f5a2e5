import { decodeTime } from 'ulid';
import { z } from 'zod';
import {
  EVENT_KINDS,
  eventBodySchema,
  eventDetailSchema,
  eventSourceSchema,
  ulidSchema,
  type EventBody,
} from '../../contract/event';
import type { EventDraft } from '../../contract/event-draft';
import { LIMITS } from '../../contract/limits';
import { compact } from '../compact';
import { toJsonValue } from '../json-value';

/**
 * An event of the wire contract as a client may send it. Namespace, actor and hash are the receiver's and are
 * passed over; so is `pinned` and whatever else would lend an event more weight than its source has.
 */
export const nativeEventSchema = z.object({
  event_id: ulidSchema.optional(),
  idempotency_key: z.string().min(1).max(LIMITS.idChars).optional(),
  kind: z.enum(EVENT_KINDS),
  body: eventBodySchema,
  session_id: z.string().min(1).max(LIMITS.idChars).optional(),
  anima_id: z.string().min(1).max(LIMITS.idChars).optional(),
  valid_time: z.iso.datetime({ offset: true }).optional(),
  source: eventSourceSchema.partial().optional(),
  schema_version: z.literal(1).optional(),
  parent_event_id: ulidSchema.optional(),
  ...eventDetailSchema.shape,
});
export type NativeEvent = z.infer<typeof nativeEventSchema>;

/** True for what claims to be an event of the wire contract, well-formed or not. */
export function looksNative(value: Record<string, unknown>): boolean {
  return 'schema_version' in value || ('body' in value && EVENT_KINDS.some((kind) => kind === value['kind']));
}

/** Everything of a draft but identity, surface and place. */
export function nativeFields(event: NativeEvent): Omit<EventDraft, 'identity' | 'surface'> {
  const { event_id: _id, idempotency_key: _key, anima_id, source, schema_version: _v, ...rest } = event;
  const { parent_event_id: parent, body, meta, valid_time: validTime, ...detail } = rest;
  return compact<Omit<EventDraft, 'identity' | 'surface'>>({
    ...detail,
    body: bodyOf(body),
    valid_time: validTime,
    parent_identity: parent && nativeIdentity(parent),
    parent_valid_time: parent && new Date(decodeTime(parent)).toISOString(),
    client_id: source?.client_id,
    branch: source?.branch,
    cwd: source?.project_path,
    meta: anima_id === undefined ? meta : { ...meta, anima_id },
    ends_turn: event.kind === 'session_summary' ? true : undefined,
  });
}

export function nativeIdentity(eventId: string): string {
  return `api:id:${eventId}`;
}

function bodyOf(body: NativeEvent['body']): EventBody {
  return body.type === 'json' ? { type: 'json', data: toJsonValue(body.data) } : body;
}
