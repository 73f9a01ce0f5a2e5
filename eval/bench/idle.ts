import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const SECONDS = 60;
const SETTLE_MS = 8000;

export interface IdleReport {
  seconds: number;
  /** Share of one core, of the whole process: host thread and collector. */
  cpu_percent: number;
  /** The same of a process that holds a worker doing nothing. */
  empty_worker_cpu_percent: number;
  /** Files under global storage that were written meanwhile. */
  files_written: number;
  wakeups_per_minute: number;
  empty_worker_wakeups_per_minute: number;
}

/** What a collector costs while nothing happens: sessions folder watched, one window open, store idle. */
export async function runIdleBench(): Promise<IdleReport> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kiro-learn-idle-'));
  try {
    const storageDir = path.join(folder, 'storage');
    const home = path.join(folder, 'home');
    mkdirSync(path.join(home, '.kiro', 'sessions'), { recursive: true });
    const workspace = path.join(folder, 'workspace');
    mkdirSync(workspace);
    const empty = await measure(['-e', EMPTY_WORKER], undefined);
    const real = await measure(['-e', collectorScript(storageDir, home, workspace)], storageDir);
    return {
      seconds: SECONDS,
      cpu_percent: real.cpuPercent,
      empty_worker_cpu_percent: empty.cpuPercent,
      files_written: real.written,
      wakeups_per_minute: real.wakeups,
      empty_worker_wakeups_per_minute: empty.wakeups,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const EMPTY_WORKER = `
  const { Worker } = require('node:worker_threads');
  new Worker('require("node:worker_threads").parentPort.on("message", () => {})', { eval: true });
  console.log('ready');
`;

function collectorScript(storageDir: string, home: string, workspace: string): string {
  const dist = path.resolve(__dirname, '..', '..', 'dist');
  const data = {
    storageDir,
    distDir: dist,
    version: '0.0.0-bench',
    home,
    actorId: 'bench',
    hostName: os.hostname(),
    windowId: 'bench',
  };
  const window = {
    to: 'folders',
    folders: [{ path: workspace, trusted: true, settings: {} }],
    sessionsConsent: true,
    paused: false,
  };
  return `
    const { Worker } = require('node:worker_threads');
    const worker = new Worker(${JSON.stringify(path.join(dist, 'worker.js'))}, { workerData: ${JSON.stringify(data)} });
    worker.on('message', (message) => {
      if (message.from !== 'ready') return;
      worker.postMessage(${JSON.stringify(window)});
      console.log('ready');
    });
  `;
}

async function measure(args: string[], storageDir: string | undefined) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await new Promise<void>((resolve, reject) => {
      child.stdout.once('data', () => resolve());
      child.once('exit', (code) => reject(new Error(`The process ended with ${code}.`)));
    });
    await delay(SETTLE_MS);
    const pid = child.pid ?? 0;
    const before = usage(pid);
    const since = Date.now();
    await delay(SECONDS * 1000);
    const after = usage(pid);
    const cpuPercent = round(((after.cpuMs - before.cpuMs) / (SECONDS * 1000)) * 100);
    const wakeups = Math.round(((after.switches - before.switches) * 60) / SECONDS);
    return { cpuPercent, wakeups, written: storageDir ? writtenSince(storageDir, since) : 0 };
  } finally {
    child.kill('SIGKILL');
  }
}

function usage(pid: number): { cpuMs: number; switches: number } {
  if (process.platform !== 'linux') throw new Error('The idle bench reads /proc and runs on Linux only.');
  let cpuTicks = 0;
  let switches = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    cpuTicks += Number(fields[11]) + Number(fields[12]);
    const status = readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8');
    switches += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return { cpuMs: cpuTicks * 10, switches };
}

function writtenSince(folder: string, since: number): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && statSync(path.join(entry.parentPath, entry.name)).mtimeMs > since,
  ).length;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
