import { spawn, type ChildProcess } from 'node:child_process';
import { build } from 'esbuild';
import { link, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/contract/clock';
import { silentLog } from '../../src/platform/log';
import { leaderFile } from '../../src/service/leader-info';
import { Leadership } from '../../src/service/leadership';

export interface ElectionOptions {
  rounds: number;
  processes: number;
  /** `fresh`: a store that nobody led; `stale`: one whose leader was killed. */
  start: 'fresh' | 'stale';
  /** Random pauses at each step, up to this many milliseconds. */
  jitterMs: number;
  /** Each window sees another runtime directory, as with `XDG_RUNTIME_DIR` set in some. */
  apart?: boolean;
}

export interface ElectionResult {
  start: string;
  jitter_ms: number;
  apart: boolean;
  rounds: number;
  processes: number;
  /** Rounds in which more than one process was told to lead; nobody leaves within a round. */
  double_leaders: number;
  /** Rounds after which not exactly one fence held. */
  no_leader: number;
  /** Rounds in which a follower named an epoch that nobody leads. */
  wrong_leader: number;
  errors: number;
  acquire_p50_ms: number;
  acquire_p95_ms: number;
}

/** One process that takes part, asked line by line. */
class Contender {
  private readonly waiting: ((line: string) => void)[] = [];

  private constructor(private readonly child: ChildProcess) {
    if (!child.stdout) throw new Error('The contender has no output.');
    createInterface({ input: child.stdout }).on('line', (line) => this.waiting.shift()?.(line));
  }

  static start(program: string, jitterMs: number): Contender {
    return new Contender(
      spawn(process.execPath, [program, String(jitterMs)], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
  }

  ask(...words: string[]): Promise<string> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin?.write(`${words.join('\t')}\n`);
    });
  }

  kill(): Promise<void> {
    return new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      this.child.kill('SIGKILL');
    });
  }
}

const headStartMs = 30;

/** Lets real processes claim the lead of one store at once, round after round. */
export async function runElection(options: ElectionOptions): Promise<ElectionResult> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'kl-e-'));
  const program = path.join(base, 'contender.js');
  await build({
    entryPoints: [path.join(__dirname, 'contender.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    logLevel: 'warning',
  });
  const contenders = Array.from({ length: options.processes }, () =>
    Contender.start(program, options.jitterMs),
  );
  const result: ElectionResult = {
    start: options.start,
    jitter_ms: options.jitterMs,
    apart: options.apart ?? false,
    rounds: options.rounds,
    processes: options.processes,
    double_leaders: 0,
    no_leader: 0,
    wrong_leader: 0,
    errors: 0,
    acquire_p50_ms: 0,
    acquire_p95_ms: 0,
  };
  const times: number[] = [];
  try {
    for (let round = 0; round < options.rounds; round++) {
      const store = path.join(base, String(round));
      if (options.start === 'stale') await leaveStale(store);
      await playRound(contenders, store, options, result, times);
      await rm(store, { recursive: true, force: true });
    }
  } finally {
    await Promise.all(contenders.map((contender) => contender.kill()));
    await rm(base, { recursive: true, force: true });
  }
  times.sort((a, b) => a - b);
  result.acquire_p50_ms = times[Math.floor(times.length * 0.5)] ?? 0;
  result.acquire_p95_ms = times[Math.floor(times.length * 0.95)] ?? 0;
  return result;
}

async function playRound(
  contenders: readonly Contender[],
  store: string,
  options: ElectionOptions,
  result: ElectionResult,
  times: number[],
): Promise<void> {
  const storage = path.join(store, 'storage');
  await mkdir(storage, { recursive: true, mode: 0o700 });
  const start = String(Date.now() + headStartMs);
  const answers = await Promise.all(
    contenders.map(async (contender, index) => {
      const runtime = path.join(store, options.apart ? `r${index}` : 'r');
      await mkdir(runtime, { recursive: true, mode: 0o700 });
      return contender.ask('round', storage, runtime, start);
    }),
  );
  const fences = await Promise.all(contenders.map((contender) => contender.ask('fence')));
  const roles = answers.map((answer) => answer.split(' '));
  const leaders = roles.filter(([role]) => role === 'leader');
  if (leaders.length > 1) result.double_leaders++;
  if (fences.filter((fence) => fence === 'true').length !== 1) result.no_leader++;
  const led = leaders[0]?.[1];
  if (roles.some(([role, epoch]) => role === 'follower' && epoch !== led)) result.wrong_leader++;
  result.errors += roles.filter(([role]) => role === 'error').length;
  for (const [role, , ms] of roles) if (role !== 'error') times.push(Number(ms));
  await Promise.all(contenders.map((contender) => contender.ask('release')));
}

/** What a killed leader leaves: its claim, `leader.json`, and a socket file that refuses. */
async function leaveStale(store: string): Promise<void> {
  const storageDir = path.join(store, 'storage');
  const runtimeDir = path.join(store, 'r');
  await mkdir(storageDir, { recursive: true, mode: 0o700 });
  await mkdir(runtimeDir, { recursive: true, mode: 0o700 });
  const dead = new Leadership({
    storageDir,
    runtimeDir,
    clock: systemClock,
    log: silentLog,
    version: '1.0.0',
    highestSegment: () => Promise.resolve(0),
  });
  const role = await dead.acquire();
  if (role.role !== 'leader') throw new Error('A fresh store had a leader.');
  const written = await readFile(leaderFile(storageDir));
  const kept = `${role.info.address}.kept`;
  await link(role.info.address, kept);
  await dead.release();
  await rename(kept, role.info.address);
  await writeFile(leaderFile(storageDir), written);
}
