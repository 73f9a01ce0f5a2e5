import { z } from 'zod';
import { SseReader } from './sse-reader';
import {
  ModelFailedError,
  ModelUnavailableError,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
} from './provider';

export interface OpenAiOptions {
  /** `http://localhost:11434`, with or without `/v1`. */
  endpoint: string;
  /** The endpoint's first model where empty. */
  model: string;
  /** Never logged, never part of an error. */
  key?: string;
  /** Without a byte for this long a model is given up, milliseconds. */
  idleMs?: number;
}

/** Ollama cuts longer prompts at their beginning without a word: its default window is 4096 tokens. */
const WINDOW_TOKENS = 4096;
const REPLY_TOKENS = 900;
const IDLE_MS = 120_000;
const MAX_BYTES = 4 * 1024 * 1024;
const CHARS_A_TOKEN = 8;

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })).min(1) });

/** Any endpoint that speaks OpenAI's chat completions: Ollama, LM Studio, llama.cpp, a gateway. */
export class OpenAiProvider implements ModelProvider {
  readonly name: string;
  readonly promptTokens = WINDOW_TOKENS - REPLY_TOKENS - 100;
  readonly replyTokens = REPLY_TOKENS;
  private readonly base: string;
  private model: string;

  constructor(private readonly options: OpenAiOptions) {
    this.base = baseOf(options.endpoint);
    this.model = options.model;
    this.name = `openai-compatible${options.model ? `: ${options.model}` : ''}`;
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    if (this.base === '') throw new ModelUnavailableError('not_set_up', 'No endpoint is set for the model.');
    const idle = new IdleSignal(signal, this.options.idleMs ?? IDLE_MS);
    try {
      const response = await this.send('/chat/completions', idle, {
        model: await this.modelName(idle),
        stream: true,
        stream_options: { include_usage: true },
        temperature: 0.1,
        max_tokens: request.maxTokens,
        messages: [
          { role: 'system', content: request.system },
          { role: 'user', content: request.prompt },
        ],
      });
      return await this.read(response, request.maxTokens * CHARS_A_TOKEN, idle);
    } finally {
      idle.end();
    }
  }

  private async modelName(idle: IdleSignal): Promise<string> {
    if (this.model) return this.model;
    const response = await this.send('/models', idle);
    const parsed = modelsSchema.safeParse(await response.json().catch(() => undefined));
    const [first] = parsed.data?.data ?? [];
    if (!first) throw new ModelUnavailableError('not_set_up', 'The endpoint names no model; set one.');
    this.model = first.id;
    return first.id;
  }

  private async send(path: string, idle: IdleSignal, body?: unknown): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`${this.base}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(this.options.key ? { Authorization: `Bearer ${this.options.key}` } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // A redirect would carry the key, and the prompt, to a host that nobody named.
        redirect: 'error',
        signal: idle.signal,
      });
    } catch {
      if (idle.timedOut) throw new ModelFailedError('The model did not answer in time.');
      throw new ModelUnavailableError('unreachable', 'The endpoint of the model cannot be reached.');
    }
    idle.heard();
    if (response.ok) return response;
    await response.body?.cancel().catch(() => undefined);
    throw errorOfStatus(response.status);
  }

  /** What came before the connection broke or the limits were reached counts. */
  private async read(response: Response, maxChars: number, idle: IdleSignal): Promise<ModelReply> {
    const reader = new SseReader();
    let bytes = 0;
    let cut = false;
    try {
      const body = response.body?.getReader();
      for (;;) {
        const { value: chunk } = (await body?.read()) ?? {};
        if (!chunk) break;
        idle.heard();
        bytes += chunk.byteLength;
        reader.push(chunk);
        if (reader.done) break;
        if (bytes > MAX_BYTES || reader.text.length > maxChars) {
          cut = true;
          break;
        }
      }
    } catch {
      cut = true;
    }
    if (!reader.done) reader.end();
    idle.abort();
    if (reader.failure)
      throw new ModelUnavailableError('busy', 'The endpoint of the model reported an error.');
    if (reader.text === '' && cut) {
      throw new ModelFailedError(
        idle.timedOut ? 'The model did not answer in time.' : 'The connection to the model broke.',
      );
    }
    return {
      text: reader.text.slice(0, maxChars),
      ...(cut ? { cut } : {}),
      ...(reader.tokens ? { tokens: reader.tokens } : {}),
    };
  }
}

/** Aborts when the caller does, or when nothing was heard for long. */
class IdleSignal {
  readonly signal: AbortSignal;
  timedOut = false;
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    outer: AbortSignal,
    private readonly idleMs: number,
  ) {
    this.signal = AbortSignal.any([outer, this.controller.signal]);
    this.heard();
  }

  heard(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timedOut = true;
      this.controller.abort();
    }, this.idleMs);
    this.timer.unref();
  }

  /** Ends the request. */
  abort(): void {
    this.end();
    this.controller.abort();
  }

  end(): void {
    clearTimeout(this.timer);
  }
}

function baseOf(endpoint: string): string {
  let url: URL;
  try {
    url = new URL(endpoint.trim());
  } catch {
    return '';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return '';
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

function errorOfStatus(status: number): Error {
  if (status === 401 || status === 403) {
    return new ModelUnavailableError('refused', 'The endpoint refused the key.');
  }
  if (status === 404 || status === 405) {
    return new ModelUnavailableError('not_set_up', 'The endpoint does not know this model or path.');
  }
  if (status === 408 || status === 429 || status >= 500) {
    return new ModelUnavailableError('busy', `The endpoint is busy or failing (${status}).`);
  }
  return new ModelFailedError(`The endpoint refused the request (${status}).`);
}
