import { ALNUM, DIGIT, HEX, LOWER, UPPER, classOf } from './char-classes';

const SAMPLE = 512;

/** Shannon entropy of the first 512 characters of `text`, in bits a character. */
export function entropy(text: string): number {
  const counts = new Map<number, number>();
  const length = Math.min(text.length, SAMPLE);
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / length) * Math.log2(count / length);
  return bits;
}

/** What a text is made of: how many of each class, and how often one class meets another as no writer would. */
export interface Shape {
  length: number;
  digits: number;
  uppers: number;
  lowers: number;
  hexes: number;
  others: number;
  /** Pieces of one class: `getUserV2` has four (`get`, `User`, `V`, `2`). */
  pieces: number;
  /** Neighbours of a letter and a digit. */
  letterDigits: number;
  /** Neighbours of two capitals. */
  capitalPairs: number;
}

/** The {@link Shape} of the first 512 characters of `text`. */
export function shapeOf(text: string): Shape {
  const length = Math.min(text.length, SAMPLE);
  const shape: Shape = {
    ...{ length, digits: 0, uppers: 0, lowers: 0, hexes: 0, others: 0 },
    ...{ pieces: 0, letterDigits: 0, capitalPairs: 0 },
  };
  let previous = 0;
  for (let i = 0; i < length; i += 1) {
    const bits = classOf(text.charCodeAt(i));
    const kind = bits & ALNUM;
    if (kind === DIGIT) shape.digits += 1;
    else if (kind === UPPER) shape.uppers += 1;
    else if (kind === LOWER) shape.lowers += 1;
    else shape.others += 1;
    if ((bits & HEX) !== 0) shape.hexes += 1;
    if (kind !== 0 && kind !== previous && !(previous === UPPER && kind === LOWER)) shape.pieces += 1;
    if (kind !== 0 && previous !== 0 && (kind === DIGIT) !== (previous === DIGIT)) shape.letterDigits += 1;
    if (kind === UPPER && previous === UPPER) shape.capitalPairs += 1;
    previous = kind;
  }
  return shape;
}

/** The share of neighbours that a random string has and a written name hardly. */
const ODD_SHARE = 0.2;

/**
 * Whether `text` (a token without spaces) looks drawn at random, not written by a person: letters, capitals and digits
 * thrown together, and near the entropy its length allows. Identifiers, paths, words, dates and numbers do not.
 */
export function looksRandom(text: string, minLength = 16, minOddShare = ODD_SHARE): boolean {
  if (text.length < minLength) return false;
  const shape = shapeOf(text);
  if (shape.digits === 0 && shape.length < 24) return false;
  if (shape.digits === shape.length || shape.uppers + shape.lowers === 0) return false;
  const alnum = shape.length - shape.others;
  if (shape.others > alnum / 4) return false;
  const possible = Math.min(Math.log2(shape.length), shape.hexes >= alnum ? 4 : 6);
  if (entropy(text) < possible * 0.68) return false;
  return oddShare(shape) >= minOddShare;
}

/** 0 to 1; about 0.45 for random letters and digits. Capitals side by side count where small letters are, too. */
export function oddShare(shape: Shape): number {
  const capitals =
    shape.lowers * 4 >= shape.uppers && shape.uppers * 4 >= shape.lowers ? shape.capitalPairs : 0;
  return (shape.letterDigits + capitals) / Math.max(1, shape.length - shape.others - 1);
}

const PLACEHOLDER =
  /^(?:x{3,}|\*{2,}|\.{3,}|-{3,}|_{3,}|#{3,}|0+|123456789?0?|12345?|<.*>?|\[.*\]?|\(.*|\{\{.*|%[A-Za-z_]+%|(?:your|insert|enter|put|add|replace|paste|set|use|some|any)[-_ ][a-z_ -]{0,60}|(?:my|the|an?)[-_ ](?:secret|token|password|passwd|api|access|private|key|value)[a-z_ -]{0,40}|change[-_]?(?:me|it|this)!*|place[-_]?holder|example|sample|dummy|fake|todo|tbd|redacted|hidden|masked|removed|omitted|secret|password|passwd|token|api[-_]?key|key|value|string|text|test|none|null|nil|undefined|true|false|yes|no|on|off|empty|n\/a|optional|required|unset|default|auto|inherit|disabled|enabled|missing|invalid|expired|unknown)$/i;
const PLACEHOLDER_PART =
  /x{6,}|X{4,}$|\*{4,}|\.{4,}|EXAMPLE(?:KEY)?$|(?:^|[-_])(?:your|example|placeholder|changeme|dummy|redacted|insert|replace)(?:$|[-_])|abcdefghijkl|\u2026/i;

/** Whether `text` stands in a secret's place without being one: `<your-token>`, `xxxx`, `changeme`, `...EXAMPLE`. */
export function isPlaceholder(text: string): boolean {
  if (text.length <= 128 && PLACEHOLDER.test(text)) return true;
  if (PLACEHOLDER_PART.test(text.slice(0, SAMPLE))) return true;
  return text.length >= 4 && distinctAtMost(text, Math.min(3, Math.floor(text.length / 4)));
}

function distinctAtMost(text: string, max: number): boolean {
  const seen: number[] = [];
  for (let i = 0; i < text.length && i < 64; i += 1) {
    const code = text.charCodeAt(i);
    if (seen.includes(code)) continue;
    if (seen.length === max) return false;
    seen.push(code);
  }
  return true;
}
