import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { findGitLayout, type GitLayout } from './git-layout';
import { normaliseRemote } from './remote-url';

/** What tells that two checkouts are clones of each other. */
export interface RepositoryFacts {
  /** Without credentials and in one spelling. */
  remote?: string;
  /** First commit of the history; unknown for shallow clones. */
  root_commit?: string;
  /** Identity of the directory that holds the objects; stays when a checkout is renamed. */
  directory?: string;
}

/** What the resolver asks of git. */
export interface GitPort {
  /** The repository of a local folder, links resolved; undefined where there is none. */
  locate(folder: string): Promise<GitLayout | undefined>;
  facts(layout: GitLayout): Promise<RepositoryFacts>;
}

const TIME_LIMIT_MS = 5000;
const OUTPUT_BYTES = 64 * 1024;
const CACHED = 200;

/**
 * No optional locks, no prompt, no fetch (partial clones fetch missing objects by themselves), no program named
 * by the repository's own configuration.
 */
const GUARDS = ['-c', 'core.fsmonitor=false', '-c', 'protocol.allow=never', '-c', 'core.hooksPath=/dev/null'];
const GUARD_ENV = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
};

export interface GitOptions {
  /** No program is started in folders that the user does not trust. */
  isTrusted(folder: string): boolean;
  command?: string;
}

/** The installed git; what it can't tell (not installed, too slow, not ours to read) stays unknown. */
export function createGit(options: GitOptions): GitPort {
  return new InstalledGit(options);
}

class InstalledGit implements GitPort {
  private readonly known = new Map<string, Promise<RepositoryFacts>>();

  constructor(private readonly options: GitOptions) {}

  locate(folder: string): Promise<GitLayout | undefined> {
    return findGitLayout(folder);
  }

  facts(layout: GitLayout): Promise<RepositoryFacts> {
    if (!this.options.isTrusted(layout.toplevel)) return Promise.resolve({});
    let facts = this.known.get(layout.commonDir);
    if (!facts) {
      facts = this.ask(layout);
      this.known.set(layout.commonDir, facts);
      const oldest = this.known.keys().next().value;
      if (this.known.size > CACHED && oldest !== undefined) this.known.delete(oldest);
    }
    return facts;
  }

  private async ask(layout: GitLayout): Promise<RepositoryFacts> {
    const [remote, shallow, directory] = await Promise.all([
      this.remote(layout),
      this.run(layout, ['rev-parse', '--is-shallow-repository']),
      directoryId(layout.commonDir),
    ]);
    // Along first parents a long history is walked in a fraction of the time, and every clone ends at the same commit.
    const roots =
      shallow === 'false'
        ? await this.run(layout, ['rev-list', '--max-parents=0', '--first-parent', 'HEAD'])
        : undefined;
    const rootCommit = roots?.split('\n').at(-1)?.trim();
    return {
      ...(remote === undefined ? {} : { remote }),
      ...(directory === undefined ? {} : { directory }),
      ...(rootCommit && /^[0-9a-f]{40,64}$/.test(rootCommit) ? { root_commit: rootCommit } : {}),
    };
  }

  private async remote(layout: GitLayout): Promise<string | undefined> {
    const lines =
      (await this.run(layout, ['config', '--get-regexp', '^remote\\..*\\.url$']))?.split('\n') ?? [];
    const origin = lines.find((line) => line.startsWith('remote.origin.url '));
    const url = (origin ?? lines[0])?.replace(/^\S+ /, '');
    return url === undefined ? undefined : normaliseRemote(url);
  }

  private run(layout: GitLayout, args: string[]): Promise<string | undefined> {
    return new Promise((resolve) => {
      execFile(
        this.options.command ?? 'git',
        [...GUARDS, `--git-dir=${layout.gitDir}`, ...args],
        {
          cwd: layout.toplevel,
          env: { ...withoutGitVariables(process.env), ...GUARD_ENV },
          timeout: TIME_LIMIT_MS,
          killSignal: 'SIGKILL',
          maxBuffer: OUTPUT_BYTES,
          windowsHide: true,
        },
        (error, stdout) => resolve(error ? undefined : stdout.trim()),
      );
    });
  }
}

/** File number and time of birth: numbers are reused, so both are needed. */
async function directoryId(folder: string): Promise<string | undefined> {
  try {
    const { ino, birthtimeNs } = await stat(folder, { bigint: true });
    return ino > 0n && birthtimeNs > 0n ? `${ino}:${birthtimeNs}` : undefined;
  } catch {
    return undefined;
  }
}

/** `GIT_DIR` and its kin of whoever started the host would answer for another repository. */
function withoutGitVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('GIT_')));
}
