import { LIMITS } from '../../contract/limits';
import { isObject } from '../json-value';

const utf8 = new TextDecoder('utf-8');
const utf16 = new TextDecoder('utf-16le');

/** Text of a payload: UTF-8 (invalid bytes become U+FFFD), or UTF-16LE where its BOM says so; BOM removed. */
export function decodePayload(bytes: Uint8Array): string {
  return bytes[0] === 0xff && bytes[1] === 0xfe && bytes[2] !== undefined && bytes[3] === 0
    ? utf16.decode(bytes)
    : utf8.decode(bytes);
}

/** The value of a JSON text, or undefined where it is none. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** First of `keys` that holds a string. */
export function stringField(payload: Record<string, unknown>, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = payload[key];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

export function booleanField(payload: Record<string, unknown>, ...keys: string[]): boolean | undefined {
  for (const key of keys) {
    const value = payload[key];
    if (typeof value === 'boolean') return value;
  }
  return undefined;
}

/** First of `keys` that is there at all; null counts as absent. */
export function anyField(payload: Record<string, unknown>, ...keys: string[]): unknown {
  for (const key of keys) {
    const value = payload[key];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

const CONTROL = /[\u0000-\u001f\u007f]/;

/** An id as the contract allows it; undefined for everything else, so that the caller derives one. */
export function idField(payload: Record<string, unknown>, ...keys: string[]): string | undefined {
  const value = stringField(payload, ...keys)?.trim();
  if (!value || value.length > LIMITS.idChars || CONTROL.test(value)) return undefined;
  return value;
}

/** The prompt, and whether something else than text stood in its place. */
export function promptField(payload: Record<string, unknown>): {
  prompt?: string;
  promptMalformed?: boolean;
} {
  const value = anyField(payload, 'prompt');
  if (typeof value === 'string') return { prompt: value };
  return value === undefined ? {} : { promptMalformed: true };
}

const OFFSET_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;

/** An ISO 8601 time with offset, normalised to UTC; undefined where it is none. */
export function timeField(payload: Record<string, unknown>, ...keys: string[]): string | undefined {
  const value = stringField(payload, ...keys);
  if (!value || !OFFSET_TIME.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Fields that all JSON dialects share, in either spelling ("accept both everywhere"). */
export function commonFields(payload: Record<string, unknown>) {
  return {
    event: stringField(payload, 'hook_event_name', 'hookEventName'),
    sessionId: idField(payload, 'session_id', 'sessionId'),
    cwd: stringField(payload, 'cwd'),
    ...promptField(payload),
    toolName: stringField(payload, 'tool_name', 'toolName'),
    toolInput: anyField(payload, 'tool_input', 'toolInput', 'toolArgs'),
    toolResponse: anyField(payload, 'tool_response', 'toolResponse', 'toolResult'),
    success: responseSuccess(payload),
  };
}

function responseSuccess(payload: Record<string, unknown>): boolean | undefined {
  const response = anyField(payload, 'tool_response', 'toolResponse');
  if (!isObject(response)) return booleanField(payload, 'toolSuccess', 'tool_success');
  const success = booleanField(response, 'success');
  if (success !== undefined) return success;
  const failed = booleanField(response, 'is_error', 'isError', 'interrupted');
  return failed ? false : undefined;
}
