import type { EventBody, JsonObject, JsonValue } from '../contract/event';
import { TRUNCATION_MARK } from '../contract/limits';
import { byteLength, cutBytes } from '../text/cut';
import { isObject } from './json-value';

/** Hides a secret that a cut left half of; gets the kept text without the mark. */
export type ScrubEdge = (text: string) => string;

const MARK_BYTES = byteLength(TRUNCATION_MARK);
/** Room for what hiding a secret at the edge may add. */
const EDGE_BYTES = 64;
/** Escapes may double a text on the wire; what is serialized stays below this multiple of the limit. */
const SERIALIZED_FACTOR = 1.75;
/** Tried in turn on the strings of a JSON body that is too large although its result was cut. */
const LEAF_BYTES = [64 * 1024, 16 * 1024, 4 * 1024, 1024, 256];

/**
 * Cuts a body to `maxBytes` of UTF-8, mark included, never inside a code point: a text at its end, a JSON body
 * at its `tool_response.result`, then at its long strings, then as a whole, a message from its last turn back.
 * Bodies that fit are returned as they are.
 */
export function truncateBody(body: EventBody, maxBytes: number, scrubEdge: ScrubEdge): EventBody {
  switch (body.type) {
    case 'text':
      return fitsText(body.content, maxBytes)
        ? body
        : { type: 'text', content: cutText(body.content, maxBytes, scrubEdge) };
    case 'message':
      return { type: 'message', turns: cutTurns(body.turns, maxBytes, scrubEdge) };
    case 'json':
      return { type: 'json', data: cutJson(body.data, maxBytes, scrubEdge) };
  }
}

function fitsText(text: string, maxBytes: number): boolean {
  const most = Math.floor(maxBytes * SERIALIZED_FACTOR);
  if (text.length * 6 <= maxBytes) return true;
  return byteLength(text) <= maxBytes && byteLength(JSON.stringify(text)) <= most;
}

function cutText(text: string, maxBytes: number, scrubEdge: ScrubEdge): string {
  let limit = maxBytes;
  for (;;) {
    const room = Math.max(0, limit - MARK_BYTES);
    const kept = scrubEdge(cutBytes(text, Math.max(0, room - EDGE_BYTES)));
    const cut = cutBytes(kept, room) + (limit >= MARK_BYTES ? TRUNCATION_MARK : '');
    if (limit <= MARK_BYTES || fitsText(cut, maxBytes)) return cut;
    limit = Math.floor(limit * 0.75);
  }
}

function cutTurns(turns: { role: string; content: string }[], maxBytes: number, scrubEdge: ScrubEdge) {
  const kept = turns.map((turn) => ({ ...turn }));
  let total = kept.reduce((sum, turn) => sum + serializedBytes(turn), 0);
  while (total > maxBytes && kept.length > 0) {
    const last = kept[kept.length - 1];
    if (!last) break;
    const others = total - serializedBytes(last);
    if (others < maxBytes - 2 * MARK_BYTES || kept.length === 1) {
      last.content = cutToSerialized(last.content, maxBytes - others, scrubEdge, (content) =>
        serializedBytes({ role: last.role, content }),
      );
      return kept;
    }
    kept.pop();
    total = others;
  }
  return kept;
}

function serializedBytes(value: unknown): number {
  return byteLength(JSON.stringify(value) ?? '');
}

/** Cuts until `measure` says that it fits; how much escapes add is known on average only. */
function cutToSerialized(
  text: string,
  maxBytes: number,
  scrubEdge: ScrubEdge,
  measure: (cut: string) => number,
): string {
  const total = measure(text);
  if (total <= maxBytes) return text;
  const around = measure('');
  const escaped = (total - around) / Math.max(1, byteLength(text));
  let limit = Math.floor((maxBytes - around) / Math.max(1, escaped));
  while (limit > MARK_BYTES) {
    const cut = cutText(text, limit, scrubEdge);
    const excess = measure(cut) - maxBytes;
    if (excess <= 0) return cut;
    limit -= Math.max(16, Math.ceil(excess / 2));
  }
  return '';
}

function cutJson(data: JsonValue, maxBytes: number, scrubEdge: ScrubEdge): JsonValue {
  const serialized = JSON.stringify(data);
  if (byteLength(serialized) <= maxBytes) return data;
  const withShortResult = cutResult(data, maxBytes, scrubEdge);
  if (serializedBytes(withShortResult) <= maxBytes) return withShortResult;
  for (const leaf of LEAF_BYTES) {
    const cut = cutLeaves(withShortResult, leaf, scrubEdge);
    if (serializedBytes(cut) <= maxBytes) return cut;
  }
  return cutToSerialized(serialized, maxBytes, scrubEdge, serializedBytes);
}

function cutResult(data: JsonValue, maxBytes: number, scrubEdge: ScrubEdge): JsonValue {
  if (!isJsonObject(data)) return data;
  const response = data['tool_response'];
  if (!isJsonObject(response) || response['result'] === undefined) return data;
  const result = response['result'];
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const withResult = (cut: string): JsonObject => ({ ...data, tool_response: { ...response, result: cut } });
  return withResult(cutToSerialized(text, maxBytes, scrubEdge, (cut) => serializedBytes(withResult(cut))));
}

function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isObject(value);
}

function cutLeaves(value: JsonValue, maxBytes: number, scrubEdge: ScrubEdge): JsonValue {
  if (typeof value === 'string') {
    return byteLength(value) <= maxBytes ? value : cutText(value, maxBytes, scrubEdge);
  }
  if (Array.isArray(value)) return value.map((item) => cutLeaves(item, maxBytes, scrubEdge));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, cutLeaves(item, maxBytes, scrubEdge)]),
  );
}
