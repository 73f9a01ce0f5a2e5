import { spawn, type ChildProcess } from 'node:child_process';
import { access, constants, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type ClientContext,
} from '@agentclientprotocol/sdk';
import { DISTILLER_AGENT, DISTILLER_MARK, distillerAgentPath } from './distiller-agent';
import {
  ModelFailedError,
  ModelUnavailableError,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
} from './provider';

export interface AcpOptions {
  home: string;
  /** The agent's working folder: below our own storage, so that its sessions are known as ours. */
  workDir: string;
  version: string;
  env: NodeJS.ProcessEnv;
  /** Told the id of each session before anything is said in it, so that capture passes it over. */
  onSession(sessionId: string): Promise<void>;
  platform?: NodeJS.Platform;
}

const PROGRAM = 'kiro-cli';
const PROMPT_TOKENS = 24_000;
const REPLY_TOKENS = 2000;
const CHARS_A_TOKEN = 8;
const KILL_AFTER_MS = 2000;
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

interface Conversation {
  /** What the agent said so far. */
  text: string;
  prompted: boolean;
}

/** kiro-cli, asked over the Agent Client Protocol; a process of its own for each question. */
export class AcpProvider implements ModelProvider {
  readonly name = 'kiro-cli';
  readonly promptTokens = PROMPT_TOKENS;
  readonly replyTokens = REPLY_TOKENS;

  constructor(private readonly options: AcpOptions) {}

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const program = await this.find();
    await mkdir(this.options.workDir, { recursive: true, mode: 0o700 });
    const child = spawn(program, ['acp', '--agent', DISTILLER_AGENT], {
      cwd: this.options.workDir,
      env: { ...this.options.env, [DISTILLER_MARK]: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const state = { text: '', prompted: false };
    const failure = () =>
      state.prompted
        ? new ModelFailedError('kiro-cli gave no answer.')
        : new ModelUnavailableError('unreachable', 'kiro-cli could not be started.');
    const ended = new Promise<never>((_resolve, reject) => {
      child.once('error', () => reject(failure()));
      child.once('exit', () => reject(failure()));
      const late = () => reject(new ModelFailedError('kiro-cli did not answer in time.'));
      signal.addEventListener('abort', late, { once: true });
    });
    ended.catch(() => undefined);
    child.stdin.on('error', () => undefined);
    try {
      return await Promise.race([this.converse(child, request, state), ended]);
    } catch (error) {
      if (error instanceof ModelFailedError || error instanceof ModelUnavailableError) throw error;
      throw failure();
    } finally {
      stop(child);
    }
  }

  private async converse(
    child: ChildProcess,
    request: ModelRequest,
    state: Conversation,
  ): Promise<ModelReply> {
    const { stdin, stdout } = child;
    if (!stdin || !stdout) throw new ModelUnavailableError('unreachable', 'kiro-cli could not be started.');
    const maxChars = request.maxTokens * CHARS_A_TOKEN;
    const app = client({ name: 'kiro-learn' })
      .onRequest(methods.client.session.requestPermission, () => ({
        outcome: { outcome: 'cancelled' as const },
      }))
      .onNotification(methods.client.session.update, ({ params }) => {
        const { update } = params;
        if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') return;
        if (state.text.length < maxChars) state.text += update.content.text;
      })
      .onNotification('*', () => undefined);
    const stream = ndJsonStream(
      Writable.toWeb(stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
      { maxMessageBytes: MAX_MESSAGE_BYTES },
    );
    return app.connectWith(stream, (agent) => this.ask(agent, request, state));
  }

  private async ask(agent: ClientContext, request: ModelRequest, state: Conversation): Promise<ModelReply> {
    const { version, workDir, onSession } = this.options;
    await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'kiro-learn', version },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: workDir, mcpServers: [] });
    await onSession(sessionId);
    state.prompted = true;
    const { stopReason } = await agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text: `${request.system}\n\n${request.prompt}` }],
    });
    if (stopReason === 'refusal' || stopReason === 'cancelled') {
      throw new ModelFailedError('kiro-cli refused the request.');
    }
    return { text: state.text, ...(stopReason === 'max_tokens' ? { cut: true } : {}) };
  }

  private async find(): Promise<string> {
    const { home, env, platform = process.platform } = this.options;
    if (!(await isThere(distillerAgentPath(home), constants.R_OK))) {
      throw new ModelUnavailableError(
        'not_set_up',
        'The agent for kiro-cli is not installed; the set-up page does it.',
      );
    }
    const name = platform === 'win32' ? `${PROGRAM}.exe` : PROGRAM;
    const listed = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter);
    const usual = [path.join(home, '.local', 'bin'), '/usr/local/bin', '/opt/homebrew/bin'];
    for (const folder of [...listed, ...usual]) {
      const file = path.join(folder, name);
      if (path.isAbsolute(folder) && (await isThere(file, constants.X_OK))) return file;
    }
    throw new ModelUnavailableError('not_set_up', 'kiro-cli was not found.');
  }
}

/** Asks the process to end, and ends it when it does not. */
function stop(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  child.once('exit', () => clearTimeout(timer));
}

function isThere(file: string, mode: number): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  );
}
