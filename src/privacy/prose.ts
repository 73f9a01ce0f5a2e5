import type { SecretSpan } from './assignment';
import { LOWER, UPPER, classOf } from './char-classes';
import { isPlaceholder, looksRandom, oddShare, shapeOf, type Shape } from './entropy';

const WINDOW = 120;
const WORDS_AHEAD = 10;

const ANNOUNCING: ReadonlySet<string> = new Set([
  ...[
    'password',
    'passwords',
    'passphrase',
    'passcode',
    'passwd',
    'pwd',
    'pw',
    'secret',
    'token',
    'credential',
  ],
  ...['credentials', 'creds', 'key', 'bearer', 'login', 'logins'],
  ...['passwort', 'passworte', 'passwörter', 'kennwort', 'kennwörter', 'zugangsdaten', 'anmeldedaten'],
]);
const NOT_PASSWORDS: ReadonlySet<string> = new Set(['token', 'key', 'bearer']);
const LINK =
  /^(?:is|was|now|to|as|=|:|->|→|are|still|just|simply|currently|being|ist|sind|war|lautet|lauten|nun|jetzt|heißt|heisst|hier)$/i;
/** Parts a user's name from the password that follows: `the login is demo / …`. */
const PAIRED = /^[/|:,+&]$|^(?:and|und|with|mit)$/i;
const ALGORITHM =
  /^(?:base(?:32|58|64)|sha-?\d+|md5|utf-?8|utf-?16|bcrypt\w*|argon2\w*|pbkdf2|scrypt|aes-?\d*|x509|oauth2?|step-?\d+|es\d+|ipv[46])(?:[-_].*)?$/i;
const OPENING = '("\'`[{<*_';
const CLOSING = ')"\'`]}>*_,;:.!?';
const LONGEST_ANNOUNCING = 12;
const LONGEST_LINK = 9;
const HARMLESS =
  /^(?:https?:|[.~]?\/|[A-Za-z]:\\|\$|%|\{|<|#|@|--?[a-z]|v?\d+(?:\.\d+)+|\d{4}-\d\d|\[REDACTED|[\w.+-]+@[\w-]+\.\w+$|[0-9a-f]{8}-[0-9a-f]{4}-|sha\d|mr_|sess_|tooluse_|prompt_)|\.(?:[jt]sx?|json|ya?ml|py|md|go|rs|env|toml|txt|sh|sql|java|rb|php|html|css|pem|crt)\b|[/\\].*[/\\]|\(|::|=>|["'][,:]/i;

const FIRST_LETTERS: Uint8Array = firstLetters([...ANNOUNCING, 'bearer', 'basic', 'by']);

function firstLetters(words: readonly string[]): Uint8Array {
  const table = new Uint8Array(32 * 32);
  for (const word of words) table[(word.charCodeAt(0) & 31) * 32 + (word.charCodeAt(1) & 31)] = 1;
  return table;
}

/** Whether `word` in running text announces a secret: `the password is ...`, `use token ...`. */
export function announces(word: string): boolean {
  return word.length <= LONGEST_ANNOUNCING && word.length >= 2 && ANNOUNCING.has(word.toLowerCase());
}

/** Quick look at its first two letters: whether the word at `at` can announce a secret, or name a scheme. */
export function mayAnnounce(text: string, at: number): boolean {
  return FIRST_LETTERS[(text.charCodeAt(at) & 31) * 32 + (text.charCodeAt(at + 1) & 31)] === 1;
}

/**
 * The secret that running text names after an announcing `word`, which ends at `end`, within its line, ten words and
 * 120 characters, and before the next announcing word.
 */
export function readProse(text: string, word: string, end: number): SecretSpan | undefined {
  const passwordLike = !NOT_PASSWORDS.has(word);
  const limit = Math.min(text.length, end + WINDOW);
  let at = end;
  let linked = false;
  let told = false;
  for (let count = 0; count < WORDS_AHEAD; count += 1) {
    while (at < limit && isGap(text.charCodeAt(at))) at += 1;
    const next = nextWord(text, at, limit);
    if (next.end === at || (next.end === limit && limit < text.length)) return undefined;
    const from = at;
    at = next.end;
    if (next.plain) {
      if (isLink(text, from, at)) linked = told = true;
      else if (mayAnnounce(text, from) && at - from <= LONGEST_ANNOUNCING && announces(text.slice(from, at)))
        return undefined;
      else linked = false;
      continue;
    }
    const raw = text.slice(from, at);
    if (LINK.test(raw) || (told && count > 0 && PAIRED.test(raw))) {
      linked = told = true;
      continue;
    }
    const bare = trimEdges(raw);
    if (bare.includes('[REDACTED') || raw.startsWith('[REDACTED')) return undefined;
    if (isNamedSecret(bare, raw, { passwordLike, sure: count === 0 || linked, linked })) {
      return spanOf(from, raw, bare, passwordLike && linked);
    }
    if (announces(bare) || '.!?'.includes(raw.charAt(raw.length - 1))) return undefined;
    linked = false;
  }
  return undefined;
}

interface Word {
  end: number;
  /** Letters alone: it can be no secret. */
  plain: boolean;
}

function nextWord(text: string, from: number, limit: number): Word {
  let plain = true;
  let end = from;
  for (; end < limit; end += 1) {
    const code = text.charCodeAt(end);
    if (isGap(code) || isLineEnd(code)) break;
    if ((classOf(code) & (UPPER | LOWER)) === 0) plain = false;
  }
  return { end, plain: plain && end - from < 24 };
}

function isLink(text: string, start: number, end: number): boolean {
  return (
    end - start <= LONGEST_LINK &&
    'iwntasjcblh'.includes(text.charAt(start).toLowerCase()) &&
    LINK.test(text.slice(start, end))
  );
}

function trimEdges(raw: string): string {
  let start = 0;
  let end = raw.length;
  while (start < end && OPENING.includes(raw.charAt(start))) start += 1;
  while (end > start && CLOSING.includes(raw.charAt(end - 1))) end -= 1;
  return raw.slice(start, end);
}

interface Saying {
  passwordLike: boolean;
  /** Directly after the word or a linking one. */
  sure: boolean;
  linked: boolean;
}

function isNamedSecret(bare: string, raw: string, saying: Saying): boolean {
  if (bare.length < 4 || HARMLESS.test(bare) || isPlaceholder(bare)) return false;
  if (bare.length >= 16 && looksRandom(bare)) return true;
  if (!saying.passwordLike) return saying.sure && looksRandom(bare, 12);
  const shape = shapeOf(bare);
  const letters = shape.uppers + shape.lowers;
  const symbols = /[!@#$%^&*+=~?]/.test(bare) || (saying.sure && /[!?]$/.test(raw));
  if (/^["'`].*["'`][.,;:!?)]*$/.test(raw) && saying.sure) {
    if (saying.linked)
      return !/^\p{Lu}/u.test(bare) && !/^(?:string|null|empty|undefined|hashed)$/.test(bare);
    return bare.length >= 6 && letters > 0 && (shape.digits > 0 || symbols || isMixed(shape));
  }
  if (letters === 0 || bare.length < 6 || !saying.sure)
    return bare.length >= 8 && symbols && isMixed(shape) && shape.digits > 0;
  if (symbols && bare.length >= 8 && (shape.digits > 0 || isMixed(shape))) return true;
  if (shape.digits === 0)
    return saying.linked && bare.length >= 10 && isMixed(shape) && oddShare(shape) >= 0.2;
  if (saying.linked) return !ALGORITHM.test(bare);
  return bare.length >= 8 && shape.pieces >= 4;
}

function isMixed(shape: Shape): boolean {
  return shape.uppers > 0 && shape.lowers > 0;
}

function spanOf(from: number, raw: string, bare: string, whole: boolean): SecretSpan {
  const start = from + raw.indexOf(bare);
  // A closing `!` may be part of the password; taking it too costs nothing.
  const end = whole && /[!?]$/.test(raw) ? from + raw.length : start + bare.length;
  return { start, end, kind: 'password' };
}

function isGap(code: number): boolean {
  return code === 32 || code === 9;
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}
