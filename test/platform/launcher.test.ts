import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hookLauncherPath, writeLauncher } from '../../src/platform/launcher';
import { cmdLauncher, cmdPath } from '../../src/platform/launcher-cmd';
import { shLauncher, shQuote } from '../../src/platform/launcher-sh';

const awkward = [
  '/plain',
  '/with space/x',
  "/it's",
  '/50% off & more',
  '/$HOME/`id`/\\n',
  '/Zoë/日本/🚤',
  '/"quoted"',
  '/-n',
  '/a;b|c>d',
];

async function folder(name = 'global storage'): Promise<string> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'kl-'));
  onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const made = path.join(base, name);
  await mkdir(made, { recursive: true });
  return made;
}

async function distWith(files: Record<string, string>): Promise<string> {
  const dist = await folder('dist');
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(dist, name), text);
  return dist;
}

describe('quoting', () => {
  it.each(awkward)('a shell reads %s back as it was', (text) => {
    for (const shell of ['dash', 'bash', 'sh']) {
      if (spawnSync(shell, ['-c', ':']).error) continue;
      expect(execFileSync(shell, ['-c', `printf %s ${shQuote(text)}`]).toString()).toBe(text);
    }
  });

  it('quotes for sh', () => {
    expect(shQuote("/Users/Zoë O'Neil/50% & x")).toBe(`'/Users/Zoë O'\\''Neil/50% & x'`);
    expect(shLauncher("/it's/here")).toContain(`\nstorage='/it'\\''s/here'\n`);
  });

  it('quotes for cmd', () => {
    const env = {
      LOCALAPPDATA: 'C:\\Users\\Zoë\\AppData\\Local',
      USERPROFILE: 'C:\\Users\\Zoë',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    };
    expect(cmdPath('c:\\users\\zoë\\appdata\\local\\Programs\\Kiro\\Kiro.exe', env)).toBe(
      '%LOCALAPPDATA%\\Programs\\Kiro\\Kiro.exe',
    );
    expect(cmdPath('C:\\Users\\Zoë\\nvm\\100% & done\\node.exe', env)).toBe(
      '%USERPROFILE%\\nvm\\100%% & done\\node.exe',
    );
    expect(cmdPath('C:\\Program Files (x86)\\node.exe', env)).toBe('%ProgramFiles(x86)%\\node.exe');
    expect(cmdPath("D:\\it's (here)\\node.exe", env)).toBe("D:\\it's (here)\\node.exe");
  });

  it('writes a batch file that names what it starts and ends with 0', () => {
    const text = cmdLauncher(
      'b-0123456789abcdef',
      'hook.js',
      [
        { kind: 'node', path: 'C:\\Program Files\\nodejs\\node.exe' },
        { kind: 'electron', path: 'C:\\Users\\A&B\\Kiro\\Kiro.exe' },
      ],
      { ProgramFiles: 'C:\\Program Files' },
    );
    expect(text.split('\r\n')).toEqual([
      '@echo off',
      'rem kiro-learn-ide: written by kiro-learn',
      'setlocal EnableExtensions DisableDelayedExpansion',
      'set "KL_PROGRAM=%~dp0b-0123456789abcdef\\hook.js"',
      'if not exist "%KL_PROGRAM%" exit /b 0',
      'set "NODE_OPTIONS="',
      'if not exist "%ProgramFiles%\\nodejs\\node.exe" goto after0',
      '"%ProgramFiles%\\nodejs\\node.exe" "%KL_PROGRAM%" %* 2>nul',
      'exit /b 0',
      ':after0',
      'if not exist "C:\\Users\\A&B\\Kiro\\Kiro.exe" goto after1',
      'set "ELECTRON_RUN_AS_NODE=1"',
      '"C:\\Users\\A&B\\Kiro\\Kiro.exe" "%KL_PROGRAM%" %* 2>nul',
      'exit /b 0',
      ':after1',
      'exit /b 0',
      '',
    ]);
  });

  it('changes the code page only where a path needs it', () => {
    const launcher = (file: string) => cmdLauncher('b-1', 'hook.js', [{ kind: 'node', path: file }], {});
    expect(launcher('D:\\Zoë\\node.exe')).toContain('chcp 65001');
    expect(launcher('D:\\Zoe\\node.exe')).not.toContain('chcp');
  });
});

describe('writeLauncher', () => {
  const node = [{ kind: 'node' as const, path: process.execPath }];

  it('writes launchers for the owner alone and copies the programs', async () => {
    const storageDir = await folder();
    const distDir = await distWith({
      'hook.js': '1',
      'offline.js': '2',
      'sql-wasm.wasm': '3',
      'extension.js': '4',
    });
    const launcher = await writeLauncher({ storageDir, distDir, runtimes: node });
    expect(launcher).toBe(hookLauncherPath(storageDir));
    expect((await stat(launcher)).mode & 0o777).toBe(0o700);
    const runtime = await readFile(path.join(storageDir, 'bin', 'hook-runtime'), 'utf8');
    const bundle = /^bundle (.*)$/m.exec(runtime)?.[1] ?? '';
    expect((await readdir(bundle)).sort()).toEqual(['hook.js', 'offline.js', 'sql-wasm.wasm']);
    expect(runtime).toContain(`\nnode ${process.execPath}\n`);
  });

  it('takes over a new build, keeps the one before for hooks that run, and drops older ones', async () => {
    const storageDir = await folder();
    const bin = path.join(storageDir, 'bin');
    const seen: string[] = [];
    for (let build = 0; build < 5; build++) {
      const distDir = await distWith({ 'hook.js': `build ${build}` });
      await writeLauncher({ storageDir, distDir, runtimes: node });
      for (const name of await readdir(bin)) {
        if (!name.startsWith('b-') || seen.includes(name)) continue;
        seen.push(name);
        await utimes(path.join(bin, name), build, build);
      }
    }
    const kept = (await readdir(bin)).filter((name) => name.startsWith('b-'));
    expect(kept.sort()).toEqual(seen.slice(-3).sort());
  });

  it('may be called by several windows at once', async () => {
    const storageDir = await folder();
    const distDir = await distWith({ 'hook.js': 'x', 'offline.js': 'y' });
    await Promise.all([1, 2, 3].map(() => writeLauncher({ storageDir, distDir, runtimes: node })));
    const names = await readdir(path.join(storageDir, 'bin'));
    expect(names.filter((name) => name.includes('tmp'))).toEqual([]);
    expect(names.filter((name) => name.startsWith('b-'))).toHaveLength(1);
  });

  it('refuses a build without a hook program', async () => {
    await expect(
      writeLauncher({ storageDir: await folder(), distDir: await distWith({}), runtimes: node }),
    ).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each(['dash', 'bash'])(
    '%s parses the launcher and ends with 0 when everything it names is gone',
    async (shell) => {
      if (spawnSync(shell, ['-c', ':']).error) return;
      const storageDir = await folder("it's 50% & gone");
      const distDir = await distWith({ 'hook.js': 'x' });
      const launcher = await writeLauncher({ storageDir, distDir, runtimes: node });
      expect(spawnSync(shell, ['-n', launcher]).status).toBe(0);
      const copy = path.join(await folder(), 'launcher');
      await writeFile(copy, await readFile(launcher));
      await rm(storageDir, { recursive: true });
      for (const argv of [['UserPromptSubmit'], [], ['a b; exit 3']]) {
        const run = spawnSync(shell, [copy, ...argv], { input: '{"prompt":"x"}' });
        expect([run.status, String(run.stdout), String(run.stderr)]).toEqual([0, '', '']);
      }
    },
  );
});
