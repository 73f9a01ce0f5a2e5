import { createHmac, randomBytes } from 'node:crypto';
import { WORD, classOf, runEnd } from './char-classes';
import type { SecretSpan } from './assignment';

const MAX_SESSIONS = 64;
const MAX_VALUES = 2000;
const MIN_LENGTH = 6;
const MAX_LENGTH = 4096;
const MIN_ANCHOR = 4;
const MAX_SAME_ANCHOR = 16;
const BACKSLASH = 92;

/** One remembered value: where its longest word lies in it, and what the whole hashes to. */
interface Trace {
  offset: number;
  length: number;
  hash: string;
  kind: string;
}

/** The values of one session, by the quick keyed hash of their longest word. */
class SessionTraces {
  readonly byAnchor = new Map<number, Trace[]>();
  readonly anchorLengths = new Uint8Array(256);
  readonly order: { anchor: number; trace: Trace }[] = [];
}

/**
 * What was redacted in a session, as keyed hashes, in memory only: a value that was redacted once is recognised where
 * it recurs bare in the same session, though nothing near it tells that it is a secret. The key is random and lives as
 * long as the object. Bounded: the least recently used session goes, and the oldest value of a session.
 */
export class RedactedValues {
  readonly #key = randomBytes(32);
  readonly #seed = this.#key.readUInt32LE(0);
  readonly #sessions = new Map<string, SessionTraces>();
  readonly #maxSessions: number;
  readonly #maxValues: number;

  constructor(options: { maxSessions?: number; maxValues?: number } = {}) {
    this.#maxSessions = options.maxSessions ?? MAX_SESSIONS;
    this.#maxValues = options.maxValues ?? MAX_VALUES;
  }

  /** How many sessions are held. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /**
   * Remembers `value`, redacted as `kind`, for `sessionId`. A value that is a word or too short to be told from
   * ordinary text is not remembered: it would blot out the session. A multi-line value is remembered by its long lines.
   * Gives whether anything new was remembered.
   */
  remember(sessionId: string, value: string, kind: string): boolean {
    if (/[\r\n]|\\n/.test(value)) {
      let added = false;
      for (const line of value.split(/\r?\n|(?:\\+r)?\\+n/)) {
        if (line.length >= 24 && !line.includes('-----'))
          added = this.#add(sessionId, line.trim(), kind) || added;
      }
      return added;
    }
    return this.#add(sessionId, value, kind);
  }

  /** `text` with every remembered value of the session replaced by its mark. Linear in the length of the text. */
  redact(sessionId: string, text: string): string {
    const spans = this.find(sessionId, text);
    if (spans.length === 0) return text;
    const parts: string[] = [];
    let copied = 0;
    for (const span of spans) {
      parts.push(text.slice(copied, span.start), `[REDACTED:${span.kind}]`);
      copied = span.end;
    }
    parts.push(text.slice(copied));
    return parts.join('');
  }

  /** Where remembered values of the session recur in `text`, in order, apart. */
  find(sessionId: string, text: string): SecretSpan[] {
    const traces = this.#touch(sessionId);
    if (traces === undefined || traces.order.length === 0) return [];
    const spans: SecretSpan[] = [];
    let decided = 0;
    for (let at = 0; at < text.length;) {
      if ((classOf(text.charCodeAt(at)) & WORD) === 0) {
        at += 1;
        continue;
      }
      const end = runEnd(text, at, WORD, text.length);
      const span =
        this.#recurrence(traces, text, at, end, decided) ??
        (text.charCodeAt(at - 1) === BACKSLASH
          ? this.#recurrence(traces, text, at + 1, end, decided)
          : undefined);
      if (span !== undefined) {
        spans.push(span);
        decided = span.end;
      }
      at = Math.max(end, decided);
    }
    return spans;
  }

  /** Forgets a session. */
  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #recurrence(
    traces: SessionTraces,
    text: string,
    start: number,
    end: number,
    floor: number,
  ): SecretSpan | undefined {
    if (end <= start || traces.anchorLengths[Math.min(255, end - start)] !== 1) return undefined;
    for (const trace of traces.byAnchor.get(this.#quickHash(text, start, end)) ?? []) {
      const from = start - trace.offset;
      const to = from + trace.length;
      if (from < floor || to > text.length || to < end) continue;
      if (this.#hash(text.slice(from, to)) === trace.hash) return { start: from, end: to, kind: trace.kind };
    }
    return undefined;
  }

  #add(sessionId: string, value: string, kind: string): boolean {
    if (value.length < MIN_LENGTH || value.length > MAX_LENGTH || value.includes('[REDACTED')) return false;
    if (!isTelling(value)) return false;
    const anchor = longestWord(value);
    if (anchor.end - anchor.start < MIN_ANCHOR) return false;
    const traces = this.#touch(sessionId) ?? this.#open(sessionId);
    const slot = this.#quickHash(value, anchor.start, anchor.end);
    const hash = this.#hash(value);
    const row = traces.byAnchor.get(slot) ?? [];
    if (row.length >= MAX_SAME_ANCHOR || row.some((trace) => trace.hash === hash)) return false;
    const trace = { offset: anchor.start, length: value.length, hash, kind };
    row.push(trace);
    row.sort((a, b) => b.length - a.length);
    traces.byAnchor.set(slot, row);
    traces.anchorLengths[Math.min(255, anchor.end - anchor.start)] = 1;
    traces.order.push({ anchor: slot, trace });
    if (traces.order.length > this.#maxValues) dropOldest(traces);
    return true;
  }

  #open(sessionId: string): SessionTraces {
    const traces = new SessionTraces();
    this.#sessions.set(sessionId, traces);
    if (this.#sessions.size > this.#maxSessions) {
      for (const oldest of this.#sessions.keys()) {
        this.#sessions.delete(oldest);
        break;
      }
    }
    return traces;
  }

  /** The session's traces, now the most recently used. */
  #touch(sessionId: string): SessionTraces | undefined {
    const traces = this.#sessions.get(sessionId);
    if (traces === undefined) return undefined;
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, traces);
    return traces;
  }

  #hash(value: string): string {
    return createHmac('sha256', this.#key).update(value, 'utf8').digest('base64').slice(0, 24);
  }

  #quickHash(text: string, start: number, end: number): number {
    let hash = this.#seed;
    for (let i = start; i < end; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return hash ^ (hash >>> 15);
  }
}

function dropOldest(traces: SessionTraces): void {
  const oldest = traces.order.shift();
  if (oldest === undefined) return;
  const row = (traces.byAnchor.get(oldest.anchor) ?? []).filter((trace) => trace !== oldest.trace);
  if (row.length === 0) traces.byAnchor.delete(oldest.anchor);
  else traces.byAnchor.set(oldest.anchor, row);
}

/** Whether the value can be told from ordinary words: digits or symbols in it, or too long to be a word. */
function isTelling(value: string): boolean {
  if (/\s/.test(value)) return value.length >= 16;
  if (/^\d+$/.test(value)) return value.length >= 8;
  if (/^[A-Za-z]+(?:[-_.][A-Za-z]+)*$/.test(value)) return value.length >= 20;
  return (
    value.length >= 8 || /[^\w.:/-]/.test(value) || /\d.*[A-Za-z].*\d|[A-Za-z].*\d.*[A-Za-z]/.test(value)
  );
}

function longestWord(value: string): { start: number; end: number } {
  let best = { start: 0, end: 0 };
  for (let at = 0; at < value.length;) {
    const end = runEnd(value, at, WORD, value.length);
    if (end - at > best.end - best.start) best = { start: at, end };
    at = end === at ? at + 1 : end;
  }
  return best;
}
