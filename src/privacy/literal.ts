import { isPlaceholder, looksRandom, shapeOf } from './entropy';
import type { SecretKey } from './key-names';

/** How a value was written next to its name. */
export interface Writing {
  /** In quotes, or between two tags. */
  quoted: boolean;
  /** `=` without spaces around it, as in `.env` files, shells and query strings. */
  tight: boolean;
  /** The name begins its line and the value ends it. */
  ownLine: boolean;
  /** `=`, not `:`. */
  equals: boolean;
  /** The name is in capitals, as environment variables are. */
  upperKey: boolean;
  /** Followed by `;` or `,`: a statement or member of some program text. */
  statement: boolean;
  /** In the query of a URL, or in a form. */
  query: boolean;
  /** After `==`, `!=`. */
  comparison: boolean;
}

const REFERENCE =
  /^(?:\$[A-Za-z_{(]|\$$|%[A-Za-z_]+%|\{\{|<[^>]{0,80}>?$|\[REDACTED|process\.env|os\.(?:environ|getenv)|import\.meta|env[.(:]|secrets?[.:]|vault:|arn:|ref\+|op:\/\/|file:|sops:|kms:|!|@\w+\(|\.{1,2}\/|~\/|\/[\w.-]+\/|[A-Za-z]:\\|https?:\/\/[^@]*$|&\w|\*\w+$|new [A-Z]|await |function|async )/;
const TYPE_WORD =
  /^(?:string|str|number|int(?:eger)?|float|bool(?:ean)?|bytes?|any|object|array|list|dict|map|void|never|unknown|null|nil|none|undefined|true|false|optional|self|this|super|date|uuid|varchar|text|char|return|await|const|let|var|function|def|class|if|else|and|or|not|is|was|for|the|a|an|as|in|on|of|to|from|with|by|at|it|be)(?:\[\]|\?|\|.*)?$/i;
const WORDS_WITH_NUMBER = /^[A-Za-z]+(?:[-_./: ][A-Za-z]+)*[-_.]?(?:v?\d{1,3})?$/;
const IDENTIFIER_PATH = /^[A-Za-z_$]\w*(?:(?:\.|\?\.|->|::|\/)[A-Za-z_$]\w*)*$/;
const ABOUT_PASSWORDS =
  /passw|passphrase|contrase|kennwort|senha|mot de|secret|token|required|invalid|incorrect|wrong|forgot|reset|confirm|enter/i;
const MARK = /\[REDACTED:[\w-]{0,50}\]?/g;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Whether `value`, found under a name of this class, is a secret written out, and not a reference, a type, a
 * label, a placeholder or program text.
 */
export function isSecretLiteral(key: SecretKey, written: string, how: Writing): boolean {
  const value = written.includes('[REDACTED:') ? written.replace(MARK, '') : written;
  if (
    value.length < 3 ||
    (REFERENCE.test(value) && !isKeyMaterial(value)) ||
    TYPE_WORD.test(value) ||
    isPlaceholder(value)
  )
    return false;
  if (!how.quoted && /[({[]|=>|\]$/.test(value) && !(how.tight && how.ownLine)) return false;
  if (key.class === 'weak') return isWeakSecret(value, how);
  const shape = shapeOf(value);
  const letters = shape.uppers + shape.lowers;
  if (letters === 0) return isNumericSecret(key, value, how);
  return key.class === 'password' ? isPassword(value, how) : isOpaque(key, value, how);
}

/** Base64 may begin as a path does. */
function isKeyMaterial(value: string): boolean {
  return /^\/[A-Za-z0-9+/]{30,}={0,2}$/.test(value) && looksRandom(value, 32);
}

function isWeakSecret(value: string, how: Writing): boolean {
  if (how.upperKey && how.equals && /^[0-9a-f]{32,128}$/i.test(value)) return looksRandom(value, 32);
  return !/\s/.test(value) && !UUID.test(value) && !/^[0-9a-f]+$/i.test(value) && looksRandom(value, 20);
}

function isNumericSecret(key: SecretKey, value: string, how: Writing): boolean {
  if (key.class !== 'password') return false;
  if (/^\d+$/.test(value))
    return value.length >= 4 && (how.quoted || how.tight || (how.ownLine && value.length >= 6));
  return /[^\d.,:/\s-]/.test(value) && value.length >= 6;
}

function isPassword(value: string, how: Writing): boolean {
  const plain = /^\p{L}+$/u.test(value);
  if (/\s/.test(value)) {
    if (!how.quoted || ABOUT_PASSWORDS.test(value)) return false;
    return how.equals || /[^\p{L}\s.,;:!?'"()-]/u.test(value.replace(/\b\d{1,3}\b/g, ''));
  }
  if (ABOUT_PASSWORDS.test(value) && WORDS_WITH_NUMBER.test(value) && !how.upperKey) return false;
  if (how.quoted) {
    if (how.comparison && plain) return false;
    if (plain && !how.equals && (!/^[a-z]+$/.test(value) || value.length < 4)) return false;
    if (/^[A-Za-z]+(?:\.[A-Za-z]+)+$/.test(value)) return false;
    return value.length >= 4;
  }
  if (how.comparison) return false;
  if (IDENTIFIER_PATH.test(value) && !/\d/.test(value)) {
    if (how.tight) return (how.ownLine || how.query) && !/[./]/.test(value);
    return how.ownLine && !how.statement && /^[a-z]{4,}$/.test(value);
  }
  if (how.tight) return value.length >= 4;
  if (how.statement && IDENTIFIER_PATH.test(value)) return false;
  if (/^[A-Za-z]+\d{0,2}$/.test(value) && !how.ownLine && value.length < 6) return false;
  return /\d|[^\w.,:;/-]/.test(value) && value.length >= 5;
}

function isOpaque(key: SecretKey, value: string, how: Writing): boolean {
  if (value.length < 6 || /\s/.test(value) || how.comparison) return false;
  const hasDigit = /\d/.test(value);
  if (WORDS_WITH_NUMBER.test(value)) {
    if (looksRandom(value, 24)) return true;
    const env = how.equals && how.upperKey && (how.quoted || (how.tight && how.ownLine));
    return env && key.kind !== 'token' && value.length >= 8 && !IDENTIFIER_WITH_PARTS.test(value);
  }
  if (!hasDigit) return value.length >= 12 && /[^\w.:/-]/.test(value) && !/[({<]/.test(value);
  if (how.query) return value.length >= 8;
  if (how.quoted || how.tight) {
    if (IDENTIFIER_PATH.test(value) && /[./]/.test(value) && !looksRandom(value, 20)) return false;
    if (how.tight && !how.quoted && !how.ownLine && IDENTIFIER_PATH.test(value))
      return looksRandom(value, 12);
    return value.length >= 8;
  }
  if (how.ownLine && !how.statement && /^[A-Za-z0-9]{20,}$/.test(value))
    return shapeOf(value).letterDigits >= 3;
  if (IDENTIFIER_PATH.test(value)) return looksRandom(value, how.ownLine && !how.statement ? 10 : 16);
  return value.length >= 8;
}

const IDENTIFIER_WITH_PARTS = /[a-z][A-Z]|[._/:]/;
