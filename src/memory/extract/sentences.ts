/** Words after which a full stop does not end a sentence. */
const ABBREVIATIONS = new Set(
  (
    'e.g i.e eg ie etc vs cf approx resp no nr dr mr mrs ms st fig sec ver incl excl min max ' +
    'z.b d.h u.a z.t bzw ca usw evtl ggf inkl vgl abs'
  ).split(' '),
);

const GERMAN_MONTH =
  /^(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)/i;
const CLOSERS = '"\'”’»)]}」』）`*';

/**
 * Sentences of a text, in order, trimmed. Line breaks end a sentence; so do `. ! ?` before white space and
 * their full-width forms anywhere, but never inside back ticks, after an abbreviation, in a German date
 * (`3. Mai`), or before a lower-case word.
 */
export function sentences(text: string): string[] {
  return text.split(/\r?\n+/).flatMap(lineSentences);
}

function lineSentences(line: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (let i = 0; i < line.length; i++) {
    const skip = closingAt(line, i);
    if (skip > i) {
      i = skip;
      continue;
    }
    if (!endsHere(line, start, i)) continue;
    let end = i + 1;
    while (end < line.length && CLOSERS.includes(line.charAt(end)) && line.charAt(end) !== '`') end++;
    push(found, line.slice(start, end));
    start = end;
    i = end - 1;
  }
  push(found, line.slice(start));
  return found;
}

/** End of a code span or a short parenthesis that opens at `i`; `i` where none does. */
function closingAt(line: string, i: number): number {
  const char = line.charAt(i);
  if (char === '`') return Math.max(i, line.indexOf('`', i + 1));
  if (char !== '(') return i;
  let depth = 0;
  for (let at = i; at < line.length && at - i < 160; at++) {
    if (line.charAt(at) === '(') depth++;
    if (line.charAt(at) === ')') depth--;
    if (depth === 0) return at;
  }
  return i;
}

function push(found: string[], text: string): void {
  const trimmed = text.trim();
  if (trimmed !== '') found.push(trimmed);
}

function endsHere(line: string, start: number, i: number): boolean {
  const char = line.charAt(i);
  if ('。！？'.includes(char)) return true;
  if (!'.!?'.includes(char) || '.!?'.includes(line.charAt(i + 1))) return false;
  if (/(?:^|\s)[.?!]{2,}$/.test(line.slice(Math.max(start, i - 8), i + 1))) return false;
  let after = i + 1;
  while (after < line.length && CLOSERS.includes(line.charAt(after))) after++;
  if (after >= line.length) return true;
  if (!/\s/.test(line.charAt(after))) return isCjkAt(line, after) && isCjkAt(line, i - 1);
  if (char !== '.') return true;
  const rest = line.slice(after, after + 40).trimStart();
  const before = line.slice(Math.max(start, i - 80), i);
  if (/^\p{Ll}/u.test(rest) && !/^(?:https?:|www\.)/.test(rest)) {
    return !isAbbreviation(before) && before.trim().split(/\s+/).length > 2;
  }
  return !isAbbreviation(before) && !isGermanDate(before, rest);
}

function isCjkAt(line: string, at: number): boolean {
  return /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(line.charAt(at));
}

function isAbbreviation(before: string): boolean {
  const word =
    /\S+$/
      .exec(before)?.[0]
      .toLowerCase()
      .replace(/^[("'[]+/, '') ?? '';
  return ABBREVIATIONS.has(word) || /^\p{L}$/u.test(word);
}

function isGermanDate(before: string, rest: string): boolean {
  return /(?:^|\s)\d{1,2}$/.test(before) && GERMAN_MONTH.test(rest);
}

/** `sentence` without list marks, heading marks and outer white space. */
export function bare(sentence: string): string {
  return sentence.replace(/^\s*(?:[-*•+]|\d{1,2}[.)]|#{1,6})\s+/, '').trim();
}

/** Sentences as one text: with a space between them, except after full-width punctuation. */
export function joinSentences(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .reduce((text, part) => (text === '' || /[。！？]$/.test(text) ? text + part : `${text} ${part}`), '');
}

/**
 * The beginning of `text` that fits `max` characters, cut after a sentence where one ends in time, else after
 * a word; never inside a word and never with an added mark, so that what is left is still literal.
 */
export function clip(text: string, max: number): string {
  const whole = text.trim();
  if (whole.length <= max) return whole;
  let kept = '';
  for (const sentence of sentences(whole.slice(0, max + 200))) {
    const next = joinSentences([kept, sentence]);
    if (next.length > max) break;
    kept = next;
  }
  if (kept.length >= max / 3) return kept;
  const cut = whole.slice(0, max + 1);
  const space = cut.search(/\s\S*$/);
  const end = space > max / 3 ? space : max;
  return cut.slice(0, safeEnd(cut, end)).replace(/[\s,;:(—–-]+$/, '');
}

function safeEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
