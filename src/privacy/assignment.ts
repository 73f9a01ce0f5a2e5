import { DASH, DOT, WORD, runStart } from './char-classes';
import { classifyKey, type SecretKey } from './key-names';
import { isSecretLiteral, type Writing } from './literal';

/** A part of a text that is a secret, end exclusive. */
export interface SecretSpan {
  start: number;
  end: number;
  kind: string;
}

const MAX_NAME = 80;
const MAX_GAP = 24;
const MAX_VALUE = 4096;
const MAX_REMEMBERED = 512;

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const AMPERSAND = 38;
const APOSTROPHE = 39;
const COMMA = 44;
const HYPHEN = 45;
const SLASH = 47;
const COLON = 58;
const SEMICOLON = 59;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;
const BACKSLASH = 92;
const BACKTICK = 96;

/** What a scan remembers between names: their classes, and how often a telling one was followed by a value. */
export class AssignmentReader {
  readonly #text: string;
  readonly #classes = new Map<string, SecretKey | undefined>();
  #sites = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** How many values under a telling name were weighed. */
  get sites(): number {
    return this.#sites;
  }

  /**
   * The secret that is assigned to the name whose last word is `text[start, end)`: `.env` lines, JSON (also escaped
   * once or more), YAML, program text, XML, headers, command line flags, query and connection strings. Looks at a
   * bounded number of characters.
   */
  read(start: number, end: number): SecretSpan | undefined {
    const text = this.#text;
    if (!mayAssign(text, start, end)) return undefined;
    const nameStart = nameBegin(text, start, end);
    const name = nameFor(text, nameStart, end);
    if (isBase64Tail(text, nameStart, name)) return undefined;
    const key = this.#classify(name);
    if (key === undefined) return undefined;
    const site = separator(text, nameStart, end);
    if (site === undefined) return undefined;
    this.#sites += 1;
    return valueAt(text, site, key, nameStart, name);
  }

  #classify(name: string): SecretKey | undefined {
    const known = this.#classes.get(name);
    if (known !== undefined || this.#classes.has(name)) return known;
    const found = classifyKey(name);
    if (this.#classes.size < MAX_REMEMBERED) this.#classes.set(name, found);
    return found;
  }
}

/** `...+7abPw=` at the end of encoded data is no password. */
function isBase64Tail(text: string, nameStart: number, name: string): boolean {
  const before = text.charCodeAt(nameStart - 1);
  return (before === SLASH || before === 43) && /pw$/i.test(name);
}

/** The name's first character; the letter of an escaped line end (`\\nDB_PASSWORD=`) is none of it. */
function nameBegin(text: string, start: number, end: number): number {
  const from = runStart(text, start, WORD | DASH | DOT, Math.max(0, start - MAX_NAME));
  const escaped = text.charCodeAt(from - 1) === BACKSLASH && 'nrt'.includes(text.charAt(from));
  return escaped && from + 1 < end ? from + 1 : from;
}

/** Quick look at what follows a word. */
function mayAssign(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(end);
  if (code === EQUALS || code === COLON || code === QUOTE || code === APOSTROPHE) return true;
  if (code === BACKSLASH || code === QUESTION || code === GREATER || code === BACKTICK || code === 93)
    return true;
  if (code === 33) return true;
  if (code !== SPACE && code !== TAB) return false;
  const next = text.charCodeAt(skipBlanks(text, end));
  return next === EQUALS || next === COLON || next === 33 || precededByDashes(text, start);
}

function precededByDashes(text: string, start: number): boolean {
  if (text.charCodeAt(start - 1) !== HYPHEN) return false;
  const from = runStart(text, start, WORD | DASH, Math.max(0, start - MAX_NAME));
  return text.charCodeAt(from) === HYPHEN && text.charCodeAt(from + 1) === HYPHEN;
}

/** `API key`, `Access Key`: a name in two words. */
function nameFor(text: string, nameStart: number, end: number): string {
  const name = text.slice(nameStart, end);
  if (end - nameStart > 6 || text.charCodeAt(nameStart - 1) !== SPACE) return name;
  if (!/^(?:key|token|phrase|secret)$/i.test(name)) return name;
  const before = runStart(text, nameStart - 1, WORD | DASH, Math.max(0, nameStart - 24));
  return `${text.slice(before, nameStart - 1)} ${name}`;
}

interface Separator {
  at: number;
  form: 'equals' | 'colon' | 'comparison' | 'flag' | 'tag';
  tight: boolean;
}

function separator(text: string, nameStart: number, end: number): Separator | undefined {
  let at = end;
  let closedQuote = false;
  for (let i = 0; i < 8; i += 1) {
    const code = text.charCodeAt(at);
    const quote = code === QUOTE || code === APOSTROPHE || code === BACKTICK;
    if (!quote && code !== BACKSLASH && code !== 93 && code !== QUESTION && code !== 33) break;
    if (code === BACKSLASH && text.charCodeAt(at + 1) !== QUOTE && text.charCodeAt(at + 1) !== BACKSLASH)
      break;
    if (code === 33 && text.charCodeAt(at + 1) === EQUALS) break;
    closedQuote ||= quote;
    at += 1;
  }
  if (text.charCodeAt(at) === GREATER && text.charCodeAt(nameStart - 1) === LESS) {
    return { at: at + 1, form: 'tag', tight: true };
  }
  const gap = skipBlanks(text, at);
  const code = text.charCodeAt(gap);
  const next = text.charCodeAt(gap + 1);
  if (code === 33 && next === EQUALS)
    return { at: skipEquals(text, gap + 1), form: 'comparison', tight: false };
  if (code === EQUALS) {
    if (next === EQUALS) return { at: skipEquals(text, gap), form: 'comparison', tight: false };
    if (next === GREATER) return { at: gap + 2, form: 'equals', tight: false };
    return { at: gap + 1, form: 'equals', tight: gap === at && !isBlank(next) };
  }
  if (code === COLON) {
    if (next === EQUALS) return { at: gap + 2, form: 'equals', tight: false };
    if (next === COLON || (next === SLASH && text.charCodeAt(gap + 2) === SLASH)) return undefined;
    return { at: gap + 1, form: 'colon', tight: false };
  }
  if (closedQuote) return attributeValue(text, gap);
  const dashes = text.charCodeAt(nameStart) === HYPHEN && text.charCodeAt(nameStart + 1) === HYPHEN;
  return dashes && gap > end ? { at: gap, form: 'flag', tight: false } : undefined;
}

const VALUE_ATTRIBUTE = /(?:,\s{0,4})?["']?(?:value|content)["']?\s{0,4}[=:]/iy;

/** `<add key="Password" value="...">`, `{ "name": "DB_PASSWORD", "value": "..." }`. */
function attributeValue(text: string, at: number): Separator | undefined {
  VALUE_ATTRIBUTE.lastIndex = at;
  if (!VALUE_ATTRIBUTE.test(text)) return undefined;
  return { at: VALUE_ATTRIBUTE.lastIndex, form: 'equals', tight: false };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < from + MAX_GAP && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function skipEquals(text: string, from: number): number {
  let at = from;
  while (at < from + 3 && text.charCodeAt(at) === EQUALS) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

const SCHEME = /(?:bearer|basic|token|apikey|digest|negotiate)\s{1,4}/iy;
const STRING_PREFIX = /(?:[bBrRfFuU]{1,2}|@|\$|String\.raw)(?=["'`])/y;

function valueAt(
  text: string,
  site: Separator,
  key: SecretKey,
  nameStart: number,
  name: string,
): SecretSpan | undefined {
  let at = skipBlanks(text, site.at);
  if (isLineEnd(text.charCodeAt(at))) {
    const below = skipBlanks(text, skipLineEnd(text, at));
    if (site.form === 'flag' || site.form === 'tag' || !isQuote(text.charCodeAt(below))) return undefined;
    at = below;
  }
  STRING_PREFIX.lastIndex = at;
  if (STRING_PREFIX.test(text)) at = STRING_PREFIX.lastIndex;
  const how: Writing = {
    quoted: site.form === 'tag',
    tight: site.tight,
    ownLine: beginsLine(text, nameStart),
    equals: site.form !== 'colon',
    upperKey: /^[^a-z]*[A-Z][^a-z]*$/.test(name),
    statement: false,
    query: isQuery(text.charCodeAt(nameStart - 1)),
    comparison: site.form === 'comparison',
  };
  const range =
    site.form === 'tag' ? tagRange(text, at) : (quotedRange(text, at) ?? bareRange(text, at, how));
  if (range === undefined) return undefined;
  how.quoted ||= range.quoted;
  SCHEME.lastIndex = range.start;
  const start =
    key.kind === 'token' && SCHEME.test(text) ? Math.min(SCHEME.lastIndex, range.end) : range.start;
  const schemed = start !== range.start;
  const end = schemed && !how.quoted ? bareRange(text, start, how).end : range.end;
  if (site.form === 'flag' && text.charCodeAt(start) === HYPHEN) return undefined;
  const value = text.slice(start, end);
  return isSecretLiteral(key, value, schemed ? { ...how, quoted: true } : how)
    ? { start, end, kind: key.kind }
    : undefined;
}

interface ValueRange {
  start: number;
  end: number;
  quoted: boolean;
}

function tagRange(text: string, at: number): ValueRange | undefined {
  const limit = Math.min(text.length, at + MAX_VALUE);
  for (let i = at; i < limit; i += 1) {
    const code = text.charCodeAt(i);
    if (code === LESS) return { start: at, end: i, quoted: true };
    if (isLineEnd(code)) return undefined;
  }
  return undefined;
}

/** A quoted string, also one whose quotes are escaped because it lies in a string itself. */
function quotedRange(text: string, from: number): ValueRange | undefined {
  let at = from;
  while (at < from + 8 && text.charCodeAt(at) === BACKSLASH) at += 1;
  const level = at - from;
  const quote = text.charCodeAt(at);
  if (!isQuote(quote)) return undefined;
  const start = at + 1;
  const limit = Math.min(text.length, start + MAX_VALUE);
  let slashes = 0;
  for (let i = start; i < limit; i += 1) {
    const code = text.charCodeAt(i);
    if (code === quote && (level === 0 ? slashes % 2 === 0 : slashes <= level)) {
      return { start, end: i - Math.min(slashes, level), quoted: true };
    }
    if (isLineEnd(code) && quote !== BACKTICK) break;
    slashes = code === BACKSLASH ? slashes + 1 : 0;
  }
  return undefined;
}

function bareRange(text: string, from: number, how: Writing): ValueRange {
  const start = isQuote(text.charCodeAt(from)) ? from + 1 : from;
  const line = how.ownLine && how.tight;
  const limit = Math.min(text.length, start + MAX_VALUE);
  let end = start;
  for (; end < limit; end += 1) {
    const code = text.charCodeAt(end);
    if (code <= SPACE || isQuote(code) || code === LESS || code === GREATER) break;
    if (code === BACKSLASH && endsAtEscape(text, end)) break;
    if (how.query && (code === AMPERSAND || code === 35)) break;
    if (code === SEMICOLON && (!line || endsStatement(text, end))) break;
    if (!line && (code === COMMA || code === 125 || code === 41 || code === 93 || code === AMPERSAND)) break;
  }
  const after = text.charCodeAt(end);
  how.statement = after === SEMICOLON || after === COMMA;
  how.ownLine = how.ownLine && endsLine(text, end);
  return { start, end, quoted: false };
}

function endsAtEscape(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return (
    Number.isNaN(next) ||
    next === QUOTE ||
    next === APOSTROPHE ||
    next === BACKSLASH ||
    'nrtu'.includes(text[at + 1] ?? '')
  );
}

const NEXT_MEMBER = /;\s{0,4}(?:$|[\w ]{1,40}=|["'}])/my;

function endsStatement(text: string, at: number): boolean {
  NEXT_MEMBER.lastIndex = at;
  return NEXT_MEMBER.test(text);
}

const LINE_LEAD =
  /^[\s{,]*(?:(?:export|set|setx|env|declare|-x|-e|--env|--build-arg|ENV|ARG|-|\*|>|\+|\d{1,6}[:|])\s*)*["'$]?(?:env:|[\w./-]{1,64}:)?$/;
const LEAD = 48;

/** Whether nothing but indentation, a list mark, a diff mark, a grep prefix or `export` stands before the name. */
function beginsLine(text: string, nameStart: number): boolean {
  let from = nameStart;
  const floor = Math.max(0, nameStart - LEAD);
  while (from > floor) {
    const code = text.charCodeAt(from - 1);
    if (isLineEnd(code)) break;
    if (code === 110 && text.charCodeAt(from - 2) === BACKSLASH) break;
    from -= 1;
  }
  if (from === nameStart) return true;
  if (from === floor && floor > 0) return false;
  return LINE_LEAD.test(text.slice(from, nameStart));
}

function endsLine(text: string, at: number): boolean {
  const gap = skipBlanks(text, at);
  const code = text.charCodeAt(gap);
  if (Number.isNaN(code) || isLineEnd(code) || code === QUOTE || code === APOSTROPHE || code === BACKTICK)
    return true;
  if (code === BACKSLASH) return true;
  return (code === 35 || (code === SLASH && text.charCodeAt(gap + 1) === SLASH)) && gap > at;
}

function isQuery(before: number): boolean {
  return before === QUESTION || before === AMPERSAND;
}

function isQuote(code: number): boolean {
  return code === QUOTE || code === APOSTROPHE || code === BACKTICK;
}

function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}

function skipLineEnd(text: string, at: number): number {
  return text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
}
