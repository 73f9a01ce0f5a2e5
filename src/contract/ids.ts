import { createHash } from 'node:crypto';
import { encodeTime } from 'ulid';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A ULID whose time part is `timeMs` and whose 80 random bits are the head of SHA-256 over `identity`, so
 * that the same source record gets the same id wherever and whenever it is read.
 */
export function deterministicUlid(timeMs: number, identity: string): string {
  const digest = createHash('sha256').update(identity).digest();
  let bits = 0n;
  for (let i = 0; i < 10; i++) bits = (bits << 8n) | BigInt(digest[i] ?? 0);
  let tail = '';
  for (let i = 0; i < 16; i++) {
    tail = CROCKFORD.charAt(Number(bits & 31n)) + tail;
    bits >>= 5n;
  }
  return encodeTime(Math.max(0, Math.trunc(timeMs)), 10) + tail;
}

/** `mr_` and a deterministic ULID. `identity` must name the namespace and what was learned. */
export function recordId(timeMs: number, identity: string): string {
  return `mr_${deterministicUlid(timeMs, identity)}`;
}
