import type { SecretSpan } from './assignment';
import { BASE64, EQUALS, URL_SAFE, runEnd, runStart } from './char-classes';
import { entropy, oddShare, shapeOf } from './entropy';

const CHUNK = BASE64 | URL_SAFE;
const MIN = 32;
const MAX = 128;
const BEFORE = 56;

const HARMLESS_NEAR =
  /sha-?\d|hash|integrity|checksum|digest|etag|nonce|commit|fingerprint|pub(?:lic)?[_ -]?key|cert|ssh-|ecdsa|ed25519|signature|cursor|image|img|font|base64|mappings|h1:|resolved|version|uuid|guid|ids?\b|revision|\bcid\b|address|tx\b|ref\b|blob|content|thumb|build|cache|bundle|chunk|query|urn:|data:|https?:|@/i;

/**
 * A string that looks drawn at random although nothing names it: long, of both cases and digits, standing alone.
 * `from` is inside it. Content hashes, public keys, ids, encoded text and parts of paths or larger blobs are left.
 */
export function readBareToken(text: string, from: number, floor: number): { span?: SecretSpan; end: number } {
  const start = runStart(text, from, CHUNK, Math.max(floor, from - MAX));
  const end = runEnd(text, runEnd(text, from, CHUNK, text.length), EQUALS, text.length);
  const length = end - start;
  if (length < MIN || length > MAX || !standsAlone(text, start, end)) return { end };
  const token = text.slice(start, end);
  if (!isDrawn(token) || HARMLESS_NEAR.test(lineBefore(text, start)) || isEncodedText(token)) return { end };
  return { span: { start, end, kind: 'high-entropy' }, end };
}

function standsAlone(text: string, start: number, end: number): boolean {
  const before = start === 0 ? '\n' : (text[start - 1] as string);
  if (!' \t\n\r"\'`=:(>[{'.includes(before)) return false;
  const after = end >= text.length ? '\n' : (text[end] as string);
  if (' \t\n\r"\'`;)<]}\\'.includes(after)) return !isBlockLine(text, start, end);
  return (
    (after === '.' || after === ',' || after === '!' || after === '?') && !/[\w]/.test(text[end + 1] ?? '')
  );
}

/** A full line of 57 to 80 characters is a line of some encoded block. */
function isBlockLine(text: string, start: number, end: number): boolean {
  if (end - start < 57 || end - start > 80) return false;
  return (
    (start === 0 || '\n\r \t'.includes(text[start - 1] as string)) && '\n\r\\'.includes(text[end] ?? '\n')
  );
}

function isDrawn(token: string): boolean {
  const shape = shapeOf(token);
  if (shape.uppers < 4 || shape.lowers < 4 || shape.digits < 3) return false;
  if (token.startsWith('MII') || token.startsWith('AAAA') || shape.others > token.length / 8) return false;
  return oddShare(shape) >= 0.25 && entropy(token) >= 4.2;
}

function lineBefore(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - BEFORE), start);
  const line = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
  return before.slice(line + 1);
}

function isEncodedText(token: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(token)) return false;
  const decoded = Buffer.from(token, 'base64');
  let printable = 0;
  for (const byte of decoded)
    if ((byte >= 0x20 && byte < 0x7f) || byte === 10 || byte === 13 || byte === 9) printable += 1;
  return printable >= decoded.length * 0.95;
}
