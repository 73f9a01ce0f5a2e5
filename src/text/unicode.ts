const REPLACEMENT = '\uFFFD';

// C0 without \t \n \r, DEL, C1, and the non-characters U+FFFE/U+FFFF, which some JSON readers refuse.
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const BIDI_OR_INVISIBLE = /[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g;
const TAG_CHARACTER = /\uDB40[\uDC00-\uDC7F]/g;
const ANSI_ESCAPE = /\u001B\[[0-9;?]{0,32}[ -/]{0,4}[@-~]/g;

/**
 * Bytes of unknown quality as text: UTF-8, a leading byte order mark dropped, UTF-16 recognised by its mark
 * (PowerShell redirects write it), every invalid sequence as U+FFFD. Never throws.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  if (bytes.length >= 2 && bytes.length % 2 === 0) {
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  }
  return new TextDecoder('utf-8', { fatal: false, ignoreBOM: false }).decode(bytes);
}

/**
 * Text that any store, wire and model accepts (pains 100, 101): a leading BOM dropped, lone surrogates as
 * U+FFFD, terminal colour sequences and control characters removed; tab, LF, CR and CRLF stay. Idempotent,
 * linear.
 */
export function repairText(text: string): string {
  let out = text;
  while (out.charCodeAt(0) === 0xfeff) out = out.slice(1);
  // Removing one sequence can form another from its surroundings; each round shortens the text.
  for (let next = out.replace(ANSI_ESCAPE, ''); next !== out; next = out.replace(ANSI_ESCAPE, '')) out = next;
  out = out.replace(CONTROL, '');
  while (out.charCodeAt(0) === 0xfeff) out = out.slice(1);
  return isWellFormed(out) ? out : out.replace(LONE_SURROGATE, REPLACEMENT);
}

/**
 * Text to be shown to a model or a person as data: repaired, line endings as LF, and without characters that
 * hide or reorder what is written (bidi overrides, zero-width and tag characters; pain 92). Joiners that emoji
 * and Indic scripts need stay.
 */
export function neutraliseForDisplay(text: string): string {
  const out = repairText(text)
    .replace(/\r\n?/g, '\n')
    .replace(/\u2028|\u2029/g, '\n')
    .replace(BIDI_OR_INVISIBLE, '');
  return out.includes('\uDB40') ? out.replace(TAG_CHARACTER, '') : out;
}

function isWellFormed(text: string): boolean {
  const native = (text as { isWellFormed?: () => boolean }).isWellFormed;
  if (native !== undefined) return native.call(text);
  return text.search(LONE_SURROGATE) < 0;
}
