import { createHash } from 'node:crypto';
import { decodeTime } from 'ulid';
import type { EventDraft } from '../contract/event-draft';
import { ulidSchema, type Surface } from '../contract/event';
import { ActionPairer } from './api/action-pairer';
import { apiFieldsSchema, apiTime, apiTypeOf, type ApiFields, type ApiType } from './api/api-fields';
import { callId, messageFields, roleOf, textOf, toolFields } from './api/foreign-event';
import { looksNative, nativeEventSchema, nativeFields, nativeIdentity } from './api/native-event';
import { RetryWindow } from './api/retry-window';
import { compact } from './compact';
import { isObject } from './json-value';

interface OpenCall {
  fields: ApiFields;
  type: ApiType;
}

/** What outlives one request: starts that wait for their end, and contents that a client may send again. */
export class ApiEventMemory {
  readonly calls = new ActionPairer<OpenCall>();
  readonly retries = new RetryWindow();
}

export interface ApiEventOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** Folder of the caller; an event can't choose another one. */
  workspace?: string;
  /** `api` unless the events come from elsewhere. */
  surface?: Surface;
  /** Without it starts and ends are joined within `events` only. */
  memory?: ApiEventMemory;
}

/** `held`: the start of an action, which becomes one event together with its end. */
export type ApiEventResult = { draft: EventDraft } | { held?: true; error?: string };

/**
 * Events of the wire contract, of CraftBot and of Elephantasm, as drafts; one result for each event, in order.
 * Never throws; an error names what is wrong and never the event's content.
 */
export function draftsOfApiEvents(events: readonly unknown[], options: ApiEventOptions): ApiEventResult[] {
  return new ApiEventMapper(options).map(events);
}

interface Read {
  fields: ApiFields;
  type: ApiType;
}

class ApiEventMapper {
  private readonly memory: ApiEventMemory;
  private readonly heldAt = new Map<ApiFields, number>();

  constructor(private readonly options: ApiEventOptions) {
    this.memory = options.memory ?? new ApiEventMemory();
  }

  map(events: readonly unknown[]): ApiEventResult[] {
    const read = events.map((event) => this.read(event));
    const results = read.map((item, index) => {
      if (!('fields' in item)) return item;
      return this.draft(item, isLastAnswer(read, index), index);
    });
    if (!this.options.memory) this.giveBackOpen(results);
    return results;
  }

  /** A start whose end is not among the events is kept as what it is: an action that was begun. */
  private giveBackOpen(results: ApiEventResult[]): void {
    for (const { value } of this.memory.calls.takeOpen()) {
      const index = this.heldAt.get(value.fields);
      if (index !== undefined) results[index] = { draft: this.toolUse(value, undefined) };
    }
  }

  private read(event: unknown): Read | ApiEventResult {
    const inner = isObject(event) && isObject(event['event']) ? { ...event, ...event['event'] } : event;
    if (!isObject(inner)) return { error: 'an event must be an object' };
    if (looksNative(inner)) return this.native(inner);
    const parsed = apiFieldsSchema.safeParse(inner);
    if (!parsed.success) return { error: 'the event is malformed' };
    const type = apiTypeOf(parsed.data);
    return type ? { fields: parsed.data, type } : { error: 'the event has no known event_type' };
  }

  private native(value: Record<string, unknown>): ApiEventResult {
    const parsed = nativeEventSchema.safeParse(value);
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path[0];
      const known = typeof field === 'string' && field in nativeEventSchema.shape;
      return { error: known ? `the field ${field} is malformed` : 'the event is malformed' };
    }
    const event = parsed.data;
    const fields = nativeFields(event);
    const id = event.event_id ? nativeIdentity(event.event_id) : undefined;
    const basis = [event.kind, event.session_id, event.author, JSON.stringify(event.body), event.source_uri];
    return { draft: this.finish(fields, id ?? event.idempotency_key, basis, event.valid_time) };
  }

  private draft({ fields, type }: Read, isLast: boolean, index: number): ApiEventResult {
    switch (roleOf(type)) {
      case 'prompt':
        return this.message(fields, type, 'prompt');
      case 'answer':
        return this.message(fields, type, isLast ? 'session_summary' : 'note');
      case 'note':
        return this.message(fields, type, 'note');
      case 'call': {
        const { session_id = '', author = '' } = fields;
        const value = { fields, type };
        this.heldAt.set(fields, index);
        const at = this.options.now;
        this.memory.calls.started({ sessionId: session_id, author, actionId: callId(fields), at, value });
        return { held: true };
      }
      case 'result': {
        const { session_id = '', author = '' } = fields;
        const call = this.memory.calls.ended(session_id, author, callId(fields));
        return { draft: this.toolUse(call?.value, { fields, type }) };
      }
    }
  }

  private message(
    fields: ApiFields,
    type: ApiType,
    kind: 'prompt' | 'session_summary' | 'note',
  ): ApiEventResult {
    if (textOf(fields).trim() === '') return { error: 'the event has no text' };
    const ends = kind === 'session_summary' ? { ends_turn: true } : {};
    return { draft: this.foreign(fields, type, { ...messageFields(fields, type, kind), ...ends }) };
  }

  private toolUse(call: OpenCall | undefined, result: OpenCall | undefined): EventDraft {
    const known = result ?? call;
    if (!known) throw new TypeError('a tool use needs a call or a result');
    return this.foreign(known.fields, known.type, toolFields(call?.fields, result?.fields, known.type));
  }

  private foreign(
    fields: ApiFields,
    type: ApiType,
    made: Omit<EventDraft, 'identity' | 'surface'>,
  ): EventDraft {
    const time = apiTime(fields.occurred_at, fields.ts);
    const named = fields.event_id === undefined ? undefined : `api:id:${fields.event_id}`;
    const keyed = named ?? fields.idempotency_key;
    const basis = [
      Object.values(type)[0],
      fields.session_id,
      fields.author,
      textOf(fields),
      fields.source_uri,
    ];
    const ids = [callId(fields), fields.anima_id, JSON.stringify(fields.action_output ?? null)];
    const session = fields.session_id === undefined ? {} : { session_id: fields.session_id };
    return this.finish({ ...made, ...session }, keyed, [...basis, ...ids], time);
  }

  private firstSeen(what: string, now: number): string {
    return new Date(this.memory.retries.seenAt(what, now)).toISOString();
  }

  /** Identity: the client's own key, else content and time, else content within ten minutes. */
  private finish(
    made: Omit<EventDraft, 'identity' | 'surface'>,
    key: string | undefined,
    basis: (string | undefined)[],
    time: string | undefined,
  ): EventDraft {
    const { workspace, surface = 'api', now } = this.options;
    const digest = digestOf([workspace, ...basis, time]);
    const validTime = time ?? timeOfId(key) ?? this.firstSeen(key ?? digest, now);
    const isRetryable = key === undefined && time === undefined;
    return compact<EventDraft>({
      ...made,
      identity: key === undefined ? `api:${digest}${isRetryable ? `:${validTime}` : ''}` : scoped(key),
      valid_time: validTime,
      surface,
      cwd: workspace ?? made.cwd,
    });
  }
}

/** An id holds a time, which is the event's where nothing else tells it. */
function timeOfId(key: string | undefined): string | undefined {
  const id = key?.startsWith('api:id:') ? key.slice('api:id:'.length) : '';
  return ulidSchema.safeParse(id).success ? new Date(decodeTime(id)).toISOString() : undefined;
}

function scoped(key: string): string {
  return key.startsWith('api:id:') ? key : `api:key:${key}`;
}

function digestOf(parts: (string | undefined)[]): string {
  return createHash('sha256')
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest('hex')
    .slice(0, 32);
}

/** False for an answer that another answer of its session follows before the next prompt. */
function isLastAnswer(read: readonly (Read | ApiEventResult)[], index: number): boolean {
  const own = read[index];
  if (!own || !('fields' in own)) return true;
  for (const later of read.slice(index + 1)) {
    if (!('fields' in later) || later.fields.session_id !== own.fields.session_id) continue;
    const role = roleOf(later.type);
    if (role === 'prompt') return true;
    if (role === 'answer') return false;
  }
  return true;
}
