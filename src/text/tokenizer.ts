import { cjkTerms, isCjk } from './cjk';
import { stem } from './stems';
import { STOP_WORDS } from './stop-words';

/** Character classes of the scanner, for the first 128 codes. */
const BREAK = 0;
const WORD = 1;
const JOINER = 2;

const CLASSES = ((): Uint8Array => {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    const char = String.fromCharCode(code);
    if (/[A-Za-z0-9]/.test(char)) table[code] = WORD;
    else if ("_-./\\'$@#+~".includes(char)) table[code] = JOINER;
  }
  return table;
})();

/** How many characters of a run are analysed: beyond are encoded data, not words. */
const MAX_RUN = 200;

/** Scripts without spaces make a run of a whole paragraph. */
const MAX_FOREIGN_RUN = 4000;

/**
 * A stretch of text without a break: a word, an identifier, a path, a version, or a run in another script.
 * `first` and `second` are two independent 32-bit hashes of its characters.
 */
export interface RunVisitor {
  (text: string, start: number, end: number, first: number, second: number): void;
}

/**
 * Visits the runs of `text` in order. Joiners (`_ - . / \ ' $ @ # + ~`) hold a run together and are trimmed
 * at its ends; every other ASCII character breaks it. Costs no allocation, so that ten thousand records are
 * indexed in a blink.
 */
export function scanRuns(text: string, visit: RunVisitor): void {
  const length = text.length;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code < 128 && CLASSES[code] !== WORD) {
      at++;
      continue;
    }
    const start = at;
    let end = at;
    let first = 0x811c9dc5;
    let second = 0x9e3779b9;
    let firstAtEnd = first;
    let secondAtEnd = second;
    while (at < length) {
      const next = text.charCodeAt(at);
      const kind = next < 128 ? CLASSES[next] : isBreak(next) ? BREAK : WORD;
      if (kind === BREAK) break;
      first = Math.imul(first ^ next, 0x01000193);
      second = Math.imul(second ^ next, 0x85ebca6b) + 0x7f4a7c15;
      second ^= second >>> 13;
      at++;
      if (kind === WORD) {
        end = at;
        firstAtEnd = first;
        secondAtEnd = second;
      }
    }
    if (end > start) visit(text, start, end, firstAtEnd, secondAtEnd | 0);
    else at++;
  }
}

function isBreak(code: number): boolean {
  return (
    (code < 0xc0 && code !== 0xaa && code !== 0xb5 && code !== 0xba) ||
    (code >= 0x2000 && code <= 0x206f) ||
    (code >= 0x3000 && code <= 0x3004) ||
    (code >= 0x3008 && code <= 0x3020) ||
    code === 0x30fb ||
    (code >= 0xff01 && code <= 0xff0f) ||
    (code >= 0xff1a && code <= 0xff20) ||
    (code >= 0xff3b && code <= 0xff40) ||
    (code >= 0xff5b && code <= 0xff65) ||
    (code >= 0x2190 && code <= 0x2bff) ||
    code === 0xd7 ||
    code === 0xf7 ||
    code === 0xfffd
  );
}

/** The terms that one run stands for. */
export interface RunTerms {
  /** The run as one term: `parseOrderLines`, `order_lines` and `order-lines` give `parseorderline`. */
  whole: string;
  /** Its parts, where it has more than one; stop words among them are left out. */
  parts: string[];
  /** Looks like code: camel case, joined by `_ . / \ $`, or letters mixed with digits. */
  identifier: boolean;
  /** A function word: never searched for. */
  stop: boolean;
  /** Parts are overlapping pairs of characters. */
  pairs: boolean;
}

const VERSION = /^v?[0-9]+(\.[0-9]+)+$/;
const CODE_SHAPE =
  /^[A-Z]{4,}$|[a-z][A-Z]|[_\\/$]|[A-Za-z][0-9]|[0-9][A-Za-z]|[A-Za-z]\.[A-Za-z]|[A-Z]{2,}-?[0-9]/;

/**
 * Takes a run apart. Letters are folded (case, width, accents) and stemmed; identifiers are kept whole and
 * split; paths are split by segment, each segment again like an identifier.
 */
export function runTerms(run: string, stemOf: (word: string) => string = stem): RunTerms {
  if (hasNonAscii(run)) return foreignTerms(run.slice(0, MAX_FOREIGN_RUN), stemOf);
  const text = run.slice(0, MAX_RUN);
  if (/^[a-z]+$/.test(text)) {
    return { whole: stemOf(text), parts: [], identifier: false, stop: STOP_WORDS.has(text), pairs: false };
  }
  return asciiTerms(text, stemOf);
}

function hasNonAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return true;
  return false;
}

function asciiTerms(text: string, stemOf: (word: string) => string): RunTerms {
  const lower = text.toLowerCase();
  if (lower.endsWith("'s")) return runTerms(text.slice(0, -2), stemOf);
  const quote = lower.indexOf("'");
  if (quote > 0 && /^[a-z]+'[a-z]+$/.test(lower)) {
    return { whole: stemOf(lower.slice(0, quote)), parts: [], identifier: false, stop: true, pairs: false };
  }
  const segments = lower.includes('/') || lower.includes('\\') ? splitPath(text) : undefined;
  const parts = new Set<string>();
  if (segments === undefined) addPieces(text, parts, stemOf);
  else addSegments(segments, parts, stemOf);
  if (parts.size <= 1 && segments === undefined && isPlain(lower)) {
    const stop = STOP_WORDS.has(lower);
    return { whole: stemOf(lower), parts: [], identifier: CODE_SHAPE.test(text), stop, pairs: false };
  }
  const whole = squash(text);
  parts.delete(whole);
  const stop = parts.size === 0 && STOP_WORDS.has(lower);
  return { whole, parts: [...parts], identifier: CODE_SHAPE.test(text), stop, pairs: false };
}

function isPlain(lower: string): boolean {
  for (let i = 0; i < lower.length; i++) {
    const code = lower.charCodeAt(i);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

function splitPath(text: string): string[] {
  return text.split(/[\\/]+/).filter((segment) => segment.length > 0);
}

/** A path is found by each segment, by each two that follow each other, and by the words in them. */
function addSegments(
  segments: readonly string[],
  parts: Set<string>,
  stemOf: (word: string) => string,
): void {
  let before: string | undefined;
  for (const segment of segments) {
    const own = squash(segment);
    if (segments.length > 1) parts.add(own);
    if (before !== undefined && segments.length > 2) parts.add(`${before}/${own}`);
    before = own;
    addPieces(segment, parts, stemOf);
  }
}

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}

/** Adds the words of an identifier: split where it is joined, at humps, and between letters and digits. */
function addPieces(text: string, parts: Set<string>, stemOf: (word: string) => string): void {
  let start = 0;
  while (start < text.length) {
    if (classOf(text.charCodeAt(start)) === OTHER) {
      start++;
      continue;
    }
    let end = start;
    let lowers = false;
    while (end < text.length) {
      const kind = classOf(text.charCodeAt(end));
      if (kind === OTHER) break;
      if (kind === LOWER) lowers = true;
      end++;
    }
    // Codes such as 40P01 or NP1042 are one word.
    if (!lowers) addPiece(text.slice(start, end), parts, stemOf);
    else addHumps(text, start, end, parts, stemOf);
    start = end;
  }
}

function addHumps(
  text: string,
  start: number,
  end: number,
  parts: Set<string>,
  stemOf: (word: string) => string,
): void {
  let begin = start;
  for (let i = start + 1; i <= end; i++) {
    const kind = i < end ? classOf(text.charCodeAt(i)) : OTHER;
    const last = classOf(text.charCodeAt(i - 1));
    const next = i + 1 < end ? classOf(text.charCodeAt(i + 1)) : OTHER;
    const hump = kind === UPPER && (last !== UPPER || next === LOWER);
    if (i === end || hump || (kind === DIGIT && last !== DIGIT)) {
      addPiece(text.slice(begin, i), parts, stemOf);
      begin = i;
    }
  }
}

function addPiece(piece: string, parts: Set<string>, stemOf: (word: string) => string): void {
  const lower = piece.toLowerCase();
  if (!STOP_WORDS.has(lower)) parts.add(stemOf(lower));
}

/**
 * One spelling for `order_lines`, `order-lines` and `orderLine`: letters and digits alone, a plural's `s`
 * left out. Versions keep their dots.
 */
export function squash(text: string): string {
  const lower = text.toLowerCase();
  if (VERSION.test(lower)) return lower;
  const letters = lower.replace(/[^a-z0-9]+/g, '');
  return letters.length > 4 && letters.endsWith('s') && !letters.endsWith('ss')
    ? letters.slice(0, -1)
    : letters;
}

function foreignTerms(text: string, stemOf: (word: string) => string): RunTerms {
  const folded = text.normalize('NFKC').toLowerCase();
  const parts: string[] = [];
  let wordsOnly = true;
  let chunk = '';
  let chunkIsCjk = false;
  const flush = (): void => {
    if (chunk === '') return;
    if (chunkIsCjk) {
      wordsOnly = false;
      parts.push(...cjkTerms(chunk));
    } else {
      const plain = chunk.normalize('NFD').replace(/\p{M}+/gu, '');
      if (plain !== '' && !STOP_WORDS.has(chunk)) parts.push(plain.length < 200 ? stemOf(plain) : plain);
    }
    chunk = '';
  };
  for (const char of folded) {
    const code = char.codePointAt(0) ?? 0;
    const cjk = isCjk(code) || code === 0x30fc;
    if (!cjk && !/[\p{L}\p{N}\p{M}]/u.test(char)) {
      flush();
      continue;
    }
    if (cjk !== chunkIsCjk) flush();
    chunkIsCjk = cjk;
    chunk += char;
  }
  flush();
  if (wordsOnly && parts.length <= 1) {
    return { whole: parts[0] ?? '', parts: [], identifier: false, stop: parts.length === 0, pairs: false };
  }
  return { whole: '', parts: [...new Set(parts)], identifier: false, stop: parts.length === 0, pairs: true };
}

/** One run of a text as a reader sees it, with its terms. */
export interface Token extends RunTerms {
  text: string;
  start: number;
  end: number;
}

/** All runs of `text` with their terms, for prompts and for showing why something matched. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  scanRuns(text, (source, start, end) => {
    const run = source.slice(start, end);
    const { whole, parts, identifier, stop, pairs } = runTerms(run);
    tokens.push({ text: run, start, end, whole, parts, identifier, stop, pairs });
  });
  return tokens;
}
