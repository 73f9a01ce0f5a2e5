/** Bits of a character's class; only ASCII has any. */
export const DIGIT = 1;
export const UPPER = 2;
export const LOWER = 4;
export const UNDERSCORE = 8;
export const DASH = 16;
/** `+` and `/`. */
export const BASE64 = 32;
export const EQUALS = 64;
export const DOT = 128;
export const HEX = 256;
/** `:`, `~`, `%` and what else appears in structured tokens. */
export const JOINER = 512;

export const ALNUM = DIGIT | UPPER | LOWER;
export const WORD = ALNUM | UNDERSCORE;
export const URL_SAFE = WORD | DASH;
export const UPPER_ALNUM = UPPER | DIGIT;
export const LOWER_ALNUM = LOWER | DIGIT;
export const BASE64_ANY = ALNUM | BASE64 | EQUALS;
export const TOKEN_ANY = URL_SAFE | BASE64 | EQUALS | DOT;

const CLASSES: Uint16Array = buildClasses();

/** The class bits of a UTF-16 unit, 0 outside ASCII. */
export function classOf(code: number): number {
  return code < 128 ? (CLASSES[code] as number) : 0;
}

/** Where the run of characters with any bit of `mask` that starts at `from` ends, at most `limit`. */
export function runEnd(text: string, from: number, mask: number, limit: number): number {
  const last = Math.min(limit, text.length);
  let i = from;
  while (i < last && (classOf(text.charCodeAt(i)) & mask) !== 0) i += 1;
  return i;
}

/** Where the run of characters with any bit of `mask` that ends at `to` begins, not before `floor`. */
export function runStart(text: string, to: number, mask: number, floor: number): number {
  let i = to;
  while (i > floor && (classOf(text.charCodeAt(i - 1)) & mask) !== 0) i -= 1;
  return i;
}

function buildClasses(): Uint16Array {
  const classes = new Uint16Array(128);
  const set = (chars: string, bits: number): void => {
    for (const char of chars) classes[char.charCodeAt(0)] = (classes[char.charCodeAt(0)] as number) | bits;
  };
  set('0123456789', DIGIT | HEX);
  set('ABCDEFGHIJKLMNOPQRSTUVWXYZ', UPPER);
  set('abcdefghijklmnopqrstuvwxyz', LOWER);
  set('abcdefABCDEF', HEX);
  set('_', UNDERSCORE);
  set('-', DASH);
  set('+/', BASE64);
  set('=', EQUALS);
  set('.', DOT);
  set(':~%', JOINER);
  return classes;
}
