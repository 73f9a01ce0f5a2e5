import { createHash } from 'node:crypto';
import type { Clock } from '../contract/clock';
import type { EventBody, EventDetail, EventSource, EventType, MemoryEvent } from '../contract/event';
import type { EventDraft } from '../contract/event-draft';
import { deterministicUlid } from '../contract/ids';
import { LIMITS } from '../contract/limits';
import { truncateBody } from '../capture/truncate';
import type { ScrubContext, Scrubber } from '../privacy/scrub';
import { isEmptyBody, scrubBody } from '../privacy/scrub-body';
import { byteLength, cutCodePoints } from '../text/cut';

/** Types of events that come without one (design.md "The event"). */
const DERIVED_TYPES = {
  prompt: 'user_message',
  tool_use: 'action_end',
  session_summary: 'agent_message',
  note: 'system',
} as const satisfies Record<MemoryEvent['kind'], EventType>;

/** Types that are stored and shown but never distilled. */
const NEVER_DISTILLED: ReadonlySet<EventType> = new Set<EventType>([
  'reasoning',
  'todos',
  'waiting_for_user',
  'relevant_memories',
  'internal',
  'action_start',
]);

export interface EventPlace {
  namespace: string;
  actorId: string;
  sessionId: string;
  projectPath?: string;
  branch?: string;
}

/** The event is larger than the contract allows even after it was cut. */
export class EventTooLargeError extends Error {
  constructor(readonly bytes: number) {
    super(`The event is ${bytes} bytes after cutting; the limit is ${LIMITS.eventBytes}.`);
    this.name = 'EventTooLargeError';
  }
}

/** Drafts → events: scrubbed, cut, hashed, with ids. The one place where an event is made. */
export class EventBuilder {
  constructor(private readonly deps: { scrubber: Scrubber; clock: Clock; version: string }) {}

  /**
   * Makes the event of a draft, or undefined where nothing is left once injected and private text is gone.
   * @throws EventTooLargeError
   */
  build(draft: EventDraft, place: EventPlace): MemoryEvent | undefined {
    const context: ScrubContext = { sessionId: `${place.namespace}${place.sessionId}` };
    const scrubbed = scrubBody(draft.body, draft.kind === 'prompt', this.deps.scrubber, context);
    if (isEmptyBody(scrubbed)) return undefined;
    const body = truncateBody(scrubbed, LIMITS.bodyBytes, (text) => this.deps.scrubber.scrubCutEdge(text));
    const now = new Date(this.deps.clock.now()).toISOString();
    const validTime = normaliseTime(draft.valid_time) ?? now;
    const event: MemoryEvent = {
      event_id: eventId(validTime, draft.identity),
      kind: draft.kind,
      body,
      namespace: place.namespace,
      actor_id: place.actorId,
      session_id: cutCodePoints(place.sessionId, LIMITS.idChars),
      valid_time: validTime,
      recorded_at: now,
      source: this.source(draft, place),
      schema_version: 1,
      content_hash: hashBody(body),
      ...this.detail(draft, context),
    };
    if (draft.parent_identity) {
      const parent = parentTime(draft, validTime);
      event.parent_event_id = eventId(parent, draft.parent_identity);
    }
    const bytes = byteLength(JSON.stringify(event));
    if (bytes > LIMITS.eventBytes) throw new EventTooLargeError(bytes);
    return event;
  }

  private source(draft: EventDraft, place: EventPlace): EventSource {
    const source: EventSource = { surface: draft.surface, version: this.deps.version };
    if (place.projectPath) source.project_path = place.projectPath.slice(0, LIMITS.projectPathChars);
    if (draft.client_id) source.client_id = draft.client_id.slice(0, LIMITS.idChars);
    const branch = draft.branch ?? place.branch;
    if (branch) source.branch = branch.slice(0, 255);
    return source;
  }

  private detail(draft: EventDraft, context: ScrubContext): EventDetail {
    const { scrubber } = this.deps;
    const text = (value: string | undefined, max: number) =>
      value === undefined ? undefined : cutCodePoints(scrubber.scrubText(value, context), max);
    const detail: EventDetail = { type: draft.type ?? DERIVED_TYPES[draft.kind] };
    assign(detail, 'label', text(draft.label, 500));
    assign(detail, 'severity', draft.severity);
    assign(detail, 'display_message', text(draft.display_message, 4000));
    assign(detail, 'action_id', text(draft.action_id, LIMITS.idChars));
    assign(detail, 'action_name', text(draft.action_name, 200));
    assign(detail, 'action_display_name', text(draft.action_display_name, 200));
    assign(detail, 'task_status', draft.task_status);
    assign(detail, 'platform', text(draft.platform, 200));
    assign(detail, 'author', text(draft.author, 200));
    assign(detail, 'role', text(draft.role, 64));
    assign(detail, 'importance_score', draft.importance_score);
    assign(detail, 'source_uri', text(draft.source_uri, 2048));
    if (draft.meta) {
      const meta = scrubber.scrubJson(draft.meta, context);
      if (meta && typeof meta === 'object' && !Array.isArray(meta)) detail.meta = meta;
    }
    return detail;
  }
}

/** Id of the event that a record identity becomes (design.md "Envelope"). */
export function eventId(validTime: string, identity: string): string {
  return deterministicUlid(Date.parse(validTime), identity);
}

/** `sha256:<hex>` of a scrubbed body. */
export function hashBody(body: EventBody): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(body)).digest('hex')}`;
}

/** Whether the buffer waits for an event of this kind and type. */
export function isDistilled(event: MemoryEvent): boolean {
  if (event.type && NEVER_DISTILLED.has(event.type)) return false;
  if (event.kind !== 'note') return true;
  return event.type === 'error' || event.type === 'task_start' || event.type === 'task_end';
}

function normaliseTime(time: string | undefined): string | undefined {
  if (!time) return undefined;
  const ms = Date.parse(time);
  return Number.isNaN(ms) || ms < 0 ? undefined : new Date(ms).toISOString();
}

function parentTime(draft: EventDraft, fallback: string): string {
  return normaliseTime(draft.parent_valid_time) ?? fallback;
}

function assign<K extends keyof EventDetail>(detail: EventDetail, key: K, value: EventDetail[K] | undefined) {
  if (value !== undefined) detail[key] = value;
}
