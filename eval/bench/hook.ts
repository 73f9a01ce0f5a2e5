import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { build } from 'esbuild';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { hookLauncherPath, writeLauncher } from '../../src/platform/launcher';
import { percentile, rounded } from '../retrieval/measures';
import { HOOK_BENCH_RECORDS, hookPrompts } from './hook-set';

const RUNS = 60;
const WARM_UP = 5;

interface Times {
  p50_ms: number;
  p95_ms: number;
}

export interface HookBenchReport {
  records: number;
  /** Runs of each kind, in turns. */
  runs: number;
  /** What hooks use here: `curl`, or `runtime` where there is none. */
  path: 'curl' | 'runtime';
  /** The runtime doing nothing. */
  runtime_start: Times;
  /** A prompt that is answered with context. */
  hook: Times;
  /** A tool payload that is stored. */
  tool_hook: Times;
  /** The same where `curl` is missing. */
  hook_runtime: Times;
  tool_hook_runtime: Times;
  /** The first prompt after the leader had started. */
  first_prompt_ms: number;
  /** Prompts that got context, of all prompts. */
  answered: number;
  prompts: number;
  /** Nothing that a hook could not hand over. */
  spooled: number;
  node: string;
}

interface Bench {
  base: string;
  dist: string;
  storage: string;
  workspace: string;
  /** A PATH with a shell's programs but no curl. */
  binWithoutCurl: string;
}

/** The hook as an agent starts it, beside the bare start of the runtime, in turns in one run. */
export async function runHookBench(): Promise<HookBenchReport> {
  const bench = await prepare();
  let leader: ChildProcess | undefined;
  try {
    leader = await serve(bench);
    return await measure(bench);
  } finally {
    leader?.kill('SIGKILL');
    rmSync(bench.base, { recursive: true, force: true });
  }
}

async function prepare(): Promise<Bench> {
  const base = mkdtempSync(path.join(os.tmpdir(), 'kiro-learn-hook-bench-'));
  const bench = {
    base,
    dist: path.join(base, 'dist'),
    storage: path.join(base, 'storage'),
    workspace: path.join(base, 'workspace'),
    binWithoutCurl: path.join(base, 'bin'),
  };
  for (const folder of Object.values(bench)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const root = path.resolve(__dirname, '..', '..');
  const programs = {
    hook: 'src/hook/main.ts',
    offline: 'src/hook/offline.ts',
    leader: 'eval/bench/hook-leader.ts',
  };
  for (const [name, entry] of Object.entries(programs)) {
    await build({
      entryPoints: [path.join(root, entry)],
      outfile: path.join(bench.dist, `${name}.js`),
      bundle: true,
      minify: true,
      platform: 'node',
      target: 'node20',
      logLevel: 'warning',
    });
  }
  const wasm = createRequire(__filename).resolve('sql.js/dist/sql-wasm.wasm');
  cpSync(wasm, path.join(bench.dist, 'sql-wasm.wasm'));
  const embedding = path.join(root, 'media', 'embedding');
  if (existsSync(embedding)) cpSync(embedding, path.join(bench.dist, 'embedding'), { recursive: true });
  const filled = spawnSync(process.execPath, leaderArgs(bench, 'fill'), {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (filled.status !== 0) throw new Error('The store of the bench could not be made.');
  await writeLauncher({
    storageDir: bench.storage,
    distDir: bench.dist,
    runtimes: [{ kind: 'node', path: process.execPath }],
  });
  return bench;
}

function leaderArgs({ dist, storage, workspace }: Bench, task: string): string[] {
  return [path.join(dist, 'leader.js'), task, storage, dist, workspace];
}

async function serve(bench: Bench): Promise<ChildProcess> {
  const child = spawn(process.execPath, leaderArgs(bench, 'serve'), { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

async function measure(bench: Bench): Promise<HookBenchReport> {
  const launcher = hookLauncherPath(bench.storage);
  const questions = hookPrompts(2 * (RUNS + WARM_UP) + 1);
  let asked = 0;
  let answered = 0;
  const prompt = async (env: NodeJS.ProcessEnv) => {
    const payload = promptPayload(bench.workspace, questions[asked % questions.length] ?? '', asked);
    asked++;
    const run = await timed('/bin/sh', [launcher, 'UserPromptSubmit'], payload, env);
    if (run.stdout.includes('<kiro-learn-context')) answered++;
    return run.ms;
  };
  let tools = 0;
  const tool = async (env: NodeJS.ProcessEnv) =>
    (await timed('/bin/sh', [launcher, 'PostToolUse'], toolPayload(bench.workspace, tools++), env)).ms;
  const withoutCurl = { ...process.env, PATH: bench.binWithoutCurl };
  const first = await prompt(process.env);
  const kinds = {
    runtime_start: async () => (await timed(process.execPath, ['-e', '0'], '', process.env)).ms,
    hook: () => prompt(process.env),
    tool_hook: () => tool(process.env),
    hook_runtime: () => prompt(withoutCurl),
    tool_hook_runtime: () => tool(withoutCurl),
  };
  const times = await inTurns(kinds);
  const hasCurl = spawnSync('/bin/sh', ['-c', 'command -v curl']).status === 0;
  const { spoolState } = await import('../../src/service/spool');
  return {
    records: HOOK_BENCH_RECORDS,
    runs: RUNS,
    path: hasCurl ? 'curl' : 'runtime',
    ...times,
    first_prompt_ms: rounded(first, 2),
    answered,
    prompts: asked,
    spooled: (await spoolState(path.join(bench.storage, 'spool'))).waiting,
    node: process.version,
  };
}

async function inTurns<K extends string>(kinds: Record<K, () => Promise<number>>): Promise<Record<K, Times>> {
  const names = Object.keys(kinds) as K[];
  const times = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let run = -WARM_UP; run < RUNS; run++) {
    for (const name of names) {
      const ms = await kinds[name]();
      if (run >= 0) times.get(name)?.push(ms);
    }
  }
  const report = names.map((name): [K, Times] => {
    const all = times.get(name) ?? [];
    return [name, { p50_ms: rounded(percentile(all, 0.5), 2), p95_ms: rounded(percentile(all, 0.95), 2) }];
  });
  return Object.fromEntries(report) as Record<K, Times>;
}

/** Each prompt in a session of its own: what a session was shown once is not shown again. */
function promptPayload(cwd: string, prompt: string, index: number): string {
  return JSON.stringify({
    session_id: `sess_bench-${index}`,
    hook_event_name: 'UserPromptSubmit',
    cwd,
    prompt,
  });
}

function toolPayload(cwd: string, index: number): string {
  return JSON.stringify({
    session_id: 'sess_bench-tools',
    hook_event_name: 'PostToolUse',
    cwd,
    tool_name: 'execute_bash',
    tool_input: { command: `npm test -- --shard ${index}`, cwd },
    tool_response: `Output:\n${`line ${index} of the test report, all is well\n`.repeat(80)}\nExit Code: 0`,
  });
}

/** From the start of the process until it has ended and its output is closed. */
function timed(
  program: string,
  argv: string[],
  stdin: string,
  env: NodeJS.ProcessEnv,
): Promise<{ ms: number; stdout: string }> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(program, argv, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
    child.on('error', reject);
    child.on('close', () => resolve({ ms: performance.now() - began, stdout }));
  });
}
