import { spawn, type ChildProcess } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { spool } from '../../src/service/spool-files';
import { FAILPOINTS, type Arming, type Failpoint } from './fault-disk';
import { ERASED, type LeaderOptions } from './leader-options';
import { numberedEvent, START, wasmPath } from './numbered-events';
import { seeded } from './power-cut-states';
import type { Verdict } from './verify';

export type Sabotage = 'early-ack' | 'rename-in-place' | 'no-fence';

/** Beside the failpoints: a leader that is stopped and wakes, and a disk that is full for a while. */
const SCENARIOS = [...FAILPOINTS, 'suspend', 'disk_full'] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** Where each sabotage shows. */
const SABOTAGED: Record<Sabotage, Scenario> = {
  'early-ack': 'journal_write',
  'rename-in-place': 'export',
  'no-fence': 'suspend',
};

export interface CrashReport {
  rounds: number;
  acknowledged: number;
  lost: number;
  duplicated: number;
  corrupted: number;
  quarantined: number;
  failpoints: Record<Scenario, number>;
}

const EVENTS_A_WRITER = 30;
const SPOOLED = 10;
const PROGRAMS = ['leader', 'writer', 'verify'] as const;
const ROUND_LIMIT_MS = 60_000;

/** Reads lines of a child as they come. */
function onLine(child: ChildProcess, listener: (line: string) => void): void {
  if (child.stdout) createInterface({ input: child.stdout }).on('line', listener);
}

function exited(child: ChildProcess): Promise<NodeJS.Signals | number | null> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(child.signalCode ?? child.exitCode);
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
}

/** Kills leaders of real stores, and looks whether all that was acknowledged is there. */
export class CrashRounds {
  private readonly writers: ChildProcess[] = [];
  private acked = new Set<number>();
  private erased = new Set<number>();
  private done = 0;
  /** What leaders of the round found when they opened. */
  private damaged = 0;
  private quarantined = 0;
  private onDone: () => void = () => undefined;
  private onAck: () => void = () => undefined;

  private constructor(
    private readonly work: string,
    private readonly sabotage: Sabotage | undefined,
  ) {}

  static async run(rounds: number, sabotage: Sabotage | undefined): Promise<CrashReport> {
    const work = await mkdtemp(path.join(tmpdir(), 'klrn-crash-'));
    const run = new CrashRounds(work, sabotage);
    try {
      await run.prepare();
      return await run.all(rounds);
    } finally {
      for (const writer of run.writers) writer.kill('SIGKILL');
      await rm(work, { recursive: true, force: true });
    }
  }

  private async prepare(): Promise<void> {
    await build({
      entryPoints: PROGRAMS.map((name) => path.join(__dirname, `${name}.ts`)),
      outdir: this.work,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      logLevel: 'error',
    });
    for (let index = 0; index < 2; index++) {
      const writer = spawn(process.execPath, [path.join(this.work, 'writer.js')], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      onLine(writer, (line) => {
        if (line === 'done') this.done += 1;
        else this.acked.add(Number(line.split(' ')[1]));
        this.onAck();
        if (this.done === 2) this.onDone();
      });
      this.writers.push(writer);
    }
  }

  private async all(rounds: number): Promise<CrashReport> {
    const failpoints = Object.fromEntries(SCENARIOS.map((name) => [name, 0])) as Record<Scenario, number>;
    const report: CrashReport = {
      rounds,
      acknowledged: 0,
      lost: 0,
      duplicated: 0,
      corrupted: 0,
      quarantined: 0,
      failpoints,
    };
    for (let round = 0; round < rounds; round++) {
      const scenario = this.sabotage
        ? SABOTAGED[this.sabotage]
        : (SCENARIOS[round % SCENARIOS.length] as Scenario);
      if (await this.round(round, scenario, report)) failpoints[scenario] += 1;
    }
    return report;
  }

  /** @returns whether the scenario came about. */
  private async round(round: number, scenario: Scenario, report: CrashReport): Promise<boolean> {
    const random = seeded(round + 1);
    const dir = path.join(this.work, `r${round}`);
    const options: LeaderOptions = {
      dir,
      wasm: wasmPath(),
      epoch: 1,
      socket: path.join(this.work, `s${round}`),
      erases: scenario === 'erase',
      ...(this.sabotage ? { sabotage: this.sabotage } : {}),
    };
    this.acked = new Set();
    this.erased = new Set();
    this.done = 0;
    this.damaged = 0;
    this.quarantined = 0;
    await mkdir(dir, { mode: 0o700 });
    await this.lay(scenario, dir, options);
    const limit = setTimeout(
      () => process.stderr.write(`round ${round} (${scenario}) is stuck\n`),
      ROUND_LIMIT_MS,
    );
    const happened = await this.play(scenario, options, random);
    clearTimeout(limit);
    const verdict = await this.verify(dir);
    this.judge(verdict, options.erases, report);
    await rm(dir, { recursive: true, force: true });
    return happened;
  }

  /** What lies there before the first leader starts. */
  private async lay(scenario: Scenario, dir: string, options: LeaderOptions): Promise<void> {
    if (scenario === 'migration') {
      const fixture = path.join(__dirname, '..', '..', 'test', 'store', 'fixtures', 'image-v1.sqlite');
      await copyFile(fixture, path.join(dir, 'image-1-1.sqlite'));
      options.epoch = 2;
    }
    if (scenario !== 'drain') return;
    options.spool = path.join(dir, '..', `${path.basename(dir)}-spool`);
    for (let n = 0; n < SPOOLED; n++) {
      const { kind, body, valid_time, session_id } = numberedEvent(n);
      const draft = {
        kind,
        body,
        valid_time,
        session_id,
        identity: `numbered:${n}`,
        surface: 'api' as const,
      };
      if ((await spool(options.spool, `key-${n}`, draft, START + n * 1000)) === 'spooled') this.acked.add(n);
    }
  }

  private async play(scenario: Scenario, options: LeaderOptions, random: () => number): Promise<boolean> {
    const finished = new Promise<void>((resolve) => {
      this.onDone = resolve;
    });
    const arming = this.arming(scenario, random);
    const armedFirst = arming && scenario !== 'takeover';
    let leader = await this.lead({
      ...options,
      ...(armedFirst ? { arming } : {}),
      ...(scenario === 'disk_full' ? { fullAfter: 5 + Math.floor(random() * 20) } : {}),
    });
    this.send(options.socket, scenario === 'suspend');
    let happened = scenario === 'disk_full';
    if (scenario === 'suspend') {
      leader = await this.suspend(leader, options, random);
      happened = true;
    }
    if (scenario === 'takeover') {
      await this.acknowledged(5 + Math.floor(random() * 15));
      leader.kill('SIGKILL');
    }
    let over = false;
    void finished.then(() => {
      over = true;
      leader.kill('SIGKILL');
    });
    for (let epoch = options.epoch + 1; ; epoch++) {
      const end = await exited(leader);
      if (over) break;
      if (end !== 'SIGKILL') throw new Error(`A leader ended by itself (${String(end)}).`);
      const armed = scenario === 'takeover' && !happened && epoch === options.epoch + 1 ? { arming } : {};
      happened = true;
      leader = await this.lead({ ...options, epoch, ...armed } as LeaderOptions);
      if (over) leader.kill('SIGKILL');
    }
    await finished;
    return happened;
  }

  private arming(scenario: Scenario, random: () => number): Arming | undefined {
    if (scenario === 'suspend' || scenario === 'disk_full') return undefined;
    const most: Record<Failpoint, number> = {
      journal_write: 20,
      fsync: 20,
      segment_creation: 2,
      export: this.sabotage ? 8 : 3,
      rename: 3,
      takeover: 2,
      migration: 1,
      erase: 8,
      drain: 2 * SPOOLED,
    };
    const least = this.sabotage === 'rename-in-place' ? 5 : 1;
    const hit = least + Math.floor(random() * (most[scenario] - least + 1));
    return { failpoint: scenario, hit, phase: Math.floor(random() * 3) as 0 | 1 | 2 };
  }

  /** Starts a leader; resolves when it answers or has died. */
  private async lead(options: LeaderOptions): Promise<ChildProcess> {
    const leader = spawn(process.execPath, [path.join(this.work, 'leader.js'), JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<void>((resolve) => {
      leader.once('exit', () => resolve());
      onLine(leader, (line) => {
        if (line === 'ready') resolve();
        else if (line.startsWith('erased ')) this.erased.add(Number(line.slice(7)));
        else if (line.startsWith('found ')) this.note(line);
      });
    });
    return leader;
  }

  private note(line: string): void {
    const [, damaged, quarantined] = line.split(' ').map(Number);
    this.damaged += damaged ?? 0;
    this.quarantined += quarantined ?? 0;
  }

  /** One writer stays with the leader that is stopped, the other one goes to its successor; then it wakes. */
  private async suspend(
    leader: ChildProcess,
    options: LeaderOptions,
    random: () => number,
  ): Promise<ChildProcess> {
    await this.acknowledged(5 + Math.floor(random() * 15));
    leader.kill('SIGSTOP');
    const next = await this.lead({ ...options, epoch: options.epoch + 1 });
    const before = this.acked.size;
    await this.acknowledged(before + 3);
    leader.kill('SIGCONT');
    void exited(next).then(() => leader.kill('SIGKILL'));
    return next;
  }

  private acknowledged(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.acked.size >= count || this.done > 0) resolve();
        else this.onAck = look;
      };
      look();
    });
  }

  private send(socket: string, suspends: boolean): void {
    for (const [index, writer] of this.writers.entries()) {
      const task = {
        socket,
        from: 100 + index * 1000,
        count: this.sabotage === 'rename-in-place' ? 3 * EVENTS_A_WRITER : EVENTS_A_WRITER,
        // Only a stopped leader says nothing for so long; the second writer waits for it all the same.
        impatience: suspends && index === 0 ? 1500 : 0,
      };
      writer.stdin?.write(`${JSON.stringify(task)}\n`);
    }
  }

  private async verify(dir: string): Promise<Verdict | undefined> {
    const child = spawn(process.execPath, [path.join(this.work, 'verify.js'), dir, wasmPath()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    await new Promise((resolve) => child.once('close', resolve));
    return child.exitCode === 0 ? (JSON.parse(Buffer.concat(parts).toString('utf8')) as Verdict) : undefined;
  }

  private judge(verdict: Verdict | undefined, erases: boolean, report: CrashReport): void {
    report.acknowledged += this.acked.size;
    if (!verdict) {
      report.corrupted += 1;
      report.lost += this.acked.size;
      return;
    }
    const found = new Map<number, number>();
    for (const n of verdict.numbers) found.set(n, (found.get(n) ?? 0) + 1);
    for (const n of this.acked) {
      // An event that is to be erased once it is stored may be gone; one whose erase was confirmed must be.
      if (!found.has(n) && !(erases && n % 20 === ERASED)) report.lost += 1;
    }
    for (const n of this.erased) if (found.has(n)) report.corrupted += 1;
    for (const times of found.values()) if (times > 1) report.duplicated += times - 1;
    report.corrupted += verdict.mismatched + verdict.damaged + this.damaged;
    report.quarantined += verdict.quarantined + this.quarantined;
  }
}
