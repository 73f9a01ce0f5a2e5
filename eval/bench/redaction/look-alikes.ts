import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ALPHABET as A, SeededRandom } from './random';

/** A text that holds no secret, though parts of it look like one. */
export interface LookAlike {
  kind: string;
  text: string;
}

type Make = (r: SeededRandom) => string;

const hex = (r: SeededRandom, bytes: number): string => r.chars(A.hex, bytes * 2);
const base64 = (r: SeededRandom, bytes: number): string =>
  Buffer.from(Array.from({ length: bytes }, () => r.below(256))).toString('base64');
const uuid = (r: SeededRandom): string =>
  [hex(r, 4), hex(r, 2), '4' + r.chars(A.hex, 3), 'a' + r.chars(A.hex, 3), hex(r, 6)].join('-');
const ulid = (r: SeededRandom): string => '01' + r.chars('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24);

const RANDOM_LOOKING: Readonly<Record<string, readonly Make[]>> = {
  'git-hash': [
    (r) => `commit ${hex(r, 20)}\nAuthor: Ana <ana@example.test>`,
    (r) => `index ${r.chars(A.hex, 7)}..${r.chars(A.hex, 7)} 100644`,
    (r) => `HEAD is now at ${r.chars(A.hex, 9)} fix the tide table`,
    (r) => `git checkout ${hex(r, 20)} -- src/tide.ts`,
  ],
  'content-hash': [
    (r) => `content_hash: sha256:${hex(r, 32)}`,
    (r) => `Digest: sha256:${hex(r, 32)}\nStatus: Downloaded newer image for node:20`,
    (r) => `etag: W/"${r.chars(A.url, 27)}"`,
    (r) => `${hex(r, 32)}  dist/app.tar.gz`,
    (r) => `github.com/pkg/errors v0.9.1 h1:${base64(r, 32)}`,
  ],
  uuid: [
    (r) => `session ${uuid(r)} opened`,
    (r) => JSON.stringify({ id: uuid(r), parentId: uuid(r) }),
    (r) => `invocation tooluse_${r.chars(A.hex, 22)} ended`,
    (r) => `event_id=${ulid(r)} record=mr_${ulid(r)}`,
  ],
  integrity: [
    (r) => `"integrity": "sha512-${base64(r, 64)}"`,
    (r) => `<script src="a.js" integrity="sha384-${base64(r, 48)}" crossorigin="anonymous"></script>`,
    (r) => `  integrity sha512-${base64(r, 64)}`,
  ],
  'public-key': [
    (r) => `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ${base64(r, 200)} ana@laptop`,
    (r) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64(r, 32).slice(0, 43)} ana@laptop`,
    (r) =>
      `-----BEGIN CERTIFICATE-----\nMII${r.chars(A.base64, 61)}\n${r.chars(A.base64, 64)}\n-----END CERTIFICATE-----`,
    (r) => `-----BEGIN PUBLIC KEY-----\nMII${r.chars(A.base64, 61)}\n-----END PUBLIC KEY-----`,
  ],
  'encoded-data': [
    (r) => `<img src="data:image/png;base64,iVBORw0KGgo${base64(r, 120)}">`,
    (r) =>
      `btoa(text) // ${Buffer.from(`the tide table of ${r.pick(['May', 'June', 'July'])} is ready`).toString('base64')}`,
    (r) => `url("data:font/woff2;base64,d09GMg${base64(r, 90)}")`,
  ],
};

const ORDINARY: readonly string[] = [
  'const token = getToken();',
  'const password = req.body.password;',
  'password: string;',
  'readonly apiKey: string | undefined;',
  'const apiKey = process.env.API_KEY;',
  'API_KEY=${API_KEY}',
  'DB_PASSWORD=$DB_PASSWORD',
  'password: ${{ secrets.DB_PASSWORD }}',
  'token: {{ .Values.token }}',
  'OPENAI_API_KEY=<your-api-key>',
  'API_KEY=xxxxxxxxxxxxxxxxxxxx',
  'api_key = "YOUR_API_KEY_HERE"',
  'SECRET_KEY=changeme',
  'password = "********"',
  'monkey: banana',
  'The monkey took the key to the hockey turkey.',
  'primaryKey: "invoice_id"',
  'FOREIGN KEY (berth_id) REFERENCES berths(id)',
  'const cacheKey = `${user.id}:${page}`;',
  'max_tokens: 4096',
  '"input_tokens": 18234, "output_tokens": 512',
  'nextPageToken: "CAUQAA"',
  'if (password === undefined) throw new Error("password is required");',
  'The password must have at least 8 characters and one digit.',
  'Forgot your password? Click the link in the mail.',
  '"passwordLabel": "Password", "password": "Passwort"',
  '<input type="password" name="password" placeholder="Enter your password">',
  'function verifyPassword(password: string, hash: string): Promise<boolean> {',
  'await bcrypt.compare(password, user.passwordHash)',
  'token = tokens[i]; i += 1;',
  'const secret = await secretsManager.getSecretValue({ SecretId: name });',
  'secretName: harbour-db-credentials',
  'secretKeyRef:\n  name: harbour-db\n  key: password',
  'def login(username, password=None):',
  'self.token = token',
  'parser.expect(Token.RightBrace)',
  'Unexpected token } in JSON at position 127',
  'the auth token expired, please sign in again',
  'key: value',
  '"key": "ArrowLeft"',
  'sort_key = lambda row: row["name"]',
  'Authorization: Bearer <token>',
  'Authorization: Bearer ${token}',
  'uses bearer authentication with short-lived credentials',
  'basic authentication is disabled',
  'http://localhost:3000/healthz',
  'https://user@git.example.test/team/repo.git',
  'postgres://${USER}:${PASSWORD}@localhost:5432/app',
  'see https://example.test:8443/a/b@2x.png',
  'git@github.com:team/harbour.git',
  'npm_config_registry=https://registry.example.test/',
  'npm_lifecycle_event=test',
  'sk-toggleable__label-arrow',
  'class="sk-estimator-doc-link fitted"',
  'pk-berth-list-item__header',
  'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE',
  'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'glob-parent and glob-stream',
  'region: eu-central-1\nbucket: harbour-invoices-prod-2026',
  'arn:aws:iam::123456789012:role/HarbourDeployRole',
  'src/components/BerthMap/BerthMapLayerControlV2.tsx:118:23',
  'at Object.<anonymous> (/srv/app/node_modules/.pnpm/vite@5.4.2_@types+node@20.14.9/node_modules/vite/dist/node.js:42:7)',
  'Error: ENOENT: no such file or directory, open "/home/ana/code/harbour/.env"',
  'docker run -u 1000:1000 -p 8080:80 nginx:1.27',
  'curl -sSf https://get.example.test/install.sh | sh',
  'ssh -p 2222 ana@host.example.test',
  'mysql -u root -p shop < dump.sql',
  '2026-10-22T14:33:12.123Z INFO request done in 12.4 ms',
  'version 1.24.3-beta.2+build.20261022',
  'Comptes: 4.3.2, port 5432, pid 81233',
  'kubectl get secret harbour-db -o jsonpath="{.data.password}"',
  'grep -rn "password" src/ | head',
  'we rotate the signing key every 90 days',
  'the token bucket refills 20 times a second',
  'tokenizer.decode(ids, skip_special_tokens=True)',
  'pad_token: "<pad>", eos_token: "</s>"',
  'csrf_token: {{ csrf_token() }}',
  'ENV NODE_ENV=production PORT=3000',
  'background-image: url(#gradient-0a1b2c3d4e5f)',
  '.css-1q2w3e4r5t { color: #a1b2c3; }',
  'chunk-5X7QK2LM.js  12.31 kB',
  'assets/index-DiwrgTda.js 143.20 kB',
  'requestId: 7f3a2b1c-req-000142',
  'createHmac("sha256", secret).update(body).digest("hex")',
  'expect(redact("token=abc")).toBe("token=[REDACTED:token]")',
  'password=[REDACTED:password]',
  'API_TOKEN=[REDACTED:token]',
];

/** A part of a lock file of this repository, from its own beginning. */
function packageLock(root: string): string[] {
  const text = readFileSync(resolve(root, 'package-lock.json'), 'utf8');
  const lines = text.split('\n');
  return [0, 1, 2, 3, 4, 5].map((n) => lines.slice(n * 120, n * 120 + 120).join('\n'));
}

function otherLocks(r: SeededRandom): string[] {
  const names = [
    'fastify',
    '@scope/kit',
    'left-pad',
    'zod',
    'vite',
    'uplot',
    'token-types',
    'key-tree',
    'secret-stack',
  ];
  const pnpm = names.map(
    (n) =>
      `  '${n}@${r.below(9)}.${r.below(20)}.${r.below(9)}':\n    resolution: {integrity: sha512-${base64(r, 64)}}\n    engines: {node: '>=18'}\n`,
  );
  const yarn = names.map(
    (n) =>
      `"${n}@npm:^1.2.3":\n  version: 1.2.${r.below(9)}\n  resolution: "${n}@npm:1.2.3"\n  checksum: 10c0/${hex(r, 64)}\n  languageName: node\n`,
  );
  const cargo = names.map(
    (n) =>
      `[[package]]\nname = "${n}"\nversion = "0.${r.below(9)}.1"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${hex(r, 32)}"\n`,
  );
  const poetry = names.map((n) => `{file = "${n}-1.2.3-py3-none-any.whl", hash = "sha256:${hex(r, 32)}"},`);
  return [
    `lockfileVersion: '9.0'\npackages:\n${pnpm.join('\n')}`,
    yarn.join('\n'),
    cargo.join('\n'),
    poetry.join('\n'),
  ];
}

function sourceMap(r: SeededRandom): string {
  const vlq = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const mappings = Array.from(
    { length: 400 },
    () => r.chars(vlq, 4 + r.below(5)) + r.pick([',', ',', ';']),
  ).join('');
  const long = r.chars(vlq, 90);
  return JSON.stringify({
    version: 3,
    file: 'app.js',
    sources: ['../src/token.ts'],
    names: ['token', 'key'],
    mappings: `${mappings}${long};`,
  });
}

function svg(r: SeededRandom): string {
  const number = (): string => (r.next() * 64 - 8).toFixed(3);
  const path = Array.from(
    { length: 160 },
    () => r.pick(['M', 'l', 'c', 'h', 'v', 'Q', 'z']) + number() + ' ' + number(),
  ).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path id="key-a1B2c3D4e5F6" d="${path}"/></svg>`;
}

/** The look-alikes of one seed; `root` is the repository, whose own lock file is one of them. */
export function lookAlikes(seed: number, root: string): LookAlike[] {
  const r = new SeededRandom(seed);
  const cases: LookAlike[] = ORDINARY.map((text) => ({ kind: 'ordinary', text }));
  for (const [kind, makers] of Object.entries(RANDOM_LOOKING)) {
    for (const make of makers) for (let n = 0; n < 6; n += 1) cases.push({ kind, text: make(r) });
  }
  for (const text of [...packageLock(root), ...otherLocks(r)]) cases.push({ kind: 'lock-file', text });
  for (let n = 0; n < 3; n += 1)
    cases.push({ kind: 'source-map', text: sourceMap(r) }, { kind: 'svg', text: svg(r) });
  for (let n = 0; n < 20; n += 1) {
    const digest = createHash('sha1').update(String(r.next())).digest('hex');
    cases.push({
      kind: 'build-log',
      text: `[${n}/20] src/tide${n}.ts -> dist/tide${n}-${digest.slice(0, 8)}.js (${digest})`,
    });
  }
  return cases;
}
