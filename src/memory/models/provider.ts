/** One question to a model. Texts were scrubbed by whoever asks. */
export interface ModelRequest {
  system: string;
  prompt: string;
  /** The longest answer wanted. */
  maxTokens: number;
}

export interface ModelReply {
  text: string;
  /** The connection ended before the model did: what came is here. */
  cut?: boolean;
  /** As the model counts, where it says so. */
  tokens?: { input: number; output: number };
}

/** Whoever can be asked: a model of the host, an agent program, an endpoint. */
export interface ModelProvider {
  /** For people: `kiro-cli`, `openai-compatible: qwen3`. */
  readonly name: string;
  /** Tokens that system text and prompt may have together. */
  readonly promptTokens: number;
  readonly replyTokens: number;
  /**
   * Asks once. Ends early where `signal` is aborted.
   * @throws ModelUnavailableError, ModelFailedError
   */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}

export type Unavailability = 'not_set_up' | 'unreachable' | 'refused' | 'busy' | 'no_window';

/** Nothing is wrong with the question: the model can't be asked now. Its message may be shown. */
export class ModelUnavailableError extends Error {
  constructor(
    readonly reason: Unavailability,
    message: string,
  ) {
    super(message);
    this.name = 'ModelUnavailableError';
  }
}

/** The model was asked and no use could be made of it: no answer in time, or one that can't be read. */
export class ModelFailedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ModelFailedError';
  }
}
