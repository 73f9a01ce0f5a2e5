import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI_OUTPUT, type CliOutput } from '../../src/cli/output';
import { bundle } from '../hook/support/bundle';
import { sharedData } from '../support/shared-data';

const home = sharedData('data', 'sessions', 'alpha', 'home', '.kiro');

describe.skipIf(!home)('cli replay of recorded sessions (shared data)', () => {
  let folder: string;
  let cli: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'kiro-learn-cli-'));
    cli = await bundle('src/cli/main.ts', path.join(folder, 'cli.js'));
    cpSync(
      createRequire(__filename).resolve('sql.js/dist/sql-wasm.wasm'),
      path.join(folder, 'sql-wasm.wasm'),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

  function run(...args: string[]): unknown {
    const done = spawnSync(process.execPath, [cli, ...args, '--json'], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    expect(done.status, done.stderr).toBe(0);
    return JSON.parse(done.stdout);
  }

  function replay(store: string): CliOutput<'replay'> {
    return CLI_OUTPUT.replay.parse(run('replay', home ?? '', '--store', store));
  }

  function journalBytes(store: string): number {
    const dir = path.join(store, 'store');
    if (!existsSync(dir)) return 0;
    const names = readdirSync(dir).filter((name) => name.startsWith('journal-'));
    return names.reduce((sum, name) => sum + statSync(path.join(dir, name)).size, 0);
  }

  /** Kills a replay once its journal holds `bytes`; false where it was done before that was seen. */
  async function killedReplay(store: string, bytes: number): Promise<boolean> {
    const child = spawn(process.execPath, [cli, 'replay', home ?? '', '--store', store, '--json']);
    child.stdout.resume();
    child.stderr.resume();
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const timer = setInterval(() => {
      if (journalBytes(store) >= bytes) child.kill('SIGKILL');
    }, 5);
    await ended;
    clearInterval(timer);
    return child.signalCode === 'SIGKILL';
  }

  it('killed half-way and run again, it loses nothing and doubles nothing', async () => {
    const whole = path.join(folder, 'whole');
    const first = replay(whole);
    expect(replay(whole).added).toEqual({
      events: { prompt: 0, tool_use: 0, session_summary: 0, note: 0 },
      records: 0,
    });
    const broken = path.join(folder, 'broken');
    const half = journalBytes(whole) / 2;
    const killed = [await killedReplay(broken, half / 4), await killedReplay(broken, half)];
    expect(killed).toContain(true);
    replay(broken);
    const stats = (store: string) => {
      const { events_by_kind, events_by_type, turns, records, pending } = run(
        'stats',
        '--store',
        store,
      ) as Record<string, unknown>;
      return { events_by_kind, events_by_type, turns, records, pending };
    };
    expect(stats(broken)).toEqual(stats(whole));
    expect(stats(whole)).toMatchObject({ events_by_kind: first.added.events, records: first.added.records });
    expect(CLI_OUTPUT.doctor.parse(run('doctor', '--store', broken)).sound).toBe(true);
  }, 300_000);
});
