import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStore, type OpenedStore } from '../../src/cli/open-store';
import { encodeHookFrame } from '../../src/contract/hook-frame';
import { mintKey } from '../../src/platform/launcher-key';
import { silentLog } from '../../src/platform/log';
import { storagePaths } from '../../src/platform/paths';
import { bundle } from './support/bundle';
import { buildPrograms, runLauncher, storeWithLauncher, type Programs } from './support/hook-setup';

let programs: Programs;
let collector: string;
beforeAll(async () => {
  programs = await buildPrograms({ offline: true });
  collector = await bundle(
    'test/hook/support/collector-process.ts',
    path.join(programs.distDir, 'collector.js'),
  );
}, 120_000);
afterAll(() => programs.dispose());

function open(storageDir: string, serves = false): Promise<OpenedStore> {
  return openStore(storageDir, { log: silentLog, distDir: programs.distDir, serves });
}

function prompt(cwd: string, text: string, session = 'sess_later') {
  const payload = { session_id: session, hook_event_name: 'UserPromptSubmit', cwd, prompt: text };
  return { argv: ['UserPromptSubmit'], stdin: JSON.stringify(payload) };
}

async function promptsIn(storageDir: string): Promise<string[]> {
  const opened = await open(storageDir);
  const { items } = await opened.api.call('listEvents', { kinds: ['prompt'] });
  await opened.dispose();
  return items.map((row) => row.preview);
}

async function storeOf() {
  const store = await storeWithLauncher(programs);
  const workspace = path.join(path.dirname(store.storageDir), 'workspace');
  await mkdir(workspace);
  return { ...store, workspace };
}

/** The hook program in the launcher's second try, with all the time in the world. */
async function runProgram(storageDir: string, input: { cwd: string; payload: string }): Promise<string> {
  const runtime = await readFile(path.join(storagePaths(storageDir).bin, 'hook-runtime'), 'utf8');
  const program = path.join(/^bundle (.*)$/m.exec(runtime)?.[1] ?? '', 'hook.js');
  const child = spawn(process.execPath, [program, 'UserPromptSubmit', 'offline', '60000']);
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  const frame = { channel: 'stdin', cwd: input.cwd, host: '', idempotencyKey: mintKey(Date.now()) } as const;
  child.stdin.end(encodeHookFrame({ ...frame, payload: Buffer.from(input.payload) }));
  expect(await once(child, 'close')).toEqual([0, null]);
  return Buffer.concat(output).toString();
}

describe('a hook and a real collector', () => {
  it('stores a prompt once that a stopped leader got and the spool too', async () => {
    const { storageDir, launcher, spool, workspace } = await storeOf();
    const child = spawn(process.execPath, [collector, storageDir, programs.distDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    const run = await runLauncher(launcher, prompt(workspace, 'who is at the helm?'));
    expect(run).toMatchObject({ code: 0, stderr: '' });
    await vi.waitFor(
      async () => expect((await readdir(spool)).filter((name) => name.endsWith('.json'))).toHaveLength(1),
      {
        timeout: 20_000,
      },
    );
    child.kill('SIGCONT');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await promptsIn(storageDir)).toEqual(['who is at the helm?']);
    expect((await readdir(spool)).filter((name) => name.endsWith('.json'))).toEqual([]);
  });

  it('answers a prompt from the last image where nobody leads, and stores it later', async () => {
    const { storageDir, workspace } = await storeOf();
    const opened = await open(storageDir);
    const text = 'The berth calendar uses the PostgreSQL queue pg-boss, because Redis was dropped.';
    await opened.api.call('remember', { text, workspace });
    await opened.leader?.store.publish();
    await opened.dispose();
    const ask = prompt(workspace, 'which queue does the berth calendar use, pg-boss or Redis?');
    const answer = await runProgram(storageDir, { cwd: workspace, payload: ask.stdin });
    expect(answer).toMatch(/<kiro-learn-context[^>]*>[\s\S]*pg-boss[\s\S]*<\/kiro-learn-context>/);
    expect(await promptsIn(storageDir)).toEqual([
      'which queue does the berth calendar use, pg-boss or Redis?',
    ]);
  });

  it('answers nothing from the image in a folder that it does not know', async () => {
    const { storageDir, workspace } = await storeOf();
    const opened = await open(storageDir);
    await opened.api.call('remember', { text: 'The berth calendar uses pg-boss.', workspace });
    await opened.leader?.store.publish();
    await opened.dispose();
    const ask = prompt('/elsewhere', 'which queue does the berth calendar use?');
    expect(await runProgram(storageDir, { cwd: '/elsewhere', payload: ask.stdin })).toBe('');
  });

  it('answers with the memory of an earlier session while somebody leads', async () => {
    const { storageDir, launcher, workspace } = await storeOf();
    const opened = await open(storageDir, true);
    onTestFinished(() => opened.dispose());
    await opened.api.call('remember', { text: 'Slips are sorted by depth, never by name.', workspace });
    let session = 0;
    const context = await vi.waitFor(
      async () => {
        const question = 'how are slips sorted, by depth or by name?';
        const run = await runLauncher(launcher, prompt(workspace, question, `sess_${session++}`));
        expect(run).toMatchObject({ code: 0, stderr: '' });
        expect(run.stdout).not.toBe('');
        return run.stdout;
      },
      { timeout: 40_000 },
    );
    expect(context).toMatch(/<kiro-learn-context[^>]*>[\s\S]*sorted by depth[\s\S]*<\/kiro-learn-context>/);
  });
});
