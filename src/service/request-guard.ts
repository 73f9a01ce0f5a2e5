import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const KEY_HEADER = 'x-kiro-learn-key';
export const CHALLENGE_HEADER = 'x-kiro-learn-challenge';

const ownHosts: ReadonlySet<string> = new Set(['localhost', 'kiro-learn']);

/**
 * Status with which a request is refused before anything is answered, or undefined where it may pass. The key
 * comes first, compared in constant time; a browser is refused whatever it knows (`Origin`, foreign `Host`).
 */
export function refusal(request: IncomingMessage, key: string): 401 | 403 | undefined {
  if (!sameSecret(headerOf(request, KEY_HEADER), key)) return 401;
  if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined) return 403;
  return ownHosts.has(request.headers.host ?? '') ? undefined : 403;
}

export function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

/** Compares in a time that depends on neither content nor length. */
export function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted)) && given.length === wanted.length;
}

/** What a server answers to a challenge: only one that holds the key can. Says nothing about the key itself. */
export function proofOf(key: string, challenge: string): string {
  return createHmac('sha256', key).update(`kiro-learn server ${challenge}`).digest('hex');
}
