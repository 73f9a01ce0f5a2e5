import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../hook/support/bundle';

const run = promisify(execFile);
let dist = '';
beforeAll(async () => {
  dist = await mkdtemp(path.join(os.tmpdir(), 'kl-net-'));
  await bundle('test/pipeline/models/support/connections.ts', path.join(dist, 'connections.js'));
  await bundle('test/pipeline/models/support/collector-program.ts', path.join(dist, 'program.js'));
  await cp(createRequire(__filename).resolve('sql.js/dist/sql-wasm.wasm'), path.join(dist, 'sql-wasm.wasm'));
});
afterAll(() => rm(dist, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

/** What a collector connected to in a day's work. */
async function connections(name: string): Promise<{ kind: string; program?: string }[]> {
  const storage = path.join(dist, name);
  await mkdir(storage, { mode: 0o700 });
  const file = path.join(dist, `${name}.seen`);
  const spy = path.join(dist, 'connections.js');
  await run(process.execPath, ['--require', spy, path.join(dist, 'program.js'), storage, dist], {
    env: { ...process.env, CONNECTIONS_FILE: file },
  });
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { kind: string; program?: string });
}

describe('a collector without a model', () => {
  it('opens no connection but its own socket, looks up no name, starts nothing but git', async () => {
    const seen = await connections('none');
    const allowed = seen.filter(
      ({ kind, program }) => kind === 'local' || (kind === 'process' && program === 'git'),
    );
    expect(seen.filter((one) => !allowed.includes(one))).toEqual([]);
    expect(seen.some(({ kind }) => kind === 'local')).toBe(true);
  });

  it('would be caught if it did', async () => {
    const probe = "require('node:net').connect(9, '127.0.0.1').on('error', () => process.exit(0))";
    const file = path.join(dist, 'probe.seen');
    await run(
      process.execPath,
      [
        '--require',
        path.join(dist, 'connections.js'),
        '-e',
        `${probe}; fetch('http://127.0.0.1:9').catch(() => 0)`,
      ],
      {
        env: { ...process.env, CONNECTIONS_FILE: file },
      },
    );
    expect(await readFile(file, 'utf8')).toMatch(/"outbound"[\s\S]*"fetch"|"fetch"[\s\S]*"outbound"/);
  });
});
