import type { HookRuntime } from './runtime-probe';

/** Folders that a path is written relative to, so that a batch file holds no letters that its code page lacks. */
const ENV_BASES = [
  'LOCALAPPDATA',
  'APPDATA',
  'USERPROFILE',
  'ProgramFiles',
  'ProgramFiles(x86)',
  'SystemRoot',
];

/**
 * The inside of a `"…"` in a batch file. `%` doubles; `&`, `'`, `(`, `^` mean nothing inside quotes; delayed
 * expansion is off. A path below a folder that Windows names in its environment is written with that name.
 */
export function cmdPath(file: string, env: NodeJS.ProcessEnv): string {
  const bases = ENV_BASES.flatMap((name) => {
    const value = env[name];
    return value && value.length > 3 ? [{ name, value: value.replace(/\\+$/, '') }] : [];
  }).sort((a, b) => b.value.length - a.value.length);
  const escape = (text: string) => text.replace(/%/g, '%%');
  for (const { name, value } of bases) {
    const head = file.slice(0, value.length + 1);
    if (head.toLowerCase() === `${value.toLowerCase()}\\`)
      return `%${name}%\\${escape(file.slice(head.length))}`;
  }
  return escape(file);
}

/**
 * The launcher for `cmd.exe`: starts the first runtime that is still there. `curl` knows no named pipes, so the
 * program asks the leader itself. Exits 0 when everything it names is gone.
 *
 * @param bundle name of the bundle's folder beside the launcher, ASCII
 * @param program file in that folder
 */
export function cmdLauncher(
  bundle: string,
  program: string,
  runtimes: readonly HookRuntime[],
  env: NodeJS.ProcessEnv,
): string {
  const paths = runtimes.map((runtime) => cmdPath(runtime.path, env));
  const plain = paths.every((text) => /^[\x00-\x7f]*$/.test(text));
  const lines = [
    '@echo off',
    'rem kiro-learn-ide: written by kiro-learn',
    'setlocal EnableExtensions DisableDelayedExpansion',
    ...(plain ? [] : ['chcp 65001 >nul']),
    `set "KL_PROGRAM=%~dp0${bundle}\\${program}"`,
    'if not exist "%KL_PROGRAM%" exit /b 0',
    'set "NODE_OPTIONS="',
    ...runtimes.flatMap((runtime, index) => [
      `if not exist "${paths[index] ?? ''}" goto after${index}`,
      ...(runtime.kind === 'electron' ? ['set "ELECTRON_RUN_AS_NODE=1"'] : []),
      `"${paths[index] ?? ''}" "%KL_PROGRAM%" %* 2>nul`,
      'exit /b 0',
      `:after${index}`,
    ]),
    'exit /b 0',
    '',
  ];
  return lines.join('\r\n');
}
