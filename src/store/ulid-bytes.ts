import { createHash } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const VALUES = new Map([...CROCKFORD].map((char, value) => [char, value]));
const ULID_CHARS = 26;
const RECORD_PREFIX = 'mr_';

/** The 16 bytes of a ULID. @throws RangeError where the text is not one. */
export function ulidToBytes(ulid: string): Uint8Array {
  if (ulid.length !== ULID_CHARS) throw new RangeError('not a ULID');
  const bytes = new Uint8Array(16);
  // 26 characters of five bits are 130 bits: the first carries three.
  let buffer = 0;
  let bits = -2;
  let at = 0;
  for (let i = 0; i < ULID_CHARS; i++) {
    const value = VALUES.get(ulid.charAt(i));
    if (value === undefined || (i === 0 && value > 7)) throw new RangeError('not a ULID');
    buffer = ((buffer << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (buffer >> bits) & 0xff;
    }
  }
  return bytes;
}

/** The ULID of 16 bytes. */
export function bytesToUlid(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 2;
  for (let i = 0; i < 16; i++) {
    buffer = ((buffer << 8) | (bytes[i] ?? 0)) & 0x1fff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += CROCKFORD.charAt((buffer >> bits) & 31);
    }
  }
  return text;
}

/** The 16 bytes of a record's id (`mr_` and a ULID). @throws RangeError where the text is not one. */
export function recordIdToBytes(recordId: string): Uint8Array {
  if (!recordId.startsWith(RECORD_PREFIX)) throw new RangeError('not a record id');
  return ulidToBytes(recordId.slice(RECORD_PREFIX.length));
}

export function bytesToRecordId(bytes: Uint8Array): string {
  return RECORD_PREFIX + bytesToUlid(bytes);
}

/** Sixteen bytes that stand for a text of any length. */
export function digest16(text: string): Uint8Array {
  return createHash('sha256').update(text).digest().subarray(0, 16);
}

/** An id as the image keeps it: 16 bytes where it is a ULID, else its text. */
export function packId(id: string): Uint8Array | string {
  try {
    return ulidToBytes(id);
  } catch {
    return id;
  }
}

export function unpackId(stored: unknown): string {
  return stored instanceof Uint8Array ? bytesToUlid(stored) : String(stored);
}
