import type { ModelProvider, ModelReply, ModelRequest } from './provider';

/** Takes a question to a window whose user allows its model. @throws as `ModelProvider.complete` */
export interface WindowModels {
  ask(request: ModelRequest, signal: AbortSignal): Promise<string>;
}

/** No host tells how long its model's window is before it is chosen; the smallest in use has this. */
const PROMPT_TOKENS = 12_000;
const REPLY_TOKENS = 1500;

/** A chat model of the host (`vscode.lm`), reached through the window that may use it. */
export class WindowProvider implements ModelProvider {
  readonly name = 'vscode';
  readonly promptTokens = PROMPT_TOKENS;
  readonly replyTokens = REPLY_TOKENS;

  constructor(private readonly windows: WindowModels) {}

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    return { text: await this.windows.ask(request, signal) };
  }
}
