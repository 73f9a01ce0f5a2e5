import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runHook } from '../../src/cli/replay-hooks';
import { hookLauncherPath } from '../../src/platform/launcher';
import { silentLog } from '../../src/platform/log';
import { ApiClient } from '../../src/service/client';
import { chooseHost, type ChosenHost } from '../../scripts/vscode-host/choose';
import { CodeServerHost } from '../../test/host/support/code-server-host';
import { ElectronHost } from '../../test/host/support/electron-host';
import { productVsix } from '../../test/host/support/product';

const ROUNDS = 5;
const PATIENCE_MS = 60_000;

export interface ActivationReport {
  host: string;
  rounds: number;
  /** From the first line of the bundle to the end of `activate`, on the extension host's main thread; median. */
  main_thread_ms: number;
  main_thread_all_ms: number[];
  /** From the start of the activation to the first hook event that is on disk; median. */
  first_capture_ms: number;
  first_capture_all_ms: number[];
}

/** Activates the packaged extension in a real extension host, each time in a fresh one. */
export async function runActivationBench(): Promise<ActivationReport> {
  const root = path.resolve(__dirname, '..', '..');
  const packed = spawnSync('npm', ['run', '-s', 'package'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (packed.status !== 0) throw new Error('The extension could not be packaged.');
  const chosen = await chooseHost((line) => process.stderr.write(`${line}\n`));
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await oneRound(chosen));
  const mainThread = rounds.map((round) => round.mainThreadMs);
  const firstCapture = rounds.map((round) => round.firstCaptureMs);
  return {
    host: chosen.kind,
    rounds: ROUNDS,
    main_thread_ms: median(mainThread),
    main_thread_all_ms: mainThread,
    first_capture_ms: median(firstCapture),
    first_capture_all_ms: firstCapture,
  };
}

async function oneRound(chosen: ChosenHost): Promise<{ mainThreadMs: number; firstCaptureMs: number }> {
  const vsix = productVsix();
  if (!vsix) throw new Error('There is no package in dist/.');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kiro-learn-activation-'));
  const host =
    chosen.kind === 'electron'
      ? await ElectronHost.start(chosen, {})
      : await CodeServerHost.start(chosen, {});
  try {
    await host.installVsix(vsix);
    const window = await host.openWindow(folder);
    const storageDir = path.join(host.userData, 'User', 'globalStorage', 'kiro-learn.kiro-learn');
    const launcher = hookLauncherPath(storageDir);
    await until(() => existsSync(launcher));
    const stdin = JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      session_id: 'sess_00000000-0000-4000-8000-000000000009',
      cwd: folder,
      prompt: 'Where is the first event?',
    });
    await runHook(launcher, { argv: ['UserPromptSubmit'], env: null, stdin, cwd: folder });
    const recordedAt = await firstEventAt(storageDir);
    const log = await host.logs();
    const line = /^(\S+ \S+) \[info\] activation: main thread ([\d.]+) ms/m.exec(log);
    if (!line?.[1] || !line[2]) throw new Error('The extension did not log its activation.');
    const ended = Date.parse(`${line[1].replace(' ', 'T')}Z`) + new Date().getTimezoneOffset() * 60_000;
    await window.close();
    return { mainThreadMs: Number(line[2]), firstCaptureMs: recordedAt - (ended - Number(line[2])) };
  } finally {
    await host.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function firstEventAt(storageDir: string): Promise<number> {
  const client = new ApiClient({ storageDir, log: silentLog });
  try {
    for (const started = Date.now(); Date.now() - started < PATIENCE_MS; await delay(100)) {
      const { items } = await client.call('listEvents', { limit: 1 });
      const [row] = items;
      if (!row) continue;
      const { event } = await client.call('getEvent', { event_id: row.event_id });
      if (event?.recorded_at) return Date.parse(event.recorded_at);
    }
    throw new Error('No event arrived.');
  } finally {
    await client.dispose();
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (const started = Date.now(); !holds(); await delay(20)) {
    if (Date.now() - started > PATIENCE_MS) throw new Error('The extension did not start.');
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
