import { z } from 'zod';

const usageSchema = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() });
const contentSchema = z.object({ content: z.string().nullish() });
const pieceSchema = z.looseObject({
  choices: z
    .array(z.object({ delta: contentSchema.optional(), message: contentSchema.optional() }))
    .optional()
    .catch(undefined),
  message: contentSchema.optional().catch(undefined),
  usage: usageSchema.optional().catch(undefined),
  error: z.unknown().optional(),
});

/** Longest line that is kept; a longer one is no piece of an answer. */
const MAX_LINE = 1024 * 1024;

/**
 * Reads a chat completion as it arrives: server-sent events, lines of JSON, or one JSON document. A piece that
 * can't be read costs itself alone.
 */
export class SseReader {
  text = '';
  tokens: { input: number; output: number } | undefined;
  /** The endpoint said that it failed. */
  failure = false;
  /** The answer is complete. */
  done = false;
  private rest = '';
  private readonly decoder = new TextDecoder('utf-8');

  push(chunk: Uint8Array): void {
    this.rest += this.decoder.decode(chunk, { stream: true });
    for (let end = this.rest.indexOf('\n'); end >= 0; end = this.rest.indexOf('\n')) {
      this.line(this.rest.slice(0, end));
      this.rest = this.rest.slice(end + 1);
    }
    if (this.rest.length > MAX_LINE) this.rest = '';
  }

  /** Nothing more comes. */
  end(): void {
    this.line(this.rest + this.decoder.decode());
    this.rest = '';
  }

  private line(raw: string): void {
    const line = raw.trim();
    const data = line.startsWith('data:') ? line.slice(5).trim() : line.startsWith('{') ? line : '';
    if (data === '') return;
    if (data === '[DONE]') {
      this.done = true;
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return;
    }
    const piece = pieceSchema.safeParse(value).data;
    if (!piece) return;
    if (piece.error !== undefined && piece.error !== null) this.failure = true;
    const [choice] = piece.choices ?? [];
    this.text += choice?.delta?.content ?? choice?.message?.content ?? piece.message?.content ?? '';
    if (piece.usage) {
      this.tokens = { input: piece.usage.prompt_tokens, output: piece.usage.completion_tokens };
    }
  }
}
