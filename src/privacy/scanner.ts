import { readAssignment, type SecretSpan } from './assignment';
import { readBareToken } from './bare-token';
import { URL_SAFE, WORD, classOf, runEnd } from './char-classes';
import { isPlaceholder, looksRandom } from './entropy';
import { announces, readProse } from './prose';
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
const BARE_RUN = 10;
const URL_REACH = 520;

/** Patterns by their first two characters. */
class PrefixIndex {
  readonly #known = new Uint8Array(128 * 128);
  readonly #rows = new Map<number, SecretPattern[]>();

  constructor(patterns: readonly SecretPattern[]) {
    for (const pattern of patterns) {
      const slot = pattern.prefix.charCodeAt(0) * 128 + pattern.prefix.charCodeAt(1);
      const rows = this.#rows.get(slot) ?? [];
      rows.push(pattern);
      rows.sort((a, b) => b.prefix.length - a.prefix.length);
      this.#rows.set(slot, rows);
      this.#known[slot] = 1;
    }
  }

  /** The secret of a provider's format that begins at `at`. */
  match(text: string, at: number): SecretSpan | undefined {
    const first = text.charCodeAt(at);
    const second = text.charCodeAt(at + 1);
    if (!(first < 128 && second < 128)) return undefined;
    const slot = first * 128 + second;
    if (this.#known[slot] !== 1) return undefined;
    const third = text.charCodeAt(at + 2);
    for (const row of this.#rows.get(slot) as SecretPattern[]) {
      if (row.prefix.length > 2 && row.prefix.charCodeAt(2) !== third) continue;
      if (!text.startsWith(row.prefix, at)) continue;
      const end = endOf(text, at, row);
      if (end > 0) return { start: at, end, kind: row.kind };
    }
    return undefined;
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
  if (row.random === true && !looksRandom(body, Math.min(16, row.min))) return -1;
  return isPlaceholder(body) ? -1 : end;
}

const INDEX = new PrefixIndex(SECRET_PATTERNS);

/**
 * The secrets in a text, in order and apart from each other, found in one pass over its words. Every look ahead is
 * bounded or remembered, so the time is linear in the length for any input.
 */
export class SecretScanner {
  readonly #text: string;
  readonly #limit: number;
  readonly #found: SecretSpan[] = [];
  /** Everything before is decided. */
  #at = 0;
  #nextAtSign = -1;
  #jwtRunEnd = 0;
  #bareRunEnd = 0;

  /** `limit`: after so many findings the scan stops. */
  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  scan(): SecretSpan[] {
    const text = this.#text;
    const length = text.length;
    while (this.#at < length && this.#found.length <= this.#limit) {
      const code = text.charCodeAt(this.#at);
      if ((classOf(code) & WORD) !== 0) this.#word();
      else if (code === HYPHEN && text.charCodeAt(this.#at + 1) === HYPHEN) this.#dashes();
      else if (code === COLON && text.charCodeAt(this.#at + 1) === SLASH) this.#url(this.#at);
      else this.#at += 1;
    }
    return this.#found;
  }

  #word(): void {
    const text = this.#text;
    const start = this.#at;
    const end = runEnd(text, start, WORD, text.length);
    this.#at = end;
    const token = this.#token(start, end) ?? this.#escapedToken(start, end);
    if (token !== undefined) return this.#keep(token);
    const length = end - start;
    const found =
      (length >= 2 ? readAssignment(text, start, end) : undefined) ??
      this.#spoken(start, end) ??
      this.#flag(start, end) ??
      (length >= 4 ? readByTail(text, start, end) : undefined);
    if (found !== undefined) return this.#keep(this.#refined(found));
    if (length >= BARE_RUN && end > this.#bareRunEnd) this.#bare(start);
  }

  #token(start: number, end: number): SecretSpan | undefined {
    const text = this.#text;
    if (text.startsWith('eyJ', start)) {
      if (start >= this.#jwtRunEnd) this.#jwtRunEnd = runEnd(text, end, URL_SAFE, text.length);
      const jwt = readJwt(text, start, this.#jwtRunEnd);
      if (jwt !== undefined) return jwt;
    }
    return INDEX.match(text, start);
  }

  /** A token behind an escape that reads as a part of the word: `\nghp_...`, `\u0022ghp_...`, `%3Dghp_...`. */
  #escapedToken(start: number, end: number): SecretSpan | undefined {
    if (start === 0) return undefined;
    const before = this.#text.charCodeAt(start - 1);
    if (before === BACKSLASH) return this.#token(start + (this.#text[start] === 'u' ? 5 : 1), end);
    return before === 37 ? this.#token(start + 2, end) : undefined;
  }

  #spoken(start: number, end: number): SecretSpan | undefined {
    const text = this.#text;
    const next = text.charCodeAt(end);
    if (next !== SPACE && next !== COLON && next !== 9) return undefined;
    const length = end - start;
    if (length < 2 || length > 11) return undefined;
    const word = text.slice(start, end);
    if (length === 6 && /^bearer$/i.test(word))
      return readScheme(text, start, end) ?? readProse(text, start, end);
    if (length === 5 && /^basic$/i.test(word)) return readScheme(text, start, end);
    if (/^by$/i.test(word))
      return /identified$/i.test(text.slice(Math.max(0, start - 11), start - 1))
        ? this.#quoted(end)
        : undefined;
    return announces(word) ? readProse(text, start, end) : undefined;
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
    if (start === 0 || this.#text.charCodeAt(start - 1) !== HYPHEN) return undefined;
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

  #dashes(): void {
    const block = readKeyBlock(this.#text, this.#at);
    if (block !== undefined) return this.#keep(block);
    this.#at = runEnd(this.#text, this.#at, 16, this.#text.length);
  }

  #url(at: number): void {
    const text = this.#text;
    this.#at = at + 1;
    if (text.charCodeAt(at + 2) !== SLASH) return;
    if (this.#nextAtSign < at) {
      const next = text.indexOf('@', at);
      this.#nextAtSign = next < 0 ? Infinity : next;
    }
    if (this.#nextAtSign - at > URL_REACH) return;
    const found = readUrlCredentials(text, at);
    if (found !== undefined) this.#keep(found);
  }

  #bare(start: number): void {
    const last = this.#found[this.#found.length - 1];
    const { span, end } = readBareToken(this.#text, start, last?.end ?? 0);
    this.#bareRunEnd = end;
    if (span !== undefined) this.#keep(span);
  }

  #keep(span: SecretSpan): void {
    this.#found.push(span);
    this.#at = Math.max(this.#at, span.end);
  }
}
