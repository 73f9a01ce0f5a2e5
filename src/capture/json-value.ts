import type { JsonObject, JsonValue } from '../contract/event';

/** Deeper values are replaced: nobody reads them, and recursive code further on must stay safe. */
const MAX_DEPTH = 64;
const TOO_DEEP = '[nested too deeply]';

/** `value` as plain JSON, at most 64 levels deep; what JSON can't express (functions, NaN) becomes null. */
export function toJsonValue(value: unknown, depth = 0): JsonValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item) => toJsonValue(item, depth + 1));
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined && key !== '__proto__') copy[key] = toJsonValue(item, depth + 1);
  }
  return copy;
}

/** True for what `JSON.parse` gives for `{…}`. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True where a tool's arguments say nothing: absent, `{}`, `[]` or `''`. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
