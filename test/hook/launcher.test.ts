import { spawnSync } from 'node:child_process';
import { mkdir, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leadershipOf } from '../service/support/temp-store';
import { buildPrograms, leadHere, runLauncher, storeWithLauncher, type Programs } from './support/hook-setup';

let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms({ offline: false });
});
afterAll(() => programs.dispose());

const shells = ['dash', 'bash'].filter((shell) => !spawnSync(shell, ['-c', ':']).error);
const prompt1x = {
  session_id: 'sess_1',
  hook_event_name: 'UserPromptSubmit',
  cwd: '/srv/demo',
  prompt: 'why?',
};

describe.each(shells)('launcher in %s', (shell) => {
  it('hands over what is in USER_PROMPT, does not touch stdin, and prints exactly what comes back', async () => {
    const store = await storeWithLauncher(programs);
    const context = '<kiro-learn-context>\n50% of "it" is \\n & ü 🚤\n</kiro-learn-context>';
    const { seen } = await leadHere(store, () => Promise.resolve(context));
    const cwd = await realpath(os.tmpdir());
    const run = await runLauncher(store.launcher, {
      shell,
      cwd,
      argv: ['promptSubmit'],
      env: { USER_PROMPT: "line 1\n\t'line' $2 🚤", TERM_PROGRAM: 'kiro', VSCODE_PID: '77' },
      staysOpen: true,
    });
    expect(run).toMatchObject({ code: 0, stdout: context, stderr: '' });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      event: 'promptSubmit',
      frame: { channel: 'env', cwd, host: 'kiro window:77' },
    });
    expect(Buffer.from(seen[0]?.frame.payload ?? []).toString()).toBe("line 1\n\t'line' $2 🚤");
  });

  it('hands over what is on stdin where USER_PROMPT is empty', async () => {
    const store = await storeWithLauncher(programs);
    const { seen } = await leadHere(store, () => Promise.resolve('ctx'));
    const stdin = JSON.stringify(prompt1x);
    const run = await runLauncher(store.launcher, { shell, env: { USER_PROMPT: '' }, stdin });
    expect(run).toMatchObject({ code: 0, stdout: 'ctx', stderr: '' });
    expect(seen[0]?.frame.channel).toBe('stdin');
    expect(Buffer.from(seen[0]?.frame.payload ?? []).toString()).toBe(stdin);
  });

  it('mints a key for each run that holds its time', async () => {
    const store = await storeWithLauncher(programs);
    const { seen } = await leadHere(store);
    const before = Date.now();
    for (let i = 0; i < 3; i++) await runLauncher(store.launcher, { shell, stdin: JSON.stringify(prompt1x) });
    const keys = seen.map(({ frame }) => frame.idempotencyKey);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) {
      expect(key).toMatch(/^\d{13}-[0-9a-f-]{24,36}$/);
      expect(Math.abs(Number(key.slice(0, 13)) - before)).toBeLessThan(60_000);
    }
  });

  it('takes 3 MB', async () => {
    const store = await storeWithLauncher(programs);
    const { seen } = await leadHere(store);
    const stdin = JSON.stringify({ ...prompt1x, prompt: 'tide '.repeat(630_000) });
    expect(await runLauncher(store.launcher, { shell, stdin })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(seen.map(({ frame }) => frame.payload.byteLength)).toEqual([Buffer.byteLength(stdin)]);
  });

  it('passes invalid UTF-8 on as it is and drops NUL bytes, which JSON text cannot hold', async () => {
    const store = await storeWithLauncher(programs);
    const { seen } = await leadHere(store);
    const stdin = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0xc3, 0x28, 0x25, 0x73, 0x5c, 0x6e, 0x7d]);
    expect(await runLauncher(store.launcher, { shell, stdin })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect([...(seen[0]?.frame.payload ?? [])]).toEqual([...stdin].filter((byte) => byte !== 0));
  });

  it('ends by itself and keeps nothing where stdin is never written and never closed', async () => {
    const store = await storeWithLauncher(programs);
    const { seen } = await leadHere(store);
    for (const argv of [['UserPromptSubmit'], ['agentStop']]) {
      const run = await runLauncher(store.launcher, {
        shell,
        argv,
        env: { USER_PROMPT: '' },
        staysOpen: true,
      });
      expect(run).toMatchObject({ code: 0, signal: null, stdout: '', stderr: '' });
    }
    expect(seen).toEqual([]);
    expect(await readdir(store.spool)).toEqual([]);
  });

  it('keeps what was written to a stdin that is never closed', async () => {
    const store = await storeWithLauncher(programs);
    const { seen } = await leadHere(store);
    const stdin = JSON.stringify(prompt1x);
    await runLauncher(store.launcher, { shell, stdin, staysOpen: true });
    expect(Buffer.from(seen[0]?.frame.payload ?? []).toString()).toBe(stdin);
  });

  it.each([[[]], [['']], [['../../rpc/status']], [['a b']], [["'; exit 3"]]])(
    'survives the arguments %j',
    async (argv) => {
      const store = await storeWithLauncher(programs);
      const { seen } = await leadHere(store);
      expect(await runLauncher(store.launcher, { shell, argv, stdin: '{}' })).toMatchObject({
        code: 0,
        stderr: '',
      });
      expect(seen.map(({ event }) => event)).toEqual(['']);
    },
  );

  it('ignores ~/.curlrc and proxies', async () => {
    const store = await storeWithLauncher(programs);
    const { seen } = await leadHere(store, () => Promise.resolve('ctx'));
    const home = path.join(store.storageDir, 'home');
    await mkdir(home);
    await writeFile(path.join(home, '.curlrc'), 'proxy = http://127.0.0.1:1\noutput = /dev/null\nverbose\n');
    const proxy = 'http://127.0.0.1:1';
    const env = { HOME: home, CURL_HOME: home, http_proxy: proxy, ALL_PROXY: proxy, HTTPS_PROXY: proxy };
    expect(await runLauncher(store.launcher, { shell, env, stdin: '{}' })).toMatchObject({
      code: 0,
      stdout: 'ctx',
      stderr: '',
    });
    expect(seen).toHaveLength(1);
  });

  it('shows the key in no process list', async () => {
    const store = await storeWithLauncher(programs);
    let lines: string[] = [];
    const { info } = await leadHere(store, async () => {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
      return '';
    });
    await runLauncher(store.launcher, { shell, stdin: '{}' });
    expect(lines.some((line) => line.includes('curl'))).toBe(true);
    expect(lines.filter((line) => line.includes(info.key))).toEqual([]);
  });

  it('ends with 0 where the working directory is gone', async () => {
    const store = await storeWithLauncher(programs);
    await leadHere(store, () => Promise.resolve('ctx'));
    const gone = path.join(store.storageDir, 'gone');
    await mkdir(gone);
    const script = `cd '${gone}' && rmdir '${gone}' && exec ${shell} '${store.launcher}' UserPromptSubmit`;
    const wrapper = path.join(store.storageDir, 'wrapper');
    await writeFile(wrapper, script);
    expect(await runLauncher(wrapper, { shell, stdin: '{}' })).toMatchObject({ code: 0, stdout: 'ctx' });
  });
});

describe('launcher without curl', () => {
  it('asks the leader through the runtime', async () => {
    const store = await storeWithLauncher(programs);
    const { seen } = await leadHere(store, () => Promise.resolve('ctx ü'));
    const bin = path.join(store.storageDir, 'few programs');
    await mkdir(bin);
    const env = { PATH: bin };
    const sh = await realpath('/bin/sh');
    const run = await runLauncher(store.launcher, { shell: sh, env, stdin: JSON.stringify(prompt1x) });
    expect(run).toMatchObject({ code: 0, stdout: 'ctx ü', stderr: '' });
    const second = await runLauncher(store.launcher, {
      shell: sh,
      env: { ...env, USER_PROMPT: 'hello' },
      argv: ['promptSubmit'],
      staysOpen: true,
    });
    expect(second).toMatchObject({ code: 0, stdout: 'ctx ü', stderr: '' });
    expect(seen.map(({ frame }) => frame.channel)).toEqual(['stdin', 'env']);
    expect(Buffer.from(seen[1]?.frame.payload ?? []).toString()).toBe('hello');
  });

  it('ends by itself where stdin is never closed', async () => {
    const store = await storeWithLauncher(programs);
    const env = { PATH: path.join(store.storageDir, 'nothing'), USER_PROMPT: '' };
    const sh = await realpath('/bin/sh');
    for (const argv of [['UserPromptSubmit'], ['Stop']]) {
      const run = await runLauncher(store.launcher, { shell: sh, argv, env, staysOpen: true });
      expect(run).toMatchObject({ code: 0, signal: null, stdout: '', stderr: '' });
    }
    expect(await readdir(store.spool)).toEqual([]);
  });
});

describe('launcher without a runtime', () => {
  it('drops the event, counts it, and ends with 0', async () => {
    const store = await storeWithLauncher(programs);
    const leadership = leadershipOf(store);
    await leadership.acquire();
    await leadership.release();
    await rm(path.join(store.storageDir, 'bin', 'hook-runtime'));
    const run = await runLauncher(store.launcher, { stdin: '{}' });
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await readdir(store.spool)).toEqual(['dropped']);
  });
});
