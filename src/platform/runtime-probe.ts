import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';

/** A JavaScript runtime that was seen to run a script. */
export interface HookRuntime {
  /** `electron`: runs as Node only with `ELECTRON_RUN_AS_NODE=1`. */
  kind: 'node' | 'electron';
  /** Absolute. */
  path: string;
}

export interface RuntimeProbeOptions {
  execPath?: string;
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  timeoutMs?: number;
}

const oldestNode = 18;

/**
 * The runtimes that a hook may use, best first: `node` from PATH, which starts faster than an Electron, then the
 * host's own program. Each was made to print a random word first: where Electron's fuse is off, starting it
 * would open a window of the IDE at every hook.
 */
export async function probeRuntimes(options: RuntimeProbeOptions = {}): Promise<HookRuntime[]> {
  const execPath = options.execPath ?? process.execPath;
  const candidates: HookRuntime[] = [];
  const onPath = await findOnPath(options);
  if (onPath && onPath !== execPath) candidates.push({ kind: 'node', path: onPath });
  const isNode = /^node(\.exe)?$/i.test(path.basename(execPath));
  candidates.push({ kind: isNode ? 'node' : 'electron', path: execPath });
  const answered = await Promise.all(candidates.map((runtime) => runs(runtime, options)));
  return candidates.filter((_, index) => answered[index]);
}

async function findOnPath({ env = process.env, platform = process.platform }: RuntimeProbeOptions) {
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const folders = (env.PATH ?? env.Path ?? '').split(platform === 'win32' ? ';' : ':');
  for (const folder of folders) {
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, name);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}

/** Starts `runtime` for one script, killed after 2 s; true where it printed the word and is recent enough. */
function runs(runtime: HookRuntime, options: RuntimeProbeOptions): Promise<boolean> {
  const word = randomBytes(12).toString('hex');
  const script = `process.stdout.write('${word} '+process.versions.node)`;
  const { NODE_OPTIONS: _options, ...env } = options.env ?? process.env;
  return new Promise((resolve) => {
    execFile(
      runtime.path,
      ['-e', script],
      {
        env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
        timeout: options.timeoutMs ?? 2000,
        killSignal: 'SIGKILL',
        windowsHide: true,
        maxBuffer: 4096,
      },
      (error, stdout) => {
        const [said, version = ''] = stdout.split(' ');
        resolve(!error && said === word && Number.parseInt(version, 10) >= oldestNode);
      },
    );
  });
}
