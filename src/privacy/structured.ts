import type { SecretSpan } from './assignment';
import {
  BASE64_ANY,
  DIGIT,
  DOT,
  HEX,
  UPPER,
  URL_SAFE,
  WORD,
  runEnd,
  runStart,
  classOf,
} from './char-classes';
import { isPlaceholder, shapeOf } from './entropy';
import { MAX_TOKEN } from './secret-patterns';

const KEY_BLOCK =
  /-{4,5} ?BEGIN [A-Z0-9 ]{0,32}(?:PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1|STATIC KEY) ?-{4,5}/iy;
const KEY_END = /-{4,5} ?END [A-Za-z0-9 ]{0,48}-{4,5}/y;
const KEY_BODY_LIMIT = 64 * 1024;

/**
 * A private key in PEM or the like whose dashes begin at `at`: header, body and footer as one, also with escaped line
 * ends, also cut off before its footer.
 */
export function readKeyBlock(text: string, at: number): SecretSpan | undefined {
  KEY_BLOCK.lastIndex = at;
  if (!KEY_BLOCK.test(text)) return undefined;
  const limit = Math.min(text.length, KEY_BLOCK.lastIndex + KEY_BODY_LIMIT);
  let end = KEY_BLOCK.lastIndex;
  for (let i = end; i < limit; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 45 && text.charCodeAt(i + 1) === 45) {
      KEY_END.lastIndex = i;
      if (KEY_END.test(text)) return { start: at, end: KEY_END.lastIndex, kind: 'private-key' };
      if (text.charCodeAt(i + 2) === 45 && text.charCodeAt(i + 3) === 45) break;
    }
    if (code >= 128 || KEY_CHARACTERS[code] !== 1) break;
    end = i + 1;
  }
  return { start: at, end: withoutProse(text, KEY_BLOCK.lastIndex, end), kind: 'private-key' };
}

// Base64, white space, escapes and joins of program text, and header lines (`Proc-Type: 4,ENCRYPTED`).
const KEY_CHARACTERS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  code <= 32 || /[\w+/=.\\"'`,:;()>|*#-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const LONGEST_GAP = 80;
const SHORTEST_LINE = 24;
const KEY_HEADER = /(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]{0,80}/y;
const LAST_LINE = /(?:\\n|\\r|[\r\n ])+[A-Za-z0-9+/]{1,63}={0,2}(?=$|[\r\n"'`\\])/y;

/** An unclosed key ends at its last line that looks like base64, not at the end of the prose after it. */
function withoutProse(text: string, from: number, to: number): number {
  let end = from;
  for (let at = from; at < to && at - end <= LONGEST_GAP;) {
    if ((classOf(text.charCodeAt(at)) & BASE64_ANY) === 0) {
      at += 1;
      continue;
    }
    KEY_HEADER.lastIndex = at;
    const run = KEY_HEADER.test(text) ? KEY_HEADER.lastIndex : runEnd(text, at, BASE64_ANY, to);
    if (run - at >= SHORTEST_LINE || text.charCodeAt(run - 1) === 61) end = run;
    at = run;
  }
  // The last line of a key is shorter than the others.
  LAST_LINE.lastIndex = end;
  return end > from && LAST_LINE.test(text) ? LAST_LINE.lastIndex : end;
}

/** A JSON Web Token (signed, unsigned or encrypted) that begins at `at`. */
export function readJwt(text: string, at: number, headerEnd: number): SecretSpan | undefined {
  if (headerEnd - at < 10 || text.charCodeAt(headerEnd) !== 46) return undefined;
  const limit = Math.min(text.length, at + MAX_TOKEN);
  let end = runEnd(text, headerEnd + 1, URL_SAFE, limit);
  if (end - headerEnd < 9 && text.charCodeAt(end) !== 46) return undefined;
  for (let part = 0; part < 3 && text.charCodeAt(end) === 46; part += 1) {
    const next = runEnd(text, end + 1, URL_SAFE, limit);
    if (next === end + 1 && part > 0) break;
    end = next;
  }
  return { start: at, end, kind: 'jwt' };
}

const USER_INFO = /:\/\/([^\s:/?#@"'`<>\\]{0,128}):([^\s"'`<>\\]{1,384})/y;
const TOKEN_INFO = /:\/\/([^\s:/?#@"'`<>\\]{16,256})@(?=\w)/y;

/** The password of a URL whose `://` begins at `at`. */
export function readUrlCredentials(text: string, at: number): SecretSpan | undefined {
  USER_INFO.lastIndex = at;
  const hit = USER_INFO.exec(text);
  const password = hit === null ? undefined : passwordBefore(hit[2] as string);
  if (hit !== null && password !== undefined) {
    if (isReference(password)) return undefined;
    const start = at + 3 + (hit[1] as string).length + 1;
    return { start, end: start + password.length, kind: 'url-password' };
  }
  TOKEN_INFO.lastIndex = at;
  const single = TOKEN_INFO.exec(text);
  if (single === null) return undefined;
  const user = single[1] as string;
  const shape = shapeOf(user);
  if (isReference(user) || shape.digits < 3 || shape.pieces < 6) return undefined;
  return { start: at + 3, end: at + 3 + user.length, kind: 'url-token' };
}

/** The part of `rest` up to the `@` before the host; a password may hold `@`, or an unescaped `/`. */
function passwordBefore(rest: string): string | undefined {
  const path = rest.search(/[/?#]/);
  const authority = path < 0 ? rest : rest.slice(0, path);
  const last = authority.lastIndexOf('@');
  if (last > 0 && last < authority.length - 1) {
    // `p@ss/word@db:5432`: what looks like a host is a part of the password when a host with a port follows.
    const later = /[.:]/.test(authority.slice(last))
      ? -1
      : rest.slice(last + 1).search(/@[\w.-]{1,128}:\d{2,5}(?:\/|$)/);
    return rest.slice(0, later < 0 ? last : last + 1 + later);
  }
  const first = rest.search(/@[\w[$-]/);
  // `host:8080/path@2x.png` has no credentials.
  return first <= 0 || /^\d{0,5}[/?#]/.test(rest) ? undefined : rest.slice(0, first);
}

function isReference(value: string): boolean {
  return (
    /^(?:\$|%[A-Za-z_]+%|\{|<|\[REDACTED|\*+$|x+$|\.{3})/.test(value) ||
    /^(?:pass(?:word)?|pw|pwd|secret|token|user)$/i.test(value) ||
    isPlaceholder(value)
  );
}

const TELEGRAM = /:AA[\w-]{32,36}(?![\w-])/y;
const PGPASS = /:[\w*-]{1,64}:[\w*.-]{1,64}:([^\s:"'/\\]{4,128})(?=$|[\s"'\\])/my;
const ASANA = /:[0-9a-f]{32}(?![0-9a-f])/y;
const MAILCHIMP = /-us\d{1,2}(?!\w)/y;
const TERRAFORM = /\.atlasv1\.[\w=-]{40,80}/y;
const AZURE = /~[\w~.-]{30,40}/y;
const DISCORD = /\.[\w-]{6,7}\.[\w-]{27,40}(?![\w-])/y;

/** Formats that are told by what follows a word: bot tokens, keys with a data centre at the end, `.pgpass` lines. */
export function readByTail(text: string, start: number, end: number): SecretSpan | undefined {
  const length = end - start;
  const next = text.charCodeAt(end);
  if (next === 58 && length >= 4 && length <= 20) {
    if (runEnd(text, start, DIGIT, end) !== end) return undefined;
    if (length >= 8 && length <= 11 && text.charCodeAt(end + 1) === 65 && test(TELEGRAM, text, end))
      return span(start, TELEGRAM.lastIndex, 'telegram-token');
    if (length >= 15 && test(ASANA, text, end)) return span(start, ASANA.lastIndex, 'asana-token');
    if (length <= 5 && text.charCodeAt(start - 1) === 58) {
      PGPASS.lastIndex = end;
      const hit = PGPASS.exec(text);
      if (hit !== null)
        return span(PGPASS.lastIndex - (hit[1] as string).length, PGPASS.lastIndex, 'password');
    }
    return undefined;
  }
  if (next === 45 && length === 32 && runEnd(text, start, HEX, end) === end && test(MAILCHIMP, text, end)) {
    return span(start, MAILCHIMP.lastIndex, 'mailchimp-key');
  }
  if (next === 46 && length >= 12 && length <= 16 && test(TERRAFORM, text, end)) {
    return span(start, TERRAFORM.lastIndex, 'terraform-token');
  }
  if (next === 46 && length >= 20 && length <= 30 && (classOf(text.charCodeAt(start)) & UPPER) !== 0) {
    return test(DISCORD, text, end) ? span(start, DISCORD.lastIndex, 'discord-token') : undefined;
  }
  if (next === 126 && text.charCodeAt(end - 1) === 81 && test(AZURE, text, end)) {
    return span(
      Math.max(runStart(text, end, WORD | DOT, end - 5), 0),
      AZURE.lastIndex,
      'azure-client-secret',
    );
  }
  return undefined;
}

const BEARER = /\s{1,4}([\w.~+/=:-]{8,8192})/y;

/** What follows `Bearer` or `Basic`, when it is a credential and not the next word of a sentence. */
export function readScheme(text: string, start: number, end: number): SecretSpan | undefined {
  BEARER.lastIndex = end;
  const hit = BEARER.exec(text);
  if (hit === null) return undefined;
  const value = (hit[1] as string).replace(/[.:]+$/, '');
  const from = BEARER.lastIndex - (hit[1] as string).length;
  const basic = end - start === 5;
  if (isPlaceholder(value)) return undefined;
  if (basic) return isBasicPair(value) ? span(from, from + value.length, 'basic-auth') : undefined;
  const shape = shapeOf(value);
  const wordy = shape.digits === 0 && (shape.uppers === 0 || shape.length < 24);
  if (wordy || shape.lowers + shape.uppers === 0) return undefined;
  if (shape.length < 20 && shape.pieces < 4 && shape.digits < 3) return undefined;
  return span(from, from + value.length, 'bearer-token');
}

/** Whether `value` is base64 of `user:password`. */
export function isBasicPair(value: string): boolean {
  if (value.length < 8 || value.length > 1024 || !/^[\w+/-]+={0,2}$/.test(value)) return false;
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e\xa0-\xff]*:[\x20-\x7e\xa0-\xff]+$/.test(decoded);
}

const CURL_USER = /[ =]?["']?[\w.@%+-]{1,64}:([^\s"'\\]{4,128})/y;
const GLUED = /([^\s"'\\-][^\s"'\\]{3,64})/y;

/** Passwords in short flags: `curl -u user:pw`, `mysql -ppw`, `sshpass -p pw`, `redis-cli -a pw`. */
export function readShortFlag(text: string, start: number, end: number): SecretSpan | undefined {
  const letter = text.charCodeAt(start);
  const length = end - start;
  if (letter === 117) {
    if (length !== 1 && !(length === 4 && text.startsWith('user', start))) return undefined;
    return after(text, start, /\b(?:curl|http|https|wget|xh)\b/, valueOf(CURL_USER, text, end));
  }
  if (letter === 112 && length > 3) {
    return after(
      text,
      start,
      /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]*$/,
      valueOf(GLUED, text, start + 1),
    );
  }
  if (length !== 1 || text.charCodeAt(end) !== 32) return undefined;
  const quote = text.charCodeAt(end + 1) === 39 || text.charCodeAt(end + 1) === 34 ? 1 : 0;
  const commands =
    letter === 112 ? /\b(?:sshpass|docker login|7z|zip|unzip|htpasswd)\b[^\n|;]*$/ : /\bredis-cli\b[^\n|;]*$/;
  return after(text, start, commands, valueOf(GLUED, text, end + 1 + quote));
}

function after(
  text: string,
  start: number,
  command: RegExp,
  found: SecretSpan | undefined,
): SecretSpan | undefined {
  if (found === undefined) return undefined;
  return command.test(text.slice(Math.max(0, start - 96), start)) ? found : undefined;
}

function valueOf(pattern: RegExp, text: string, at: number): SecretSpan | undefined {
  pattern.lastIndex = at;
  const hit = pattern.exec(text);
  if (hit === null) return undefined;
  const value = hit[1] as string;
  if (/^\d+$/.test(value) || isReference(value)) return undefined;
  return span(pattern.lastIndex - value.length, pattern.lastIndex, 'password');
}

function test(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function span(start: number, end: number, kind: string): SecretSpan {
  return { start, end, kind };
}
