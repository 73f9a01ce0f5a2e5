/** Replays a recorded session through the real hook program into a real store, and asks in a later session. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { openStore } from '../src/cli/open-store';
import { runHook } from '../src/cli/replay-hooks';
import { silentLog } from '../src/platform/log';
import { writeLauncher } from '../src/platform/launcher';
import type { LocalApi } from '../src/contract/local-api';

const root = path.resolve(__dirname, '..');
const distDir = path.join(root, 'dist');

const stepSchema = z.object({ event: z.string(), payload: z.record(z.string(), z.unknown()) });
const recordingSchema = z.object({
  workspace: z.string(),
  learned_in: z.object({ session_id: z.string(), title: z.string(), steps: z.array(stepSchema) }),
  recalled_in: z.object({ session_id: z.string(), prompts: z.array(z.string()) }),
});
type Recording = z.infer<typeof recordingSchema>;

function print(text = ''): void {
  process.stdout.write(`${text}\n`);
}

function title(text: string): void {
  print(`\n${text}\n${'='.repeat(text.length)}`);
}

/** Runs the hook program as the agent does: the event's name in argv, one JSON object on stdin. */
async function hook(launcher: string, event: string, payload: Record<string, unknown>): Promise<string> {
  const stdin = JSON.stringify({ hook_event_name: event, ...payload });
  const run = await runHook(launcher, { argv: [event], env: null, stdin, cwd: os.tmpdir() });
  if (run.exitCode !== 0) throw new Error(`The hook ended with ${run.exitCode}.`);
  return run.stdout.trim();
}

async function printEvents(api: LocalApi): Promise<void> {
  const { items } = await api.call('listEvents', { limit: 100 });
  for (const row of items.reverse()) {
    const failed = row.success === false ? ' FAILED' : '';
    const what = row.tool_name ? `${row.tool_name}${failed}: ${row.preview}` : row.preview;
    print(`${row.kind.padEnd(16)} ${what.replaceAll('\n', ' ⏎ ').slice(0, 150)}`);
  }
}

async function printMemories(api: LocalApi): Promise<void> {
  const { items } = await api.call('listMemories', { limit: 50 });
  for (const record of items) {
    print(`[${record.observation_type}] ${record.title}`);
    if (record.summary !== record.title) print(`    ${record.summary.replaceAll('\n', '\n    ')}`);
    for (const fact of record.facts) print(`    - ${fact}`);
  }
}

async function play(recording: Recording, folder: string): Promise<void> {
  const opened = await openStore(path.join(folder, 'store'), { log: silentLog, distDir, serves: true });
  try {
    const launcher = await writeLauncher({ storageDir: opened.storageDir, distDir });
    const { learned_in, recalled_in, workspace: cwd } = recording;
    title(`Session 1: ${learned_in.title}`);
    for (const { event, payload } of learned_in.steps) {
      await hook(launcher, event, { session_id: learned_in.session_id, cwd, ...payload });
    }
    await printEvents(opened.api);
    title('Learned from it, without a model');
    await opened.api.call('distilNow', {});
    await printMemories(opened.api);
    for (const prompt of recalled_in.prompts) {
      title(`Session 2, the user types: ${prompt}`);
      const { session_id } = recalled_in;
      print(
        (await hook(launcher, 'UserPromptSubmit', { session_id, cwd, prompt })) || '(nothing is injected)',
      );
    }
  } finally {
    await opened.dispose();
  }
}

async function main(): Promise<void> {
  const build = spawnSync(process.execPath, [path.join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' });
  if (build.status !== 0) throw new Error('The build failed.');
  const text = readFileSync(path.join(root, 'demo', 'recording.json'), 'utf8');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kiro-learn-demo-'));
  try {
    await play(recordingSchema.parse(JSON.parse(text)), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
