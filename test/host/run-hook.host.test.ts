import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHookFile, type RegisteredHook } from './support/hook-files';
import { runHook, type HookResult } from './support/run-hook';

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kl-hook-')));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const environment = { PATH: process.env['PATH'] ?? '', MARK: 'from the host' };

function only(hooks: RegisteredHook[]): RegisteredHook {
  const [hook, ...others] = hooks;
  if (hook === undefined || others.length > 0) throw new Error(`${hooks.length} hooks`);
  return hook;
}

function write(name: string, content: unknown): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function kiro0File(command: string, timeout: number): string {
  const then = { type: 'runCommand', command, timeout };
  return write('a.kiro.hook', {
    enabled: true,
    name: 'a',
    version: '1',
    when: { type: 'promptSubmit' },
    then,
  });
}

function kiro1File(command: string): string {
  const action = { type: 'command', command };
  const hook = { name: 'b', trigger: 'UserPromptSubmit', action, timeout: 8, enabled: true };
  return write('b.json', { version: 'v1', hooks: [hook] });
}

function run(hook: RegisteredHook, text: string): Promise<HookResult> {
  const input =
    hook.dialect === '0.x'
      ? { dialect: hook.dialect, userPrompt: text }
      : { dialect: hook.dialect, payload: { prompt: text } };
  const { command, timeoutSeconds } = hook;
  return runHook({ command, timeoutSeconds, cwd: folder, environment, input });
}

describe.skipIf(process.platform === 'win32')('running a hook as the agent does', () => {
  it('gives a 0.x hook the prompt in USER_PROMPT, the folder, the environment, and its output back', async () => {
    const hook = only(readHookFile(kiro0File('echo "$USER_PROMPT|$PWD|$MARK"; echo no >&2; exit 3', 8)));
    const result = await run(hook, 'why "this" $HOME?');
    expect(hook.trigger).toBe('promptSubmit');
    expect(result).toMatchObject({
      stdout: `why "this" $HOME?|${folder}|from the host\n`,
      stderr: 'no\n',
      exitCode: 3,
    });
  });

  it('never closes the stdin of a 0.x hook, and ends the whole command when its timeout has passed', async () => {
    const hook = only(readHookFile(kiro0File('echo started; cat; echo the end of stdin', 1)));
    const result = await run(hook, 'x');
    expect(result.exitCode).toBeNull();
    expect(result.stdout).toBe('started\n');
  });

  it('gives a 1.x hook one JSON object on stdin and then its end, with USER_PROMPT there and empty', async () => {
    const hook = only(readHookFile(kiro1File('cat; echo "|${USER_PROMPT-unset}|"')));
    const result = await run(hook, 'naïve?\n2');
    expect(hook).toMatchObject({ trigger: 'UserPromptSubmit', timeoutSeconds: 8, enabled: true });
    expect(result).toMatchObject({ stdout: '{"prompt":"naïve?\\n2"}||\n', exitCode: 0 });
  });

  it('refuses hook files that the agent would refuse', () => {
    expect(() => readHookFile(write('c.json', { version: 'v1', hooks: [] }))).toThrow();
    expect(() => readHookFile(write('d.json', { version: '1', hooks: [{ name: 'x' }] }))).toThrow();
    expect(() => readHookFile(write('e.kiro.hook', { version: 'v1', hooks: [] }))).toThrow();
  });
});
