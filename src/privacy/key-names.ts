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

/** Words of a name: `dbPassword`, `DB_PASSWORD`, `db-password`, `spring.datasource.password`, `X-Api-Key`. */
export function wordsOf(name: string): string[] {
  const split = name
    .slice(-MAX_NAME)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d{1,4})$/, '$1 $2');
  return split
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** What `name` announces, or undefined when it is an ordinary name (`monkey`, `primaryKey`, `maxTokens`). */
export function classifyKey(name: string): SecretKey | undefined {
  if (!HINT.test(name.length > MAX_NAME ? name.slice(-MAX_NAME) : name)) return undefined;
  const words = wordsOf(name);
  while (words.length > 1 && isSuffix(words[words.length - 1] as string)) words.pop();
  const last = words[words.length - 1];
  if (last === undefined) return undefined;
  const before = words[words.length - 2];
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
  const found = classifyKey(name);
  if (found === undefined || found.class === 'weak') return undefined;
  return found;
}

function isSuffix(word: string): boolean {
  return SUFFIXES.has(word) || /^\d+$/.test(word);
}
