import path from 'node:path';
import { encodeHookFrame } from '../contract/hook-frame';
import { LIMITS } from '../contract/limits';
import { mintKey } from '../platform/launcher-key';
import { readStdin } from './input';
import { askLeader, readLeaderAddress } from './leader-call';
import type { OfflineRun } from './offline';

/**
 * The hook program for systems without `sh` and `curl`, and the launcher's second try: `<event>` alone reads
 * `USER_PROMPT` or standard input; `<event> frame|offline <ms>` gets a frame on standard input from the launcher
 * that failed to hand it over (`offline`: the leader was asked and stays silent). Always exits 0, in time.
 */
const started = Date.now();
const promptEvents: ReadonlySet<string> = new Set([
  'UserPromptSubmit',
  'userPromptSubmit',
  'promptSubmit',
  'prompt',
]);

interface Times {
  readMs: number;
  askMs: number;
  totalMs: number;
}

const lingerMs = 5000;
/** Starting the runtime has taken its part before the first line here runs. */
const startMs = 60;

function timesOf(isPrompt: boolean, given: string | undefined): Times {
  const handed = Number(given);
  if (handed > 0) return { readMs: handed / 2, askMs: handed / 3, totalMs: handed - startMs };
  if (isPrompt) {
    return { readMs: 400, askMs: LIMITS.promptLeaderMs, totalMs: LIMITS.promptDeadlineMs - 2 * startMs };
  }
  return { readMs: 150, askMs: 150, totalMs: LIMITS.hookDeadlineMs - 2 * startMs };
}

async function main(): Promise<void> {
  const [word = '', mode, given] = process.argv.slice(2);
  const event = /^[A-Za-z]{1,64}$/.test(word) ? word : '';
  const isPrompt = promptEvents.has(event);
  const times = timesOf(isPrompt, given);
  // A launcher that waits no longer has closed our output; an event that is not in the spool yet still gets there.
  setTimeout(end, mode ? Math.max(lingerMs, times.totalMs) : times.totalMs);
  const frame = mode ? await readStdin(times.readMs) : await collectFrame(times.readMs);
  if (!frame || frame.length === 0) return end();
  const storageDir = path.resolve(__dirname, '..', '..');
  const leader = mode === 'offline' ? undefined : readLeaderAddress(storageDir);
  const answer = leader && (await askLeader(leader, event, frame, times.askMs).catch(() => undefined));
  if (answer !== undefined) return print(answer);
  const deadline = started + times.totalMs;
  const run = { event, frame, storageDir, bundleDir: __dirname, now: Date.now(), deadline };
  if (mode) print(await offline(run));
  else await offlineElsewhere(run);
}

async function collectFrame(readMs: number): Promise<Uint8Array | undefined> {
  const fromEnv = process.env['USER_PROMPT'];
  const payload = fromEnv ? Buffer.from(fromEnv) : await readStdin(readMs);
  if (!payload || payload.length === 0) return undefined;
  const { VSCODE_PID: window, TERM_PROGRAM: program = '' } = process.env;
  return encodeHookFrame({
    channel: fromEnv ? 'env' : 'stdin',
    cwd: process.cwd(),
    idempotencyKey: mintKey(started),
    host: program + (window ? ` window:${window}` : ''),
    payload,
  });
}

function offline(run: OfflineRun): Promise<string> {
  const file = path.join(__dirname, 'offline.js');
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only where nobody answers
  const { runOffline } = require(file) as { runOffline(run: OfflineRun): Promise<string> };
  return runOffline(run);
}

/**
 * With no launcher that watches the time, the offline bundle runs in a process of its own: scrubbing and opening
 * an image block, and what is begun must be finished when this process has ended on time.
 */
async function offlineElsewhere(run: OfflineRun): Promise<void> {
  const { spawn } = await import('node:child_process');
  const remaining = String(Math.max(50, run.deadline - Date.now()));
  const argv = [__filename, run.event || '_', 'offline', remaining];
  const child = spawn(process.execPath, argv, {
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const chunks: Buffer[] = [];
  child.on('error', end);
  child.stdin.on('error', () => undefined).end(run.frame);
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => print(Buffer.concat(chunks)));
}

function print(text: string | Buffer): void {
  if (text.length === 0) end();
  else process.stdout.write(text, () => end());
}

function end(): void {
  process.exit(0);
}

process.on('uncaughtException', end);
process.on('unhandledRejection', end);
process.stdout.on('error', () => undefined);
main().catch(end);
