import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { MemoryEvent } from '../contract/event';
import type { Log } from '../platform/log';
import { writeLauncher } from '../platform/launcher';
import type { Leader } from '../service/leader';
import { UsageError } from './arguments';
import { mustLead, openStore } from './open-store';
import type { CliOutput } from './output';
import { added, totals } from './replay';

const hookCaseSchema = z.object({
  name: z.string(),
  argv: z.array(z.string()),
  env: z.record(z.string(), z.string()).nullable(),
  stdin: z.string().nullable(),
  stdin_base64: z.string().optional(),
  stdin_never_closes: z.boolean().optional(),
  cwd: z.string(),
});
export type HookCase = z.infer<typeof hookCaseSchema>;

export interface HookRunResult {
  exitCode: number | null;
  stdout: string;
}

const GIVE_UP_MS = 10_000;

/** Sends each case through the real launcher, as its file says, to a store that serves. */
export async function replayHookCases(
  folder: string,
  files: readonly string[],
  dir: string,
  log: Log,
): Promise<CliOutput<'replay'>> {
  const opened = await openStore(dir, { log, serves: true, distDir: __dirname });
  try {
    const leader = mustLead(opened);
    const before = totals(leader.store);
    const launcher = await writeLauncher({ storageDir: opened.storageDir, distDir: __dirname });
    const cases = [];
    for (const file of files) {
      const hookCase = await readCase(path.join(folder, file));
      const captured = capturedDuring(leader);
      const run = await runHook(launcher, hookCase);
      await opened.settled();
      await leader.drainSpool();
      const event = captured.stop();
      cases.push({
        name: hookCase.name,
        kind: event?.kind ?? ('none' as const),
        body_type: event?.body.type ?? null,
        event: event ?? null,
        exit_code: run.exitCode,
        stdout: run.stdout,
      });
    }
    await leader.collector.distilNow();
    return { read: { cases: cases.length }, added: added(before, totals(leader.store)), not_read: [], cases };
  } finally {
    await opened.dispose();
  }
}

async function readCase(file: string): Promise<HookCase> {
  const parsed = hookCaseSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new UsageError(`${path.basename(file)} is not a hook case.`);
}

/** The first event that the store takes while a case runs. */
function capturedDuring(leader: Leader): { stop(): MemoryEvent | undefined } {
  let eventId: string | undefined;
  const subscription = leader.api.subscribe((event) => {
    if (event.stream === 'event') eventId ??= event.row.event_id;
  });
  return {
    stop: () => {
      void subscription.dispose();
      return eventId === undefined ? undefined : leader.store.events.get(eventId);
    },
  };
}

/** Starts the launcher as an agent would: words in argv, the payload in `USER_PROMPT` or on stdin. */
export function runHook(launcher: string, hookCase: Omit<HookCase, 'name'>): Promise<HookRunResult> {
  const { USER_PROMPT: _inherited, ...inherited } = process.env;
  const child = spawn('sh', [launcher, ...hookCase.argv], {
    cwd: existsSync(hookCase.cwd) ? hookCase.cwd : os.tmpdir(),
    env: { ...inherited, ...(hookCase.env ?? {}) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const input = hookCase.stdin_base64
    ? Buffer.from(hookCase.stdin_base64, 'base64')
    : Buffer.from(hookCase.stdin ?? '', 'utf8');
  child.stdin.on('error', () => undefined);
  if (input.length > 0) child.stdin.write(input);
  if (!hookCase.stdin_never_closes) child.stdin.end();
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.resume();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout: Buffer.concat(output).toString('utf8') });
    });
    child.on('exit', () => child.stdin.destroy());
  });
}
