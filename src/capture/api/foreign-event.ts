import type { EventBody, EventDetail, EventKind, EventType, JsonObject } from '../../contract/event';
import { compact } from '../compact';
import { isObject, toJsonValue } from '../json-value';
import { toolUseBody, type ToolUse } from '../tool-use';
import type { ApiFields, ApiType, ElephantasmType } from './api-fields';

/** What a type becomes: the one table that routes events of both dialects. */
export type Role = 'prompt' | 'answer' | 'call' | 'result' | 'note';

const CRAFTBOT_ROLES: Record<EventType, Role> = {
  user_message: 'prompt',
  agent_message: 'answer',
  action_start: 'call',
  action_end: 'result',
  system: 'note',
  error: 'note',
  reasoning: 'note',
  task_start: 'note',
  task_end: 'note',
  waiting_for_user: 'note',
  relevant_memories: 'note',
  todos: 'note',
  internal: 'note',
};

const ELEPHANTASM: Record<ElephantasmType, { role: Role; type: EventType; speaker: string }> = {
  MESSAGE_IN: { role: 'prompt', type: 'user_message', speaker: 'user' },
  MESSAGE_OUT: { role: 'answer', type: 'agent_message', speaker: 'assistant' },
  TOOL_CALL: { role: 'call', type: 'action_start', speaker: 'tool' },
  TOOL_RESULT: { role: 'result', type: 'action_end', speaker: 'tool' },
  SYSTEM: { role: 'note', type: 'system', speaker: 'system' },
};

export function roleOf(type: ApiType): Role {
  return 'craftbot' in type ? CRAFTBOT_ROLES[type.craftbot] : ELEPHANTASM[type.elephantasm].role;
}

/** The text for models and logs; what people see may be shorter (`display_message`). */
export function textOf({ message, content, display_message }: ApiFields): string {
  return message ?? content ?? display_message ?? '';
}

/** Id that a call and its result share; '' where the client gives none. */
export function callId({ action_id, meta }: ApiFields): string {
  const id = action_id ?? meta?.['tool_call_id'];
  return typeof id === 'string' ? id.slice(0, 128) : '';
}

/** Kind, body and detail of a message or note. */
export function messageFields(fields: ApiFields, type: ApiType, kind: EventKind) {
  const body: EventBody = { type: 'text', content: textOf(fields) };
  return { kind, body, ...detailOf(fields, type) };
}

/** A call joined with its result; either may be missing. */
export function toolFields(call: ApiFields | undefined, result: ApiFields | undefined, type: ApiType) {
  const known = result ?? call;
  if (!known) throw new TypeError('a tool use needs a call or a result');
  const detail = { ...(call ? detailOf(call, type) : {}), ...detailOf(known, type) };
  const name = nameOf(result) ?? nameOf(call) ?? 'unknown';
  const use = compact<ToolUse>({
    name,
    input: inputOf(call ?? known, call !== undefined),
    result: result ? outputOf(result) : '',
    success: result && successOf(result),
  });
  const id = callId(known) || (call ? callId(call) : '');
  return {
    kind: 'tool_use' as const,
    body: toolUseBody(use),
    ...detail,
    type: (result ? 'action_end' : 'action_start') as EventType,
    action_name: name.slice(0, 200),
    ...(id === '' ? {} : { action_id: id }),
  };
}

function detailOf(fields: ApiFields, type: ApiType): EventDetail {
  const meta: JsonObject = {};
  for (const [key, value] of Object.entries(fields.meta ?? {})) meta[key] = toJsonValue(value);
  if (fields.anima_id !== undefined) meta['anima_id'] = fields.anima_id;
  const foreign = 'elephantasm' in type ? ELEPHANTASM[type.elephantasm] : undefined;
  return compact<EventDetail>({
    type: 'craftbot' in type ? type.craftbot : ELEPHANTASM[type.elephantasm].type,
    label: fields.kind,
    severity: fields.severity,
    display_message: fields.display_message,
    action_display_name: fields.action_display_name,
    task_status: fields.task_status,
    platform: fields.platform,
    repeat_count: fields.repeat_count,
    author: fields.author,
    role: fields.role ?? foreign?.speaker,
    importance_score: fields.importance_score,
    source_uri: fields.source_uri,
    meta: Object.keys(meta).length > 0 ? meta : undefined,
  });
}

function nameOf(fields: ApiFields | undefined): string | undefined {
  const name = fields?.action_name ?? fields?.meta?.['tool_name'] ?? fields?.meta?.['name'];
  if (typeof name === 'string' && name !== '') return name;
  const parsed = fields && jsonOf(textOf(fields));
  const inner = isObject(parsed) ? (parsed['tool_name'] ?? parsed['name'] ?? parsed['tool']) : undefined;
  return typeof inner === 'string' && inner !== '' ? inner : undefined;
}

function inputOf(fields: ApiFields, isCall: boolean): unknown {
  if (fields.action_input !== undefined) return fields.action_input;
  if (!isCall) return {};
  const parsed = jsonOf(textOf(fields));
  if (isObject(parsed)) return parsed['arguments'] ?? parsed['args'] ?? parsed['input'] ?? parsed;
  const text = textOf(fields);
  return text === '' ? {} : { text };
}

/** An output that holds a status alone leaves the telling to the text. */
function outputOf(fields: ApiFields): unknown {
  const { action_output: output } = fields;
  const text = textOf(fields);
  if (output === undefined || output === null) return text;
  const isBare = isObject(output) && Object.keys(output).every((key) => key === 'status');
  return isBare && text !== '' ? text : output;
}

const FAILED = new Set(['error', 'failed', 'failure']);

/** From a structured status only: a text that merely contains the word "error" is no failure. */
function successOf({ action_output, meta }: ApiFields): boolean | undefined {
  for (const holder of [action_output, meta]) {
    if (!isObject(holder)) continue;
    const { status, success, is_error } = holder;
    if (typeof success === 'boolean') return success;
    if (typeof is_error === 'boolean') return !is_error;
    if (typeof status === 'string') return !FAILED.has(status.toLowerCase());
  }
  return undefined;
}

function jsonOf(text: string): unknown {
  if (!text.startsWith('{') || text.length > 1024 * 1024) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
