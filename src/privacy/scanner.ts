import { AssignmentReader, type SecretSpan } from './assignment';
import { readBareToken } from './bare-token';
import { DASH, URL_SAFE, WORD, classOf, runEnd } from './char-classes';
import { isPlaceholder, looksRandom } from './entropy';
import { announces, mayAnnounce, readProse } from './prose';
import { MAX_TOKEN, SECRET_PATTERNS, type SecretPattern } from './secret-patterns';
import {
  readByTail,
  readJwt,
  readKeyBlock,
  readScheme,
  readShortFlag,
  readUrlCredentials,
} from './structured';

const HYPHEN = 45;
const SLASH = 47;
const COLON = 58;
const BACKSLASH = 92;
const SPACE = 32;
const PERCENT = 37;
const BARE_RUN = 10;
const LONGEST_SPOKEN = 11;
const MAX_SITES = 6000;
const MIN_PARTIAL = 6;
const BRACKET = 91;
const MARK_OPEN = '[REDACTED:';
const LONGEST_MARK = 64;
// The prefix already says much.
const PREFIXED_ODD_SHARE = 0.12;
const URL_REACH = 520;

interface TrieNode {
  readonly next: Map<number, TrieNode>;
  row?: SecretPattern;
}

/** Patterns by the characters of their prefixes. */
class PrefixTrie {
  readonly #root: TrieNode = { next: new Map() };
  /** Which first two characters begin any prefix: most words end here. */
  readonly #known = new Uint8Array(128 * 128);

  constructor(patterns: readonly SecretPattern[]) {
    for (const pattern of patterns) this.#add(pattern);
  }

  /** Whether some prefix begins with these two characters. */
  begins(first: number, second: number): boolean {
    return first < 128 && second < 128 && this.#known[first * 128 + second] === 1;
  }

  /** The secret of a provider's format that begins at `at`. */
  match(text: string, at: number): SecretSpan | undefined {
    let node: TrieNode | undefined = this.#root;
    let found: SecretSpan | undefined;
    for (let i = at; node !== undefined; i += 1) {
      if (node.row !== undefined) {
        const end = endOf(text, at, node.row);
        if (end > 0) found = { start: at, end, kind: node.row.kind };
      }
      node = node.next.get(text.charCodeAt(i));
    }
    return found;
  }

  /** Whether `text` from `at` to its end is the beginning of a token of some provider's format. */
  beginsToken(text: string, at: number): boolean {
    let node: TrieNode | undefined = this.#root;
    for (let i = at; node !== undefined; i += 1) {
      const row = node.row;
      if (
        row !== undefined &&
        text.length - i >= MIN_PARTIAL &&
        runEnd(text, i, row.chars, text.length) === text.length
      ) {
        return row.random !== true || looksRandom(text.slice(i), MIN_PARTIAL);
      }
      node = node.next.get(text.charCodeAt(i));
    }
    return false;
  }

  #add(pattern: SecretPattern): void {
    this.#known[pattern.prefix.charCodeAt(0) * 128 + pattern.prefix.charCodeAt(1)] = 1;
    let node = this.#root;
    for (let i = 0; i < pattern.prefix.length; i += 1) {
      const code = pattern.prefix.charCodeAt(i);
      let next = node.next.get(code);
      if (next === undefined) {
        next = { next: new Map() };
        node.next.set(code, next);
      }
      node = next;
    }
    node.row = pattern;
  }
}

function endOf(text: string, at: number, row: SecretPattern): number {
  const from = at + row.prefix.length;
  let end: number;
  if (row.shape === undefined) {
    end = runEnd(text, from, row.chars, from + MAX_TOKEN);
    while (end > from && (text.charCodeAt(end - 1) === 46 || text.charCodeAt(end - 1) === COLON)) end -= 1;
    if (end - from < row.min || (row.exact === true && end - from !== row.min)) return -1;
    if (row.exact === true && (classOf(text.charCodeAt(end)) & WORD) !== 0) return -1;
  } else {
    row.shape.lastIndex = at;
    if (!row.shape.test(text)) return -1;
    end = row.shape.lastIndex;
  }
  const body = text.slice(from, Math.min(end, from + 128));
  if (row.random === true && !looksRandom(body, Math.min(16, row.min), PREFIXED_ODD_SHARE)) return -1;
  return isPlaceholder(body) ? -1 : end;
}

const TRIE = new PrefixTrie(SECRET_PATTERNS);

/** Whether the end of `text`, from `at`, is a provider's token that was cut off. */
export function isCutToken(text: string, at: number): boolean {
  return TRIE.beginsToken(text, at);
}

/** Whether no white space parts `from` and `to`, a bounded way apart. */
function isJoined(text: string, from: number, to: number): boolean {
  if (to - from > URL_REACH) return false;
  for (let i = from; i < to; i += 1) if (text.charCodeAt(i) <= SPACE) return false;
  return true;
}

/**
 * The secrets in a text, in order and apart from each other, found in one pass over its words. Every look ahead is
 * bounded or remembered, so the time is linear in the length for any input.
 */
export class SecretScanner {
  readonly #text: string;
  readonly #limit: number;
  readonly #found: SecretSpan[] = [];
  readonly #assignments: AssignmentReader;
  #nextAtSign = -1;
  #jwtRunEnd = 0;
  #bareRunEnd = 0;

  /** `limit`: after so many findings the scan stops. */
  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
    this.#assignments = new AssignmentReader(text);
  }

  /** Whether the text is nothing but names of secrets and values: it can't be kept, and weighing all would take long. */
  get overwhelmed(): boolean {
    return this.#found.length > this.#limit || this.#assignments.sites > MAX_SITES + this.#text.length / 256;
  }

  scan(): SecretSpan[] {
    const text = this.#text;
    const length = text.length;
    let at = 0;
    while (at < length && !this.overwhelmed) {
      const code = text.charCodeAt(at);
      if ((classOf(code) & WORD) !== 0) {
        at = this.#word(at);
      } else if (code === HYPHEN && text.charCodeAt(at + 1) === HYPHEN) {
        at = this.#dashes(at);
      } else if (code === COLON && text.charCodeAt(at + 1) === SLASH) {
        at = this.#url(at);
      } else if (code === BRACKET && text.startsWith(MARK_OPEN, at)) {
        at = markEnd(text, at);
      } else {
        at += 1;
      }
    }
    return this.#found;
  }

  #word(start: number): number {
    const text = this.#text;
    const end = runEnd(text, start, WORD, text.length);
    const before = start === 0 ? SPACE : text.charCodeAt(start - 1);
    const token = this.#token(start, end) ?? this.#escapedToken(start, end, before);
    if (token !== undefined) return this.#keep(token, end);
    const length = end - start;
    if (length === 1 && before !== HYPHEN) return end;
    const found =
      this.#assignments.read(start, end) ??
      (length <= LONGEST_SPOKEN ? this.#spoken(start, end) : undefined) ??
      (before === HYPHEN ? this.#flag(start, end) : undefined) ??
      (length >= 4 ? readByTail(text, before === BACKSLASH ? start + 1 : start, end) : undefined);
    if (found !== undefined) return this.#keep(this.#refined(found), end);
    if (length >= BARE_RUN && end > this.#bareRunEnd) return this.#bare(start, end);
    return end;
  }

  #token(start: number, end: number): SecretSpan | undefined {
    const text = this.#text;
    const first = text.charCodeAt(start);
    const second = text.charCodeAt(start + 1);
    if (first === 101 && second === 121 && text.charCodeAt(start + 2) === 74) {
      if (start >= this.#jwtRunEnd) this.#jwtRunEnd = runEnd(text, end, URL_SAFE, text.length);
      const jwt = readJwt(text, start, this.#jwtRunEnd);
      if (jwt !== undefined) return jwt;
    }
    return TRIE.begins(first, second) ? TRIE.match(text, start) : undefined;
  }

  /** A token behind an escape that reads as a part of the word: `\nghp_...`, `\u0022ghp_...`, `%3Dghp_...`. */
  #escapedToken(start: number, end: number, before: number): SecretSpan | undefined {
    if (before === BACKSLASH) return this.#token(start + (this.#text[start] === 'u' ? 5 : 1), end);
    return before === PERCENT ? this.#token(start + 2, end) : undefined;
  }

  #spoken(start: number, end: number): SecretSpan | undefined {
    const text = this.#text;
    const next = text.charCodeAt(end);
    if (next !== SPACE && next !== COLON && next !== 9) return undefined;
    if (!mayAnnounce(text, start)) return undefined;
    const word = text.slice(start, end).toLowerCase();
    if (word === 'bearer') return readScheme(text, start, end) ?? readProse(text, word, end);
    if (word === 'basic') return readScheme(text, start, end);
    if (word === 'by')
      return /identified\s$/i.test(text.slice(Math.max(0, start - 11), start))
        ? this.#quoted(end)
        : undefined;
    return announces(word) ? readProse(text, word, end) : undefined;
  }

  #quoted(end: number): SecretSpan | undefined {
    const quoted = /\s{1,4}(["'])([^"'\n]{3,128})\1/y;
    quoted.lastIndex = end;
    const hit = quoted.exec(this.#text);
    if (hit === null || isPlaceholder(hit[2] as string)) return undefined;
    const to = quoted.lastIndex - 1;
    return { start: to - (hit[2] as string).length, end: to, kind: 'password' };
  }

  #flag(start: number, end: number): SecretSpan | undefined {
    const first = this.#text.charCodeAt(start);
    return first === 117 || first === 112 || first === 97 ? readShortFlag(this.#text, start, end) : undefined;
  }

  /** A provider's kind says more than the name it was assigned to; a key block is longer than its line. */
  #refined(found: SecretSpan): SecretSpan {
    const text = this.#text;
    const block = text.charCodeAt(found.start) === HYPHEN ? readKeyBlock(text, found.start) : undefined;
    if (block !== undefined) return block;
    const known = this.#token(found.start, runEnd(text, found.start, WORD, found.end));
    return known === undefined ? found : { ...known, end: Math.max(known.end, found.end) };
  }

  #dashes(at: number): number {
    const block = readKeyBlock(this.#text, at);
    const end = runEnd(this.#text, at, DASH, this.#text.length);
    return block === undefined ? end : this.#keep(block, end);
  }

  #url(at: number): number {
    const text = this.#text;
    if (text.charCodeAt(at + 2) !== SLASH) return at + 1;
    if (this.#nextAtSign < at) {
      const next = text.indexOf('@', at);
      this.#nextAtSign = next < 0 ? Infinity : next;
    }
    const found = isJoined(text, at + 3, this.#nextAtSign) ? readUrlCredentials(text, at) : undefined;
    return found === undefined ? at + 1 : this.#keep(found, at + 1);
  }

  #bare(start: number, end: number): number {
    const last = this.#found[this.#found.length - 1];
    const bare = readBareToken(this.#text, start, last?.end ?? 0);
    this.#bareRunEnd = bare.end;
    return bare.span === undefined ? end : this.#keep(bare.span, end);
  }

  /** Where to go on: behind what was found. Marks of earlier passes are taken whole, or left. */
  #keep(span: SecretSpan, end: number): number {
    const text = this.#text;
    const last = this.#found[this.#found.length - 1];
    const start = Math.max(aroundMark(text, span.start)?.start ?? span.start, last?.end ?? 0);
    const stop = aroundMark(text, span.end - 1)?.end ?? span.end;
    if (text.startsWith(MARK_OPEN, start) && markEnd(text, start) >= stop) return Math.max(end, stop);
    this.#found.push({ start, end: stop, kind: span.kind });
    return Math.max(end, stop);
  }
}

/** The redaction mark that the character at `at` belongs to. */
function aroundMark(text: string, at: number): { start: number; end: number } | undefined {
  const from = Math.max(0, at - LONGEST_MARK);
  const open = text.slice(from, at + MARK_OPEN.length).lastIndexOf(MARK_OPEN);
  if (open < 0) return undefined;
  const end = markEnd(text, from + open);
  return end > at && from + open <= at ? { start: from + open, end } : undefined;
}

/** Where the mark that opens at `at` ends; one character on when it is no whole mark. */
function markEnd(text: string, at: number): number {
  const close = runEnd(text, at + MARK_OPEN.length, URL_SAFE, at + LONGEST_MARK);
  return text.charCodeAt(close) === 93 ? close + 1 : at + 1;
}
