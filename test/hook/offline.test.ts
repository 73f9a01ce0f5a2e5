import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EventDraft } from '../../src/contract/event-draft';
import { SETTINGS, type Settings } from '../../src/contract/settings';
import { writeHookPolicy } from '../../src/service/hook-policy';
import { drainSpool, spoolState } from '../../src/service/spool';
import {
  buildPrograms,
  leadElsewhere,
  leadHere,
  runLauncher,
  storeWithLauncher,
  type HookInput,
  type Programs,
} from './support/hook-setup';

let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms({ offline: true });
});
afterAll(() => programs.dispose());

const secret = ['sk', 'live', 'z6iWlzLMxZbyK9pOyfGoGzfB'].join('_');
const cwd = '/srv/demo';

function prompt(text: string): HookInput {
  const payload = { session_id: 'sess_1', hook_event_name: 'UserPromptSubmit', cwd, prompt: text };
  return { argv: ['UserPromptSubmit'], stdin: JSON.stringify(payload) };
}

function tool(response: string): HookInput {
  const payload = {
    session_id: 'sess_1',
    hook_event_name: 'PostToolUse',
    cwd,
    tool_name: 'execute_bash',
    tool_input: { command: 'printenv' },
    tool_response: response,
  };
  return { argv: ['PostToolUse'], stdin: JSON.stringify(payload) };
}

/** A hook whose time is up on a busy machine ends before what it started has written the entry. */
function untilSpooled(spool: string, count: number): Promise<void> {
  return vi.waitFor(async () => expect((await spoolState(spool)).waiting).toBe(count), { timeout: 20_000 });
}

async function drained(spool: string, count: number): Promise<EventDraft[]> {
  await untilSpooled(spool, count);
  const drafts: EventDraft[] = [];
  await drainSpool(spool, (draft) => {
    drafts.push(draft);
    return Promise.resolve();
  });
  return drafts;
}

/** All bytes below a folder, to look for what must not be there. */
async function everything(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter(
    (entry) => entry.isFile() && !entry.name.endsWith('.js') && !entry.name.endsWith('.wasm'),
  );
  return files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1')).join('\n');
}

const ended = { code: 0, signal: null, stdout: '', stderr: '' };

describe('a hook with nobody to hand it to', () => {
  it('leaves the event in the spool, scrubbed, for the owner alone', async () => {
    const store = await storeWithLauncher(programs);
    const run = await runLauncher(
      store.launcher,
      tool(`Output:\nSTRIPE_SECRET_KEY=${secret}\n\nExit Code: 0`),
    );
    expect(run).toMatchObject(ended);
    await untilSpooled(store.spool, 1);
    const [name = ''] = await readdir(store.spool);
    expect((await stat(path.join(store.spool, name))).mode & 0o777).toBe(0o600);
    expect(await everything(store.storageDir)).not.toContain(secret);
    const [draft] = await drained(store.spool, 1);
    expect(draft).toMatchObject({ kind: 'tool_use', session_id: 'sess_1', cwd, surface: 'kiro-ide' });
    expect(JSON.stringify(draft?.body)).toContain('printenv');
    expect(await readdir(store.spool)).toEqual([]);
  });

  it('leaves out what is marked private', async () => {
    const store = await storeWithLauncher(programs);
    await runLauncher(store.launcher, prompt('keep this <private>but not that</private>'));
    await untilSpooled(store.spool, 1);
    expect(await everything(store.storageDir)).not.toContain('not that');
    const [draft] = await drained(store.spool, 1);
    expect(draft?.body).toMatchObject({ content: expect.stringContaining('keep this') as string });
  });

  it('keeps the order of the runs', async () => {
    const store = await storeWithLauncher(programs);
    for (const text of ['one', 'two', 'three']) await runLauncher(store.launcher, prompt(text));
    const texts = (await drained(store.spool, 3)).map((draft) => draft.body);
    expect(texts).toEqual(['one', 'two', 'three'].map((content) => ({ type: 'text', content })));
  });

  it('keeps what 0.x puts in USER_PROMPT', async () => {
    const store = await storeWithLauncher(programs);
    const run = await runLauncher(store.launcher, {
      argv: ['promptSubmit'],
      env: { USER_PROMPT: 'why does it skip the 31st?' },
      staysOpen: true,
    });
    expect(run).toMatchObject(ended);
    expect((await drained(store.spool, 1))[0]).toMatchObject({
      kind: 'prompt',
      body: { type: 'text', content: 'why does it skip the 31st?' },
    });
  });

  it('keeps nothing of bad input', async () => {
    const store = await storeWithLauncher(programs);
    for (const stdin of [
      '',
      '  \n',
      'not json',
      '{"hook_event_name":"PostToolUse","tool',
      '[1]',
      '\0\0\0',
      '\ufeff',
    ]) {
      expect(await runLauncher(store.launcher, { argv: ['PostToolUse'], stdin })).toMatchObject(ended);
    }
    expect(await readdir(store.spool)).toEqual([]);
  });

  it('cuts 3 MB to what an event may hold', async () => {
    const store = await storeWithLauncher(programs);
    const text = 'the tide table of the inner harbour\n'.repeat(90_000);
    expect(await runLauncher(store.launcher, prompt(text))).toMatchObject(ended);
    const [draft] = await drained(store.spool, 1);
    const content = draft?.body.type === 'text' ? draft.body.content : '';
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(512 * 1024);
    expect(content.startsWith('the tide table')).toBe(true);
  });

  it('keeps nothing of folders that are not trusted, and nothing while all is paused', async () => {
    const store = await storeWithLauncher(programs);
    const settings = Object.fromEntries(
      Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
    ) as Settings;
    const folder = { path: cwd, trusted: false, settings };
    await writeHookPolicy(store.storageDir, { everywhere: false, namespaces: [], folders: [folder] });
    await runLauncher(store.launcher, prompt('in a folder that is not trusted'));
    await writeHookPolicy(store.storageDir, { everywhere: true, namespaces: [], folders: [] });
    await runLauncher(store.launcher, prompt('while paused'));
    await writeFile(path.join(store.storageDir, 'hook-policy.json'), '{oops');
    await runLauncher(store.launcher, prompt('while nobody knows'));
    expect(await readdir(store.spool)).toEqual([]);
    await writeHookPolicy(store.storageDir, {
      everywhere: false,
      namespaces: [],
      folders: [{ ...folder, trusted: true, settings: { ...settings, excludeGlobs: ['secrets/**'] } }],
    });
    const excluded = { path: `${cwd}/secrets/a.txt`, text: 'the content' };
    const payload = {
      session_id: 's',
      hook_event_name: 'PostToolUse',
      cwd,
      tool_name: 'fs_write',
      tool_input: excluded,
      tool_response: 'ok',
    };
    await runLauncher(store.launcher, { argv: ['PostToolUse'], stdin: JSON.stringify(payload) });
    expect(await everything(store.spool)).not.toContain('the content');
    expect(await drained(store.spool, 1)).toHaveLength(1);
  });
});

describe('a hook whose leader does not answer', () => {
  it.each([prompt('is anybody there?'), tool('Output:\nok\n\nExit Code: 0')])(
    'ends in time where the leader is stopped, and the event is kept once',
    async (input) => {
      const store = await storeWithLauncher(programs);
      const leader = await leadElsewhere(programs, store);
      leader.process.kill('SIGSTOP');
      expect(await runLauncher(store.launcher, input)).toMatchObject(ended);
      await untilSpooled(store.spool, 1);
      const keys = await entryKeys(store.spool);
      leader.process.kill('SIGCONT');
      while (!(await readFile(leader.seenFile, 'utf8').catch(() => ''))) await new Promise(setImmediate);
      expect((await readFile(leader.seenFile, 'utf8')).trim()).toBe(keys[0]);
      const [draft] = await drained(store.spool, 1);
      expect(Date.parse(draft?.valid_time ?? '')).toBe(Number(keys[0]?.split('-')[0]));
      expect(draft?.identity).toContain(keys[0]);
    },
  );

  it('asks nobody where the leader was killed and its socket lies there', async () => {
    const store = await storeWithLauncher(programs);
    const leader = await leadElsewhere(programs, store);
    leader.process.kill('SIGKILL');
    await new Promise((resolve) => leader.process.once('exit', resolve));
    expect(await runLauncher(store.launcher, prompt('still here'))).toMatchObject(ended);
    expect(await drained(store.spool, 1)).toHaveLength(1);
  });

  it('shows nothing to a stranger in whose folder the socket lies', async () => {
    const store = await storeWithLauncher(programs);
    const { seen, info } = await leadHere(store, () => Promise.resolve('from a stranger'));
    await chmod(path.dirname(info.address), 0o777);
    const withoutCurl = { ...prompt('second'), env: { PATH: '/nonexistent' }, shell: '/bin/sh' };
    expect(await runLauncher(store.launcher, withoutCurl)).toMatchObject(ended);
    expect(seen).toEqual([]);
    const link = path.join(store.storageDir, 'l');
    await symlink(path.dirname(info.address), link);
    for (const file of ['leader.json', 'leader.curl']) {
      const text = await readFile(path.join(store.storageDir, file), 'utf8');
      const moved = text.replaceAll(path.dirname(info.address), link);
      await writeFile(path.join(store.storageDir, file), moved);
    }
    expect(await runLauncher(store.launcher, prompt('first'))).toMatchObject(ended);
    expect(seen).toEqual([]);
    expect(await drained(store.spool, 2)).toHaveLength(2);
  });

  it('keeps the event where the leader refuses the key or fails', async () => {
    const store = await storeWithLauncher(programs);
    await leadHere(store, () => Promise.reject(new Error('disk full')));
    expect(await runLauncher(store.launcher, prompt('first'))).toMatchObject(ended);
    for (const file of ['leader.json', 'leader.curl']) {
      const text = await readFile(path.join(store.storageDir, file), 'utf8');
      await writeFile(path.join(store.storageDir, file), text.replace(/[\w-]{43}/, 'x'.repeat(43)));
    }
    expect(await runLauncher(store.launcher, prompt('second'))).toMatchObject(ended);
    expect(await drained(store.spool, 2)).toHaveLength(2);
  });

  it('survives damaged leader files', async () => {
    const store = await storeWithLauncher(programs);
    for (const text of [
      '',
      '# x y',
      '#',
      '\0\0',
      '# 99999999999999999999999 /nowhere/x.sock\n',
      'url = "http://example.com"',
    ]) {
      await writeFile(path.join(store.storageDir, 'leader.curl'), text);
      await writeFile(path.join(store.storageDir, 'leader.json'), text);
      expect(await runLauncher(store.launcher, prompt('still here'))).toMatchObject(ended);
    }
    expect(await drained(store.spool, 6)).toHaveLength(6);
  });
});

describe('a spool that can not be written', () => {
  it('does not follow a link', async () => {
    const store = await storeWithLauncher(programs);
    const elsewhere = path.join(store.storageDir, 'elsewhere');
    await mkdir(elsewhere);
    await rm(store.spool, { recursive: true });
    await symlink(elsewhere, store.spool);
    expect(await runLauncher(store.launcher, prompt('not there'))).toMatchObject(ended);
    expect(await readdir(elsewhere)).toEqual([]);
    await expect(drainSpool(store.spool, () => Promise.resolve())).rejects.toThrow('is not a directory');
  });

  it('ends with 0 where a file sits in its place', async () => {
    const store = await storeWithLauncher(programs);
    await rm(store.spool, { recursive: true });
    await writeFile(store.spool, '');
    expect(await runLauncher(store.launcher, prompt('nowhere'))).toMatchObject(ended);
  });

  it('drops and counts what is too much', async () => {
    const store = await storeWithLauncher(programs);
    await Promise.all(
      Array.from({ length: 2000 }, (_, i) =>
        writeFile(
          path.join(store.spool, `${String(i).padStart(14, '0')}-${'0'.repeat(14)}-${'a'.repeat(16)}.json`),
          '',
        ),
      ),
    );
    expect(await runLauncher(store.launcher, prompt('one too many'))).toMatchObject(ended);
    expect(await spoolState(store.spool)).toEqual({ waiting: 2000, dropped: 1 });
    await appendFile(path.join(store.spool, 'dropped'), 'r');
    expect((await spoolState(store.spool)).dropped).toBe(2);
  });
});

async function entryKeys(spool: string): Promise<string[]> {
  const names = (await readdir(spool)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(spool, name), 'utf8')));
  return texts.map((text) => (JSON.parse(text) as { key: string }).key);
}
