import { ALPHABET as A, SeededRandom } from './random';

/** A text with one secret planted in it. */
export interface SecretCase {
  kind: string;
  /** Where its format is from: the vendor's page, or a public scanner's rule, altered. */
  source: 'vendor' | 'public-rule';
  text: string;
  /** None of these may be left. */
  probes: string[];
}

type Make = (r: SeededRandom) => string;
interface Format {
  kind: string;
  make: Make;
}

/** Prefixes are joined at run time: no token in this file looks live. */
const p = (...parts: string[]): string => parts.join('');
const of = (kind: string, prefix: string, alphabet: string, count: number, tail = ''): Format => ({
  kind,
  make: (r) => prefix + r.chars(alphabet, count) + tail,
});

const PREFIXED: readonly Format[] = [
  of('aws-access-key-id', p('AK', 'IA'), A.base32, 16),
  of('aws-temporary-key-id', p('AS', 'IA'), A.base32, 16),
  of('github-classic', p('gh', 'p_'), A.alnum, 36),
  of('github-oauth', p('gh', 'o_'), A.alnum, 36),
  of('github-app', p('gh', 's_'), A.alnum, 36),
  {
    kind: 'github-fine',
    make: (r) => p('github', '_pat_') + r.chars(A.alnum, 22) + '_' + r.chars(A.alnum, 59),
  },
  of('gitlab-pat', p('gl', 'pat-'), A.url, 20),
  of('gitlab-runner', p('gl', 'rt-'), A.url, 20),
  of('npm', p('np', 'm_'), A.alnum, 36),
  of('pypi', p('py', 'pi-AgEIcHlwaS5vcmc'), A.url, 70),
  of('rubygems', p('ruby', 'gems_'), A.hex, 48),
  of('docker', p('dckr', '_pat_'), A.url, 27),
  {
    kind: 'slack-bot',
    make: (r) =>
      p('xo', 'xb-') + r.chars(A.digits, 12) + '-' + r.chars(A.digits, 13) + '-' + r.chars(A.alnum, 24),
  },
  {
    kind: 'slack-app',
    make: (r) =>
      p('xa', 'pp-1-A') + r.chars(A.upper, 10) + '-' + r.chars(A.digits, 13) + '-' + r.chars(A.hex, 64),
  },
  {
    kind: 'slack-webhook',
    make: (r) =>
      `https://${p('hooks.sl', 'ack.com')}/services/T${r.chars(A.upper, 10)}/B${r.chars(A.upper, 10)}/${r.chars(A.alnum, 24)}`,
  },
  {
    kind: 'discord-webhook',
    make: (r) =>
      `https://${p('disc', 'ord.com')}/api/webhooks/${r.chars(A.digits, 18)}/${r.chars(A.url, 68)}`,
  },
  {
    kind: 'discord-bot',
    make: (r) => 'M' + r.chars(A.alnum, 23) + '.' + r.chars(A.url, 6) + '.' + r.chars(A.alnum, 38),
  },
  { kind: 'telegram', make: (r) => '6' + r.chars(A.digits, 9) + ':AA' + r.chars(A.alnum, 33) },
  of('stripe-live', p('sk', '_live_'), A.alnum, 24),
  of('stripe-restricted', p('rk', '_live_'), A.alnum, 24),
  of('stripe-webhook', p('wh', 'sec_'), A.alnum, 32),
  of('openai-project', p('sk', '-proj-'), A.url, 64),
  {
    kind: 'openai-classic',
    make: (r) => p('sk', '-') + r.chars(A.alnum, 20) + 'T3BlbkFJ' + r.chars(A.alnum, 20),
  },
  of('anthropic', p('sk', '-ant-api03-'), A.url, 86, 'xQAA'),
  of('openrouter', p('sk', '-or-v1-'), A.hex, 64),
  of('google-api', p('AI', 'za'), A.url, 35),
  of('google-oauth-secret', p('GOC', 'SPX-'), A.url, 28),
  of('huggingface', p('h', 'f_'), A.alnum, 34),
  of('groq', p('gs', 'k_'), A.alnum, 52),
  of('replicate', p('r', '8_'), A.alnum, 37),
  of('xai', p('xa', 'i-'), A.alnum, 80),
  of('perplexity', p('pp', 'lx-'), A.alnum, 48),
  of('tavily', p('tv', 'ly-'), A.alnum, 32),
  of('nvidia', p('nv', 'api-'), A.url, 64),
  of('langsmith', p('lsv2', '_pt_'), A.hex, 32, '_a1b2c3d4e5'),
  { kind: 'sendgrid', make: (r) => p('S', 'G.') + r.chars(A.url, 22) + '.' + r.chars(A.url, 43) },
  { kind: 'mailchimp', make: (r) => r.chars(A.hex, 32) + '-us' + (1 + r.below(20)) },
  of('mailgun', p('ke', 'y-'), A.hex, 32),
  of('twilio', p('S', 'K'), A.hex, 32),
  of('shopify', p('shp', 'at_'), A.hex, 32),
  of('digitalocean', p('dop', '_v1_'), A.hex, 64),
  of('databricks', p('da', 'pi'), A.hex, 32),
  of('supabase', p('sb', 'p_'), A.hex, 40),
  of('planetscale', p('pscale', '_tkn_'), A.url, 43),
  of('vault', p('hv', 's.'), A.url, 90),
  { kind: 'terraform', make: (r) => r.chars(A.alnum, 14) + p('.atlas', 'v1.') + r.chars(A.alnum, 67) },
  of('pulumi', p('pu', 'l-'), A.hex, 40),
  of('doppler', p('dp', '.pt.'), A.alnum, 43),
  of('grafana', p('gl', 'sa_'), A.alnum, 32, '_1a2b3c4d'),
  of('newrelic', p('NR', 'AK-'), A.upper, 27),
  of('postman', p('PM', 'AK-'), A.hex, 24, '-0f1e2d3c4b5a69788796a5b4c3d2e1f001'),
  of('linear', p('lin', '_api_'), A.alnum, 40),
  of('notion', p('nt', 'n_'), A.alnum, 46),
  of('figma', p('fi', 'gd_'), A.url, 40),
  { kind: 'airtable', make: (r) => p('p', 'at') + r.chars(A.alnum, 14) + '.' + r.chars(A.hex, 64) },
  { kind: 'atlassian', make: (r) => p('ATA', 'TT3') + r.chars(A.url, 180) + '=' + r.chars(A.upper, 8) },
  of('tailscale', p('ts', 'key-auth-'), A.alnum, 16, 'CNTRL-abc8DEfg2HIjk4LMno6PQrs'),
  of('age', p('AGE-SEC', 'RET-KEY-1'), 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58),
  of('facebook', p('EA', 'A'), A.alnum, 140),
  { kind: 'square', make: (r) => p('sq0', 'csp-') + r.chars(A.url, 43) },
  { kind: 'azure-client-secret', make: (r) => r.chars(A.alnum, 3) + '8Q~' + r.chars(A.alnum, 34) },
  { kind: 'jwt', make: jwt },
];

function jwt(r: SeededRandom): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: r.chars(A.lower, 8), exp: 1_800_000_000 })}.${r.chars(A.url, 43)}`;
}

/** Ways in which an agent's work shows a token that tells itself. */
const TOKEN_FRAMES: readonly ((token: string) => string)[] = [
  (t) => `Use ${t} for the staging account, please.`,
  (t) => `Output:\nHOME=/home/ana\nSERVICE_CREDENTIAL=${t}\nTZ=UTC\n`,
  (t) => JSON.stringify({ ok: true, data: { issued: t } }),
  (t) => `curl -s -H "Authorization: Bearer ${t}" https://api.example.test/v1/me`,
  (t) => `  const client = new Client('${t}', { timeout: 5000 });`,
  (t) => JSON.stringify({ content: `line one\n${t}\nline three` }),
  (t) => `- ${t}\n+ process.env.THE_TOKEN\n`,
  (t) => `see (${t}).`,
];

const WORDS = ['harbour', 'berth', 'tide', 'billing', 'reports', 'mailer', 'search', 'worker'];
const VENDORS = [
  ...[
    'adafruit',
    'algolia',
    'asana',
    'beamer',
    'bitbucket',
    'bittrex',
    'cloudflare',
    'codecov',
    'cohere',
    'coinbase',
  ],
  ...[
    'confluent',
    'contentful',
    'datadog',
    'droneci',
    'dropbox',
    'etsy',
    'finicity',
    'finnhub',
    'flickr',
    'freshbooks',
  ],
  ...[
    'gitter',
    'gocardless',
    'hubspot',
    'intercom',
    'jfrog',
    'kraken',
    'kucoin',
    'launchdarkly',
    'linkedin',
    'lob',
  ],
  ...[
    'mattermost',
    'messagebird',
    'netlify',
    'nytimes',
    'okta',
    'plaid',
    'rapidapi',
    'sendbird',
    'sentry',
    'snyk',
  ],
  ...['squarespace', 'sumologic', 'travisci', 'trello', 'twitch', 'twitter', 'typeform', 'zendesk'],
];

/** The forms in which public scanners' rules write an assigned value, with our own wording. */
const RULE_FRAMES: readonly ((vendor: string, value: string) => string)[] = [
  (v, s) => `${v}_api_token = "${s}"`,
  (v, s) => `${v}Token=${s}`,
  (v, s) => `{"config": {"${v}_token": "${s}"}}`,
  (v, s) => `{\\"${v}_secret\\": \\"${s}\\"}`,
  (v, s) => `val ${v}Secret = "${s}"`,
  (v, s) => `"${v}Token" => "${s}",`,
  (v, s) => `<${v}ApiKey>${s}</${v}ApiKey>`,
  (v, s) => `${v}:\n  access_token: ${s}\n`,
  (v, s) => `std::string ${v}Secret = "${s}";`,
  (v, s) => `${v}Token := \`${s}\``,
  (v, s) => `private static final String ${v.toUpperCase()}_API_KEY = "${s}";`,
  (v, s) => `$${v}Secret = '${s}';`,
  (v, s) => `os.environ["${v.toUpperCase()}_SECRET"] = "${s}"`,
  (v, s) => `export ${v.toUpperCase()}_TOKEN=${s}`,
  (v, s) => `run --${v}-api-key ${s} --verbose`,
  (v, s) => `https://api.example.test/${v}?page=2&access_token=${s}&sort=asc`,
  (v, s) => `:${v}_secret => '${s}'`,
  (v, s) => `X-${v}-Api-Key: ${s}`,
];

const RULE_VALUES: readonly Make[] = [
  (r) => r.chars(A.hex, 32),
  (r) => r.chars(A.lower, 32),
  (r) => r.chars(A.url, 43),
  (r) => r.chars(A.alnum, 40),
  (r) => r.chars(A.hex, 64),
  (r) => r.chars(A.lower, 24),
];

interface Framed {
  kind: string;
  make: (r: SeededRandom) => { text: string; probes: string[] };
}

const password: Make = (r) =>
  r.pick(WORDS) + r.pick(['-', '!', '$', '_', '#']) + r.chars(A.alnum, 9) + r.pick(['', '!', '?']);
const framed = (
  kind: string,
  value: Make,
  ...frames: ((s: string, r: SeededRandom) => string)[]
): Framed => ({
  kind,
  make: (r) => {
    const s = value(r);
    return { text: r.pick(frames)(s, r), probes: [s] };
  },
});

const ASSIGNED: readonly Framed[] = [
  framed(
    'env-password',
    password,
    (s) => `PORT=3000\nDB_PASSWORD=${s}\nTZ=UTC`,
    (s) => `export PGPASSWORD='${s}'`,
    (s) => `OPS_PASSWORD="${s}"`,
  ),
  framed(
    'json-password',
    password,
    (s) => JSON.stringify({ user: 'ana', password: s }),
    (s) => JSON.stringify(JSON.stringify({ dbPassword: s })),
  ),
  framed(
    'yaml-password',
    password,
    (s) => `database:\n  host: db\n  password: "${s}"\n`,
    (s) => `smtp:\n  passwd: ${s}\n`,
  ),
  framed(
    'code-password',
    password,
    (s) => `const password = '${s}';`,
    (s) => `connect(host="db", password="${s}")`,
    (s) => `spring.datasource.password=${s}`,
  ),
  framed(
    'prose-password',
    password,
    (s) => `the admin password is ${s} until Friday`,
    (s) => `password: ${s}`,
    (s) => `log in as ops, password "${s}"`,
  ),
  framed(
    'cli-password',
    password,
    (s) => `deploy --user ana --password '${s}' --yes`,
    (s) => `mysql -u root -p${s} shop`,
    (s) => `sshpass -p ${s} ssh ops@host`,
  ),
  framed(
    'curl-user',
    password,
    (s) => `curl -u ana:${s} https://api.example.test/`,
    (s) => `curl --user "ana:${s}" -X POST https://api.example.test/`,
  ),
  framed(
    'connection-string',
    password,
    (s) => `Server=db;Database=shop;User Id=sa;Password=${s};Encrypt=true`,
  ),
  framed(
    'xml-password',
    password,
    (s) => `<server><username>ana</username><password>${s}</password></server>`,
    (s) => `<add key="DbPassword" value="${s}" />`,
  ),
  framed(
    'sql-password',
    password,
    (s) => `CREATE USER ana IDENTIFIED BY '${s}';`,
    (s) => `ALTER ROLE ana WITH PASSWORD '${s}';`,
  ),
  framed(
    'pgpass',
    (r) => r.chars(A.alnum, 16),
    (s) => `db.internal:5432:shop:ana:${s}`,
  ),
  framed(
    'netrc',
    (r) => r.chars(A.alnum, 16) + '7x',
    (s) => `machine git.example.test login ana password ${s}`,
  ),
  framed(
    'url-password',
    (r) => r.chars(A.alnum, 18),
    (s) => `DATABASE_URL=postgres://ana:${s}@db:5432/shop`,
    (s) => `git clone https://ana:${s}@git.example.test/a/b.git`,
    (s) => `redis://default:${s}@cache.internal:6380/0`,
    (s) => `amqp://svc:${s}@mq/vhost`,
  ),
  framed(
    'aws-secret',
    (r) => r.chars(A.base64, 40),
    (s) => `aws_secret_access_key = ${s}`,
    (s) => `S3_SECRET_ACCESS_KEY=${s}`,
    (s) => JSON.stringify({ SecretAccessKey: s }),
    (s) => `--s3-key-secret=${s}`,
  ),
  framed(
    'azure-account-key',
    (r) => r.chars(A.base64, 86) + '==',
    (s) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${s};EndpointSuffix=core.windows.net`,
  ),
  framed(
    'azure-sas',
    (r) => encodeURIComponent(r.chars(A.base64, 43) + '='),
    (s) => `https://shop.blob.core.windows.net/c/b.csv?sv=2023-01-03&se=2027-01-01&sr=b&sp=r&sig=${s}`,
  ),
  framed(
    'bearer',
    (r) => r.chars(A.url, 44),
    (s) => `Authorization: Bearer ${s}`,
    (s) => JSON.stringify({ sent: `Bearer ${s}` }),
    (s) => `curl -H 'authorization: bearer ${s}' http://localhost`,
  ),
  framed(
    'basic-auth',
    (r) => Buffer.from(`ana:${r.chars(A.alnum, 14)}`).toString('base64'),
    (s) => `Authorization: Basic ${s}`,
    (s) => `headers: { Authorization: 'Basic ${s}' }`,
  ),
  framed(
    'api-key-header',
    (r) => r.chars(A.alnum, 32),
    (s) => `X-Api-Key: ${s}`,
    (s) => `curl -H "x-api-key: ${s}" https://api.example.test`,
  ),
  framed(
    'session-secret',
    (r) => r.chars(A.hex, 64),
    (s) => `SESSION_SECRET=${s}`,
    (s) => `secret_key_base: ${s}`,
    (s) => `JWT_SECRET: '${s}'`,
  ),
  framed(
    'npmrc',
    (r) => r.chars(A.hex, 36),
    (s) => `//npm.example.test/:_authToken=${s}`,
    (s) => `//npm.example.test/:_password="${s}"`,
  ),
  framed(
    'client-secret',
    (r) => r.chars(A.url, 40),
    (s) => `client_secret=${s}&grant_type=client_credentials`,
    (s) => JSON.stringify({ clientSecret: s }),
    (s) => `oauth:\n  client-secret: ${s}`,
  ),
  framed(
    'encryption-key',
    (r) => r.chars(A.base64, 43) + '=',
    (s) => `ENCRYPTION_KEY=${s}`,
    (s) => `encryptionKey: "${s}"`,
    (s) => `APP_KEY=base64:${s}`,
  ),
  framed(
    'high-entropy',
    (r) => 'q7R' + r.chars(A.alnum, 41),
    (s) => `the value they sent over is ${s}`,
    (s) => `> ${s}\n`,
    (s) => JSON.stringify(['ready', s]),
  ),
  { kind: 'private-key', make: (r) => pem(r, 'RSA PRIVATE KEY', '\n') },
  { kind: 'private-key-escaped', make: (r) => pem(r, 'PRIVATE KEY', '\\n') },
  { kind: 'private-key-openssh', make: (r) => pem(r, 'OPENSSH PRIVATE KEY', '\n') },
  { kind: 'private-key-unclosed', make: (r) => unclosedPem(r) },
];

function pem(r: SeededRandom, label: string, eol: string): { text: string; probes: string[] } {
  const lines = Array.from({ length: 6 }, () => r.chars(A.base64, 64));
  const last = r.chars(A.base64, 22) + '==';
  const block = [`-----${'BEGIN'} ${label}-----`, ...lines, last, `-----${'END'} ${label}-----`].join(eol);
  return {
    text: r.pick([`key:\n${block}\n`, `{"private_key": "${block}"}`, `KEY_PEM="${block}"`]),
    probes: [...lines, last],
  };
}

function unclosedPem(r: SeededRandom): { text: string; probes: string[] } {
  const lines = Array.from({ length: 3 }, () => r.chars(A.base64, 64));
  const cut = r.chars(A.base64, 31);
  return {
    text: `cat id\n-----${'BEGIN'} EC PRIVATE KEY-----\n${[...lines, cut].join('\n')}`,
    probes: [...lines, cut],
  };
}

/** The secrets of one seed: every format in several frames, and 100 and more in the forms of public rules. */
export function secretCases(seed: number): SecretCase[] {
  const r = new SeededRandom(seed);
  const cases: SecretCase[] = [];
  for (const format of PREFIXED) {
    for (let n = 0; n < 2; n += 1) {
      const token = format.make(r);
      cases.push({
        kind: format.kind,
        source: 'vendor',
        text: r.pick(TOKEN_FRAMES)(token),
        probes: [token.slice(-18)],
      });
    }
  }
  for (const framing of ASSIGNED) {
    for (let n = 0; n < 4; n += 1) cases.push({ kind: framing.kind, source: 'vendor', ...framing.make(r) });
  }
  for (let n = 0; n < 120; n += 1) {
    const value = r.pick(RULE_VALUES)(r);
    const vendor = VENDORS[n % VENDORS.length] as string;
    const frame = RULE_FRAMES[n % RULE_FRAMES.length] as (typeof RULE_FRAMES)[number];
    cases.push({ kind: 'rule-assigned', source: 'public-rule', text: frame(vendor, value), probes: [value] });
  }
  return cases;
}
