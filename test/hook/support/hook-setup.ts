import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { HookFrame } from '../../../src/contract/hook-frame';
import { silentLog } from '../../../src/platform/log';
import { hookLauncherPath, writeLauncher } from '../../../src/platform/launcher';
import { ApiServer, type HookHandler } from '../../../src/service/server';
import { RecordingApi } from '../../service/support/recording-api';
import { leadershipOf, tempStore, type TempStore } from '../../service/support/temp-store';
import { bundle } from './bundle';

export interface Programs {
  distDir: string;
  leaderProcess: string;
  dispose(): Promise<void>;
}

/** Bundles the hook's programs once for a test file. */
export async function buildPrograms(options: { offline: boolean }): Promise<Programs> {
  const distDir = await mkdtemp(path.join(os.tmpdir(), 'kl-dist-'));
  await bundle('src/hook/main.ts', path.join(distDir, 'hook.js'));
  if (options.offline) await bundle('src/hook/offline.ts', path.join(distDir, 'offline.js'));
  const wasm = createRequire(__filename).resolve('sql.js/dist/sql-wasm.wasm');
  await cp(wasm, path.join(distDir, 'sql-wasm.wasm'));
  const leaderProcess = await bundle('test/hook/support/leader-process.ts', path.join(distDir, 'leader.js'));
  return {
    distDir,
    leaderProcess,
    dispose: () => rm(distDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/** A store with a launcher, and nobody who leads. */
export async function storeWithLauncher(
  programs: Programs,
): Promise<TempStore & { launcher: string; spool: string }> {
  const store = await tempStore();
  const launcher = await writeLauncher({
    storageDir: store.storageDir,
    distDir: programs.distDir,
    runtimes: [{ kind: 'node', path: process.execPath }],
  });
  if (launcher !== hookLauncherPath(store.storageDir)) throw new Error('unexpected launcher');
  await mkdir(path.join(store.storageDir, 'spool'), { recursive: true, mode: 0o700 });
  return { ...store, launcher, spool: path.join(store.storageDir, 'spool') };
}

/** Leads in this process; hooks are answered by `answer`, and kept. */
export async function leadHere(store: TempStore, answer: HookHandler['handle'] = () => Promise.resolve('')) {
  const role = await leadershipOf(store).acquire();
  if (role.role !== 'leader') throw new Error('expected to lead');
  const seen: { event: string; frame: HookFrame }[] = [];
  const server = new ApiServer({
    server: role.server,
    key: role.info.key,
    api: new RecordingApi(),
    hooks: {
      handle: (event, frame, signal) => {
        seen.push({ event, frame });
        return answer(event, frame, signal);
      },
    },
    version: '1.0.0',
    log: silentLog,
  });
  onTestFinished(() => server.dispose());
  return { seen, info: role.info };
}

/** Leads in a process of its own, killed when the test is over. */
export async function leadElsewhere(
  programs: Programs,
  store: TempStore,
): Promise<{ process: ChildProcess; seenFile: string }> {
  const seenFile = path.join(store.storageDir, 'seen');
  const child = spawn(
    process.execPath,
    [programs.leaderProcess, store.storageDir, store.runtimeDir, seenFile],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return { process: child, seenFile };
}

export interface HookInput {
  shell?: string;
  argv?: string[];
  env?: Record<string, string>;
  stdin?: string | Uint8Array;
  staysOpen?: boolean;
  cwd?: string;
}

export interface HookOutput {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  ms: number;
}

/** Runs a launcher as an agent does; waits for its end and for its output to be closed. */
export function runLauncher(launcher: string, input: HookInput): Promise<HookOutput> {
  const { USER_PROMPT: _prompt, VSCODE_PID: _pid, TERM_PROGRAM: _program, ...inherited } = process.env;
  const started = performance.now();
  const child = spawn(input.shell ?? 'sh', [launcher, ...(input.argv ?? ['UserPromptSubmit'])], {
    env: { ...inherited, ...input.env },
    cwd: input.cwd ?? os.tmpdir(),
  });
  child.stdin.on('error', () => undefined);
  if (input.stdin !== undefined) child.stdin.write(input.stdin);
  if (!input.staysOpen) child.stdin.end();
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.once('exit', () => child.stdin.destroy());
  return new Promise((resolve) => {
    child.once('close', (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
        ms: performance.now() - started,
      }),
    );
  });
}
