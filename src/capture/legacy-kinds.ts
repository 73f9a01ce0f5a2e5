import { EVENT_KINDS, EVENT_TYPES, type EventType } from '../contract/event';
import { isObject } from './json-value';

const LEGACY: Record<string, EventType> = {
  action_error: 'action_end',
  task_started: 'task_start',
  task_ended: 'task_end',
  'agent reasoning': 'reasoning',
  warning: 'system',
  loop_detection_warning: 'system',
};

/**
 * Gives events that were written before types existed the type that their free-text kind stood for. For imports
 * and migrations only: new code names the type and never reads a kind.
 */
export function upgradeLegacyEvents(events: readonly unknown[]): unknown[] {
  return events.map((event) => (isObject(event) ? upgraded(event) : event));
}

function upgraded(event: Record<string, unknown>): Record<string, unknown> {
  if (isObject(event['event'])) return { ...event, event: upgraded(event['event']) };
  const { kind, event_type, type } = event;
  if (typeof event_type === 'string' || typeof type === 'string' || typeof kind !== 'string') return event;
  if ('body' in event && EVENT_KINDS.some((known) => known === kind)) return event;
  const changed: Record<string, unknown> = { ...event, event_type: typeOfKind(kind) };
  if (kind === 'action_error') changed['action_output'] = failed(event['action_output']);
  return changed;
}

function typeOfKind(kind: string): EventType {
  const known = EVENT_TYPES.find((type) => type === kind);
  if (known) return known;
  if (kind.startsWith('agent message')) return 'agent_message';
  if (kind.startsWith('user message')) return 'user_message';
  return LEGACY[kind] ?? 'system';
}

/** The kind was the only place that told the failure. */
function failed(output: unknown): unknown {
  return isObject(output)
    ? { ...output, status: 'error' }
    : { status: 'error', ...(output ? { output } : {}) };
}
