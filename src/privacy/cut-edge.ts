import { WORD, classOf, runStart } from './char-classes';
import { looksRandom } from './entropy';
import { classifyKey } from './key-names';
import { redactionMark } from './redactor';
import { isCutToken } from './scanner';

const TAIL = 512;
const ASSIGNED = /([\w.-]{2,80})["'`\]\\]{0,6}\s{0,4}(?::=|=>|=|:)\s{0,4}\\{0,3}["'`]?([^\s"'`]{1,512})$/;
const SCHEMED = /\b(?:bearer|basic)\s{1,4}([\w.~+/=-]{1,512})$/i;
const USER_INFO = /:\/\/[^\s:/?#@"'`<>]{0,128}:([^\s"'`<>@]{1,384})$/;
const JWT = /(?<![\w-])eyJ[\w-]{4,512}(?:\.[\w-]{0,512}){0,4}$/;

/**
 * `text`, whose end was cut off, without the beginning of a secret that the cut left at its end, too short to be told
 * otherwise. `mark`, when the text ends with it, stays at the end.
 */
export function scrubEdge(text: string, mark: string): string {
  const marked = mark !== '' && text.endsWith(mark);
  const body = marked ? text.slice(0, text.length - mark.length) : text;
  const trimmed = body.trimEnd();
  const tail = trimmed.slice(-TAIL);
  const found = partialSecret(tail);
  if (found === undefined) return text;
  const kept = trimmed.slice(0, trimmed.length - tail.length + found);
  return kept + redactionMark('cut') + body.slice(trimmed.length) + (marked ? mark : '');
}

/** Where in `tail` the secret begins that its end cuts. */
function partialSecret(tail: string): number | undefined {
  const assigned = ASSIGNED.exec(tail);
  if (assigned !== null && isAnnounced(assigned[1] as string, assigned[2] as string)) {
    return tail.length - (assigned[2] as string).length;
  }
  for (const pattern of [SCHEMED, USER_INFO]) {
    const hit = pattern.exec(tail);
    if (hit !== null && !isHarmless(hit[1] as string)) return tail.length - (hit[1] as string).length;
  }
  const jwt = JWT.exec(tail);
  if (jwt !== null) return jwt.index;
  const token = runStart(tail, tail.length, 0xffff, 0);
  for (let at = token; at < tail.length; at += 1) {
    const begins = at === 0 || (classOf(tail.charCodeAt(at - 1)) & WORD) === 0;
    if (begins && isCutToken(tail, at)) return at;
  }
  const last = tail.slice(token);
  return last.length <= 256 && !last.includes('://') && looksRandom(last, 16) ? token : undefined;
}

function isAnnounced(name: string, value: string): boolean {
  const key = classifyKey(name);
  if (key === undefined || key.class === 'weak' || isHarmless(value)) return false;
  return key.class === 'password' || /\d|[A-Z].*[a-z]|[a-z].*[A-Z]/.test(value);
}

function isHarmless(value: string): boolean {
  return value.startsWith('[REDACTED') || /^(?:\$|<|%|\{)/.test(value) || /^\d{1,5}(?:\/|$)/.test(value);
}
