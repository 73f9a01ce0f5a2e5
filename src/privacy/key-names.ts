import { ALNUM, DIGIT, LOWER, UPPER, classOf, runStart } from './char-classes';

/**
 * How much a name says about its value. `password`: any literal is one. `secret`: any literal that is not a plain
 * word. `weak`: only what looks random.
 */
export type KeyClass = 'password' | 'secret' | 'weak';

/** A name that announces a secret. */
export interface SecretKey {
  class: KeyClass;
  /** For the mark: `password`, `secret`, `token`, `api-key`, ... */
  kind: string;
}

const MAX_NAME = 80;

/** Quick test: can the name be one of a secret at all? */
const HINT =
  /pass|pwd|pw$|secret|token|key|auth|cred|jwt|bearer|pat$|cookie|sig|sas|salt|session|mnemonic|seed|pin$|webhook|dsn|licen|kennwort|code$/i;

const PASSWORD_WORDS: ReadonlySet<string> = new Set([
  ...[
    'password',
    'passwd',
    'passwort',
    'kennwort',
    'pwd',
    'pass',
    'passphrase',
    'passcode',
    'pw',
    'pswd',
    'psw',
  ],
  ...['passwords', 'passwords', 'contrasena', 'senha', 'mnemonic', 'requirepass', 'masterauth'],
]);
const PASSWORD_END =
  /(?:password|passwd|passphrase|pwd|userpass|dbpass|authpass|smtppass|rootpass|adminpass)$/;
const SECRET_WORDS: ReadonlySet<string> = new Set([
  'secret',
  'secrets',
  'credential',
  'credentials',
  'creds',
  'pepper',
]);
const SECRET_END = /(?:secret|secretkey|privatekey|masterkey|signingkey|encryptionkey|sharedkey|accountkey)$/;
const TOKEN_WORDS: ReadonlySet<string> = new Set(['token', 'jwt', 'bearer', 'pat', 'authorization']);
const TOKEN_END = /(?:token|jwt)$/;
const KEY_END =
  /(?:apikey|accesskey|authkey|appkey|sharedaccesskey|servicekey|deploykey|licensekey|subscriptionkey)$/;
const WEAK_WORDS: ReadonlySet<string> = new Set([
  'key',
  'auth',
  'cookie',
  'sig',
  'signature',
  'sas',
  'pin',
  'otp',
  'sid',
]);

const KEY_QUALIFIERS: ReadonlySet<string> = new Set([
  ...[
    'api',
    'access',
    'secret',
    'private',
    'encryption',
    'encrypt',
    'decryption',
    'signing',
    'sign',
    'account',
    'auth',
  ],
  ...[
    'master',
    'shared',
    'service',
    'storage',
    'app',
    'application',
    'deploy',
    'cookie',
    'jwt',
    'webhook',
    'license',
  ],
  ...[
    'admin',
    'client',
    'consumer',
    'security',
    'crypto',
    'aes',
    'hmac',
    'rsa',
    'session',
    'subscription',
    'ssh',
  ],
  ...[
    'root',
    'write',
    'send',
    'server',
    'user',
    'functions',
    'function',
    'host',
    'ingestion',
    'ingest',
    'recovery',
  ],
  ...[
    'personal',
    'developer',
    'dev',
    'live',
    'test',
    'integration',
    'bot',
    'gateway',
    'vault',
    'unseal',
    'wallet',
  ],
]);

/** These before `key`, `token` or `secret` make it a name, a place or a number. */
const HARMLESS_QUALIFIERS: ReadonlySet<string> = new Set([
  ...[
    'public',
    'primary',
    'foreign',
    'cache',
    'sort',
    'partition',
    'hash',
    'index',
    'translation',
    'object',
    'map',
  ],
  ...[
    'dict',
    'hot',
    'row',
    'react',
    'idempotency',
    'group',
    'routing',
    'range',
    'lookup',
    'unique',
    'composite',
  ],
  ...[
    'next',
    'page',
    'continuation',
    'cursor',
    'sync',
    'pagination',
    'scroll',
    'resume',
    'skip',
    'start',
    'end',
  ],
  ...[
    'last',
    'max',
    'min',
    'num',
    'total',
    'count',
    'input',
    'output',
    'prompt',
    'completion',
    'stop',
    'eos',
    'bos',
  ],
  ...[
    'pad',
    'special',
    'unk',
    'mask',
    'design',
    'color',
    'theme',
    'syntax',
    'lexer',
    'parser',
    'cancellation',
    'cancel',
  ],
  ...[
    'abort',
    'query',
    'config',
    'locale',
    'message',
    'label',
    'field',
    'column',
    'property',
    'prop',
    'json',
    'sitemap',
  ],
  ...[
    'keyboard',
    'arrow',
    'enter',
    'storage',
    'site',
    'lock',
    'commit',
    'content',
    'sha',
    'fingerprint',
    'thumbprint',
  ],
  ...[
    'file',
    'path',
    'event',
    'metric',
    'tag',
    'i18n',
    'data',
    'no',
    'missing',
    'invalid',
    'wrong',
    'expired',
    'unexpected',
  ],
]);

/** A last word that may follow the telling one: `PASSWORD_PROD`, `token2`, `secretValue`. */
const SUFFIXES: ReadonlySet<string> = new Set([
  ...[
    'prod',
    'production',
    'dev',
    'development',
    'staging',
    'stage',
    'test',
    'testing',
    'live',
    'local',
    'sandbox',
  ],
  ...[
    'new',
    'old',
    'current',
    'previous',
    'default',
    'value',
    'val',
    'string',
    'str',
    'raw',
    'plain',
    'plaintext',
  ],
  ...[
    'b64',
    'base64',
    'hex',
    'encoded',
    'admin',
    'user',
    'root',
    'db',
    'main',
    'primary',
    'secondary',
    'pem',
    'override',
  ],
  ...['confirm', 'confirmation', 'again', 'repeat', 'base', 'eu', 'us', 'ci', 'v1', 'v2', 'a', 'b'],
]);

const MAX_WORDS = 6;

/**
 * The last words of a name, the last one first: `dbPassword`, `DB_PASSWORD`, `db-password`,
 * `spring.datasource.password`, `X-Api-Key`.
 */
export function wordsOf(name: string): string[] {
  const words: string[] = [];
  let end = name.length;
  const floor = Math.max(0, end - MAX_NAME);
  while (end > floor && words.length < MAX_WORDS) {
    if ((classOf(name.charCodeAt(end - 1)) & ALNUM) === 0) {
      end -= 1;
      continue;
    }
    const start = wordStart(name, end, floor);
    words.push(name.slice(start, end).toLowerCase());
    end = start;
  }
  return words;
}

function wordStart(name: string, end: number, floor: number): number {
  const last = classOf(name.charCodeAt(end - 1)) & ALNUM;
  const mask = last === DIGIT ? DIGIT : last === LOWER ? LOWER | DIGIT : UPPER | DIGIT;
  const start = runStart(name, end, mask, floor);
  const capital = last === LOWER && start > floor && (classOf(name.charCodeAt(start - 1)) & UPPER) !== 0;
  return capital ? start - 1 : start;
}

/** What `name` announces, or undefined when it is an ordinary name (`monkey`, `primaryKey`, `maxTokens`). */
export function classifyKey(name: string): SecretKey | undefined {
  if (!HINT.test(name.length > MAX_NAME ? name.slice(-MAX_NAME) : name)) return undefined;
  const words = wordsOf(name);
  let at = 0;
  while (at + 1 < words.length && isSuffix(words[at] as string)) at += 1;
  const last = words[at];
  if (last === undefined) return undefined;
  const before = words[at + 1];
  if (PASSWORD_WORDS.has(last) || PASSWORD_END.test(last)) {
    if (before === 'no' || before === 'max' || before === 'min' || before === 'boarding') return undefined;
    return { class: last === 'pass' && before === undefined ? 'secret' : 'password', kind: 'password' };
  }
  if (before !== undefined && HARMLESS_QUALIFIERS.has(before) && !(before === 'storage' && last === 'key')) {
    return undefined;
  }
  if (last === 'phrase' && (before === 'seed' || before === 'recovery'))
    return { class: 'password', kind: 'password' };
  if (SECRET_WORDS.has(last) || SECRET_END.test(last)) return { class: 'secret', kind: 'secret' };
  if (TOKEN_WORDS.has(last) || TOKEN_END.test(last)) return { class: 'secret', kind: 'token' };
  if (KEY_END.test(last)) return { class: 'secret', kind: 'api-key' };
  if (last === 'key' && before !== undefined && KEY_QUALIFIERS.has(before))
    return { class: 'secret', kind: 'api-key' };
  if (WEAK_WORDS.has(last)) return { class: 'weak', kind: last === 'key' ? 'api-key' : 'credential' };
  return undefined;
}

/**
 * Whether a value under this name in structured data is to go whatever it looks like. Stricter than
 * {@link classifyKey}: a bare `key` or `auth` is not enough.
 */
export function isSecretKey(name: string): SecretKey | undefined {
  if (name.includes('[REDACTED')) return undefined;
  const found = classifyKey(name);
  if (found === undefined || found.class === 'weak') return undefined;
  return found;
}

function isSuffix(word: string): boolean {
  return SUFFIXES.has(word) || /^\d+$/.test(word);
}
