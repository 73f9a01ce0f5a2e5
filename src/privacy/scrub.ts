import { LIMITS, TRUNCATION_MARK } from '../contract/limits';
import { cutBytes } from '../text/cut';
import { repairText } from '../text/unicode';
import { scrubEdge } from './cut-edge';
import { isSecretKey } from './key-names';
import { PRIVATE_MARK, splitPrivate } from './private-tags';
import { Redactor, redactionMark } from './redactor';
import { RedactedValues } from './session-memory';

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Where a text comes from; the same session shares what was redacted in it. */
export interface ScrubContext {
  sessionId?: string;
}

const MAX_DEPTH = 64;
const TOO_DEEP_MARK = '[cut: nested too deeply]';
const CIRCULAR_MARK = '[cut: circular]';
const ROUNDS = 3;
const DATA_URI = /data:([\w.+-]{1,64}\/[\w.+-]{1,64})(?:;[\w=.+-]{1,64}){0,4};base64,[\w+/=-]{64,}/g;
const SECRET_FLAG = /^--?[A-Za-z][\w-]{1,60}$/;

/**
 * The one door that every text passes before it is kept, shown or logged: repaired, without private parts, secrets and
 * what was redacted earlier in its session. Total: it takes any value, never throws on it, and gives the same when it
 * is applied twice.
 */
export class Scrubber {
  readonly #sessions: RedactedValues;
  readonly #redactor: Redactor;

  constructor(deps: { sessions: RedactedValues; redactor?: Redactor }) {
    this.#sessions = deps.sessions;
    this.#redactor = deps.redactor ?? new Redactor();
  }

  /** `text` fit to be kept. What lies beyond 8 MiB of UTF-8 is dropped first, unread. */
  scrubText(text: string, context: ScrubContext = {}): string {
    const memory = new ScrubMemory(this.#sessions, context.sessionId);
    const clean = this.#clean(text, memory);
    return memory.learned ? memory.redact(clean) : clean;
  }

  /**
   * `value` as JSON data fit to be kept: every string and key scrubbed, a value under a telling name (`password`,
   * `apiKey`, `{name: "TOKEN", value}`, `["--password", x]`) replaced whatever it looks like, nesting below 64 levels
   * and cycles cut, what JSON can't hold dropped. A value redacted in one field is redacted in all of them.
   */
  scrubJson(value: unknown, context: ScrubContext = {}): JsonValue {
    const memory = new ScrubMemory(this.#sessions, context.sessionId);
    const clean = this.#walk(value, memory, 0, []) ?? null;
    return memory.learned ? mapStrings(clean, (text) => memory.redact(text)) : clean;
  }

  /** The second pass, on text about to leave: what an older version or another writer let through is caught here. */
  scrubOut(text: string, context: ScrubContext = {}): string {
    return this.scrubText(text, context);
  }

  /**
   * `text`, already scrubbed and then cut by the caller, without a secret that the cut left in part at its end. A
   * truncation mark at the end stays.
   */
  scrubCutEdge(text: string): string {
    return scrubEdge(text, TRUNCATION_MARK);
  }

  #clean(input: string, memory: ScrubMemory): string {
    let text = cutBytes(input, LIMITS.scrubInputBytes, TRUNCATION_MARK);
    if (text.length !== input.length) text = this.scrubCutEdge(text);
    const parts = splitPrivate(repairText(text));
    for (const part of parts.removed) memory.remember(part.trim(), 'private');
    text = parts.text.replace(DATA_URI, (uri, type: string) => `[data:${type}, ${uri.length} characters]`);
    for (let round = 0; round < ROUNDS; round += 1) {
      const redaction = this.#redactor.redactRevealing(text);
      redaction.values.forEach((value, at) => memory.remember(value, redaction.kindOf[at] ?? 'secret'));
      const next = memory.redact(redaction.text);
      if (next === text) break;
      text = next;
    }
    return text;
  }

  #walk(value: unknown, memory: ScrubMemory, depth: number, ancestors: object[]): JsonValue | undefined {
    if (typeof value === 'string') return this.#clean(value, memory);
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object') return undefined;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (depth >= MAX_DEPTH) return TOO_DEEP_MARK;
    if (ancestors.includes(value)) return CIRCULAR_MARK;
    const path = [...ancestors, value];
    return Array.isArray(value)
      ? this.#list(value, memory, depth, path)
      : this.#record(value, memory, depth, path);
  }

  #list(items: unknown[], memory: ScrubMemory, depth: number, path: object[]): JsonValue[] {
    let flagged: string | undefined;
    return items.map((item) => {
      const kind = flagged;
      flagged = typeof item === 'string' && SECRET_FLAG.test(item) ? isSecretKey(item)?.kind : undefined;
      if (kind !== undefined && typeof item === 'string' && !item.startsWith('-'))
        return memory.replace(item, kind);
      return this.#walk(item, memory, depth + 1, path) ?? null;
    });
  }

  #record(value: object, memory: ScrubMemory, depth: number, path: object[]): JsonValue {
    const entries: [string, JsonValue][] = [];
    const used = new Set<string>();
    const named = namedSecret(value);
    for (const [key, item] of Object.entries(value)) {
      const kind = isSecretKey(key)?.kind ?? (/^value$/i.test(key) ? named : undefined);
      const clean = this.#member(item, kind, memory, depth, path);
      if (clean === undefined) continue;
      const name = unused(this.#clean(key, memory), used);
      used.add(name);
      entries.push([name, clean]);
    }
    return Object.fromEntries(entries);
  }

  #member(
    item: unknown,
    kind: string | undefined,
    memory: ScrubMemory,
    depth: number,
    path: object[],
  ): JsonValue | undefined {
    if (kind === undefined) return this.#walk(item, memory, depth + 1, path);
    if (typeof item === 'string') return memory.replace(repairText(item), kind);
    if (typeof item === 'number' || typeof item === 'bigint') {
      return kind === 'token' && typeof item === 'number' ? item : redactionMark(kind);
    }
    if (!Array.isArray(item) || !item.every((one) => typeof one === 'string')) {
      return this.#walk(item, memory, depth + 1, path);
    }
    return item.map((one) => memory.replace(repairText(one), kind));
  }
}

/** What one call learns, for the session when there is one, else for the call alone. */
class ScrubMemory {
  readonly #values: RedactedValues;
  readonly #session: string;
  /** Whether something was redacted that may stand bare in what was cleaned before. */
  learned = false;

  constructor(sessions: RedactedValues, sessionId: string | undefined) {
    this.#values = sessionId === undefined ? new RedactedValues({ maxSessions: 1 }) : sessions;
    this.#session = sessionId ?? '';
  }

  remember(value: string, kind: string): void {
    if (this.#values.remember(this.#session, value, kind)) this.learned = true;
  }

  redact(text: string): string {
    return this.#values.redact(this.#session, text);
  }

  /** The mark for a value that goes because of its name. */
  replace(value: string, kind: string): string {
    if (value === '' || isMark(value)) return value;
    this.remember(value, kind);
    return redactionMark(kind);
  }
}

function isMark(value: string): boolean {
  return value === PRIVATE_MARK || /^\[REDACTED:[a-z0-9-]{1,40}\]$/.test(value);
}

/** The kind that `{name: "DB_PASSWORD", value: "..."}` gives its value. */
function namedSecret(value: object): string | undefined {
  for (const [key, item] of Object.entries(value)) {
    if (/^(?:name|key|field|variable)$/i.test(key) && typeof item === 'string')
      return isSecretKey(item)?.kind;
  }
  return undefined;
}

/** Two keys may have become the same mark. */
function unused(key: string, used: ReadonlySet<string>): string {
  return used.has(key) ? `${key} ${used.size + 1}` : key;
}

function mapStrings(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (value === null || typeof value !== 'object') return value;
  const used = new Set<string>();
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => {
    const name = unused(map(key), used);
    used.add(name);
    return [name, mapStrings(item, map)];
  });
  return Object.fromEntries(entries);
}
