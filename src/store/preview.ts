import type { EventBody, JsonValue, MemoryEvent } from '../contract/event';
import type { EventRow } from '../contract/local-api';
import { cutCodePoints } from '../text/cut';

const PREVIEW_CHARS = 300;
// Enough for 300 code points after spaces were joined, without reading a body of half a megabyte.
const SAMPLE_CHARS = 2000;

/** What a list shows of an event beside its thin row. */
export type EventPreview = Pick<
  EventRow,
  | 'preview'
  | 'valid_time'
  | 'surface'
  | 'display_message'
  | 'label'
  | 'severity'
  | 'duration_ms'
  | 'action_id'
  | 'action_name'
  | 'action_display_name'
  | 'task_status'
>;

export interface ToolFacts {
  toolName?: string;
  success?: boolean;
  durationMs?: number;
}

/** Name, outcome and duration of a tool use, read leniently: a body is whatever the source sent. */
export function toolFacts(event: MemoryEvent): ToolFacts {
  if (event.kind !== 'tool_use' || event.body.type !== 'json') return {};
  const data = asObject(event.body.data);
  const success = asObject(data['tool_response'])['success'];
  const { tool_name: toolName, duration_ms: durationMs } = data;
  return {
    ...(typeof toolName === 'string' ? { toolName: toolName.slice(0, 200) } : {}),
    ...(typeof success === 'boolean' ? { success } : {}),
    ...(typeof durationMs === 'number' ? { durationMs } : {}),
  };
}

export function previewOf(event: MemoryEvent): EventPreview {
  const { durationMs } = toolFacts(event);
  return {
    preview: cutCodePoints(oneLine(textOf(event.body)), PREVIEW_CHARS, '…'),
    valid_time: event.valid_time,
    surface: event.source.surface,
    ...(event.display_message
      ? { display_message: cutCodePoints(event.display_message, PREVIEW_CHARS, '…') }
      : {}),
    ...(event.label ? { label: event.label } : {}),
    ...(event.severity ? { severity: event.severity } : {}),
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    ...(event.action_id ? { action_id: event.action_id } : {}),
    ...(event.action_name ? { action_name: event.action_name } : {}),
    ...(event.action_display_name ? { action_display_name: event.action_display_name } : {}),
    ...(event.task_status ? { task_status: event.task_status } : {}),
  };
}

function textOf(body: EventBody): string {
  switch (body.type) {
    case 'text':
      return body.content.slice(0, SAMPLE_CHARS);
    case 'message':
      return body.turns
        .slice(0, 8)
        .map((turn) => `${turn.role}: ${turn.content.slice(0, SAMPLE_CHARS)}`)
        .join(' ');
    case 'json':
      return textOfJson(body.data);
  }
}

function textOfJson(data: JsonValue): string {
  const tool = asObject(data);
  const name = tool['tool_name'];
  if (typeof name !== 'string') return sample(data);
  const result = asObject(tool['tool_response'])['result'];
  return [name, sample(tool['tool_input']), sample(result)].filter(Boolean).join(' · ');
}

/** The strings of a value in order, until there is enough of them. */
function sample(value: JsonValue | undefined): string {
  const parts: string[] = [];
  let left = SAMPLE_CHARS;
  const visit = (item: JsonValue | undefined, depth: number): void => {
    if (left <= 0 || depth > 6 || item === undefined || item === null) return;
    if (Array.isArray(item)) for (const part of item) visit(part, depth + 1);
    else if (typeof item === 'object') for (const part of Object.values(item)) visit(part, depth + 1);
    else {
      const text = String(item).slice(0, left);
      left -= text.length + 1;
      parts.push(text);
    }
  };
  visit(value, 0);
  return parts.join(' ');
}

function asObject(value: JsonValue | undefined): { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
