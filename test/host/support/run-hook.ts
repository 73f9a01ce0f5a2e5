import { spawn } from 'node:child_process';

/** How Kiro 0.x starts a hook: the payload in the variable USER_PROMPT, a stdin that is opened and never closed. */
export interface PromptVariable {
  dialect: '0.x';
  userPrompt: string;
}

/** How Kiro 1.x starts a hook: one JSON object on stdin, then its end; USER_PROMPT is there and empty. */
export interface StdinPayload {
  dialect: '1.x';
  payload: Record<string, unknown>;
}

export interface HookCall {
  /** The command line out of a hook file; the platform's shell runs it. */
  command: string;
  /** The session's folder. */
  cwd: string;
  environment: Readonly<Record<string, string>>;
  input: PromptVariable | StdinPayload;
  /** The hook's own timeout as its file says, in seconds. */
  timeoutSeconds: number;
}

export interface HookResult {
  stdout: string;
  stderr: string;
  /** null when a signal ended it, which is how a missed timeout shows. */
  exitCode: number | null;
  milliseconds: number;
}

/**
 * Runs a hook command as the agent would: through the shell, in the session's folder, in a process group of its own that
 * gets SIGTERM when the hook's timeout has passed.
 */
export function runHook(call: HookCall): Promise<HookResult> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(call.command, {
      shell: true,
      cwd: call.cwd,
      env: { ...call.environment, USER_PROMPT: call.input.dialect === '0.x' ? call.input.userPrompt : '' },
      stdio: 'pipe',
      detached: process.platform !== 'win32',
    });
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    }, call.timeoutSeconds * 1000);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin.on('error', () => undefined);
    if (call.input.dialect === '1.x') child.stdin.end(JSON.stringify(call.input.payload));
    child.on('error', reject);
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      child.stdin.destroy();
      resolve({ stdout, stderr, exitCode, milliseconds: performance.now() - started });
    });
  });
}
