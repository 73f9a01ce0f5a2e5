import type { SecretSpan } from './assignment';
import { isPlaceholder, looksRandom, shapeOf } from './entropy';

const WINDOW = 120;
const WORDS_AHEAD = 7;

const ANNOUNCING =
  /^(?:passwords?|passphrase|passcode|passwd|pwd|pw|secret|token|credentials?|creds|key|bearer|login)$/i;
const PASSWORD_LIKE = /^(?:password|passphrase|passcode|passwd|pwd|pw|credentials?|creds|login|secret)$/i;
const LINK = /^(?:is|was|now|to|as|=|:|->|→|are|still|just|simply|currently|being)$/i;
const EDGES = /^[("'`[{<*_]+|[)"'`\]}>*_,;:.!?]+$/g;
const HARMLESS =
  /^(?:https?:|[.~]?\/|[A-Za-z]:\\|\$|%|\{|<|#|@|--?[a-z]|v?\d+(?:\.\d+)+|\d{4}-\d\d|\[REDACTED|[\w.+-]+@[\w-]+\.\w+$|[0-9a-f]{8}-[0-9a-f]{4}-|sha\d|mr_|sess_|tooluse_|prompt_)|\.(?:[jt]sx?|json|ya?ml|py|md|go|rs|env|toml|txt|sh|sql|java|rb|php|html|css|pem|crt)\b|[/\\].*[/\\]|\(|::|=>/i;

/** Whether `word` in running text announces a secret: `the password is ...`, `use token ...`. */
export function announces(word: string): boolean {
  return word.length <= 11 && word.length >= 2 && ANNOUNCING.test(word);
}

/**
 * The secret that running text names after an announcing word (`text[start, end)`), within its line, seven words and
 * 120 characters, and before the next announcing word.
 */
export function readProse(text: string, start: number, end: number): SecretSpan | undefined {
  const passwordLike = PASSWORD_LIKE.test(text.slice(start, end));
  const limit = Math.min(text.length, end + WINDOW);
  let at = end;
  let linked = false;
  for (let count = 0; count < WORDS_AHEAD; count += 1) {
    while (at < limit && isGap(text.charCodeAt(at))) at += 1;
    const from = at;
    while (at < limit && !isGap(text.charCodeAt(at)) && !isLineEnd(text.charCodeAt(at))) at += 1;
    if (at === from || (at === limit && limit < text.length)) return undefined;
    const raw = text.slice(from, at);
    if (LINK.test(raw)) {
      linked = true;
      continue;
    }
    const bare = raw.replace(EDGES, '');
    if (bare.includes('[REDACTED')) return undefined;
    const sure = count === 0 || linked;
    if (isNamedSecret(bare, raw, { passwordLike, sure, linked })) {
      return spanOf(text, from, at, raw, bare, passwordLike && linked);
    }
    if (announces(bare) || /[.!?]$/.test(raw)) return undefined;
    linked = false;
  }
  return undefined;
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
  const quoted = /^["'`].*["'`][.,;:!?)]*$/.test(raw);
  if (quoted && saying.linked)
    return !/^\p{Lu}/u.test(bare) && !/^(?:string|null|empty|undefined|hashed)$/.test(bare);
  const shape = shapeOf(bare);
  const mixed = shape.digits > 0 && shape.uppers + shape.lowers > 0;
  if (!mixed || bare.length < 6) return false;
  const symbols = /[!@#$%^&*+=~?]/.test(bare) || /[!@#$%^&*+=~?]/.test(raw.slice(-1));
  if (bare.length >= 8 && symbols && saying.sure) return true;
  if (bare.length >= 8 && shape.uppers > 0 && shape.lowers > 0 && shape.others > 0 && shape.pieces >= 4)
    return true;
  if (!saying.linked) return bare.length >= 8 && saying.sure && shape.pieces >= 4 && shape.others === 0;
  return !/^[A-Za-z]*\d{1,2}$/.test(bare) || bare.length >= 8;
}

function spanOf(
  text: string,
  from: number,
  to: number,
  raw: string,
  bare: string,
  whole: boolean,
): SecretSpan {
  const lead = raw.indexOf(bare);
  // A closing `!` may be part of the password; taking it too costs nothing.
  const end = whole && /[!?]$/.test(text.slice(from, to)) ? to : from + lead + bare.length;
  return { start: from + lead, end, kind: 'password' };
}

function isGap(code: number): boolean {
  return code === 32 || code === 9;
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}
