const ZERO_WIDTH_JOINER = 0x200d;
const EXTENDING = /^[\p{M}\u200D\uFE0E\uFE0F\u{1F3FB}-\u{1F3FF}\u{E0020}-\u{E007F}]$/u;

// A grapheme longer than this is an attack ("zalgo"), and is cut between code points.
const GRAPHEME_UNITS = 64;

/** Length of `text` in bytes of UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/**
 * The longest beginning of `text` that fits `maxBytes` of UTF-8, `mark` included when something was cut. Never
 * inside a code point (pain 101), nor inside a grapheme of ordinary length. A mark that does not fit is
 * left out.
 */
export function cutBytes(text: string, maxBytes: number, mark = ''): string {
  if (maxBytes <= 0) return '';
  // One UTF-16 unit is at most three bytes, so most texts need no count.
  if (text.length * 3 <= maxBytes || byteLength(text) <= maxBytes) return text;
  const markBytes = byteLength(mark);
  const kept = markBytes > maxBytes ? '' : mark;
  return (
    text.slice(0, graphemeStart(text, unitsWithin(text, maxBytes - (kept === '' ? 0 : markBytes)))) + kept
  );
}

/**
 * The first `max` code points of `text`, `mark` included when something was cut; the same care for graphemes
 * as {@link cutBytes}.
 */
export function cutCodePoints(text: string, max: number, mark = ''): string {
  if (max <= 0) return '';
  if (text.length <= max) return text;
  if (unitsOfCodePoints(text, max) >= text.length) return text;
  const markPoints = Array.from(mark).length;
  const kept = markPoints > max ? '' : mark;
  const end = unitsOfCodePoints(text, max - (kept === '' ? 0 : markPoints));
  return text.slice(0, graphemeStart(text, end)) + kept;
}

function unitsWithin(text: string, maxBytes: number): number {
  let bytes = 0;
  let i = 0;
  while (i < text.length) {
    const code = text.codePointAt(i) ?? 0;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes + size > maxBytes) break;
    bytes += size;
    i += code > 0xffff ? 2 : 1;
  }
  return i;
}

function unitsOfCodePoints(text: string, max: number): number {
  let i = 0;
  for (let points = 0; points < max && i < text.length; points += 1) {
    i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
  }
  return i;
}

function graphemeStart(text: string, end: number): number {
  if (end <= 0 || end >= text.length) return Math.max(0, Math.min(end, text.length));
  let at = end;
  while (at > 0 && end - at < GRAPHEME_UNITS && continuesGrapheme(text, at)) at = previousPoint(text, at);
  return at === 0 || end - at >= GRAPHEME_UNITS ? end : at;
}

function continuesGrapheme(text: string, at: number): boolean {
  const code = text.codePointAt(at) ?? 0;
  if (code < 0x300) return code === 0x0a && text.charCodeAt(at - 1) === 0x0d;
  if (text.charCodeAt(at - 1) === ZERO_WIDTH_JOINER) return true;
  if (isRegional(code)) return regionalsBefore(text, at) % 2 === 1;
  return EXTENDING.test(String.fromCodePoint(code));
}

function regionalsBefore(text: string, at: number): number {
  let count = 0;
  for (let i = at; i >= 2 && count < GRAPHEME_UNITS; i -= 2) {
    if (!isRegional(text.codePointAt(i - 2) ?? 0)) break;
    count += 1;
  }
  return count;
}

function isRegional(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

function previousPoint(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  const pair = at >= 2 && low >= 0xdc00 && low <= 0xdfff;
  const high = pair ? text.charCodeAt(at - 2) : 0;
  return pair && high >= 0xd800 && high <= 0xdbff ? at - 2 : at - 1;
}
