import { describe, expect, it } from 'vitest';
import { OpenAiProvider, type OpenAiOptions } from '../../../src/memory/models/openai-provider';
import { ModelFailedError, ModelUnavailableError } from '../../../src/memory/models/provider';
import { answers, breaksAfter, event, fallsSilent, modelServer, streams } from './support/model-server';

const REQUEST = { system: 'the task', prompt: 'the log', maxTokens: 400 };
const never = new AbortController().signal;

async function setUp(more: Partial<OpenAiOptions> = {}) {
  const server = await modelServer();
  const provider = new OpenAiProvider({ endpoint: server.endpoint, model: 'qwen3', ...more });
  return { server, ask: (signal = never) => provider.complete(REQUEST, signal), provider };
}

describe('OpenAiProvider', () => {
  it('reads a stream, whole characters across chunks, and what the endpoint counted', async () => {
    const { server, ask } = await setUp({ key: 'sk-test' });
    const text = 'Warteschlange: pg-boss – 決定 ✅ '.repeat(20);
    server.behave((response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const bytes = Buffer.from(
        event({ choices: [{ delta: { content: text } }] }) +
          event({ usage: { prompt_tokens: 10, completion_tokens: 5 } }) +
          'data: [DONE]\n\n',
      );
      for (let at = 0; at < bytes.length; at += 3) response.write(bytes.subarray(at, at + 3));
      response.end();
    });
    expect(await ask()).toEqual({ text, tokens: { input: 10, output: 5 } });
    const [asked] = server.asked;
    expect(asked?.url).toBe('/v1/chat/completions');
    expect(asked?.authorization).toBe('Bearer sk-test');
    expect(asked?.body.model).toBe('qwen3');
    expect(asked?.body.messages?.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'the task'],
      ['user', 'the log'],
    ]);
  });

  it('reads one document, and lines of JSON, from endpoints that do not stream events', async () => {
    const { server, ask } = await setUp();
    server.behave(
      answers(200, JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'whole' } }] })),
      answers(200, '{"message":{"content":"li"}}\n{"message":{"content":"nes"}}\n', {
        'Content-Type': 'application/x-ndjson',
      }),
    );
    expect((await ask()).text).toBe('whole');
    expect((await ask()).text).toBe('lines');
  });

  it('gives what came before the connection broke, and says that it was cut', async () => {
    const { server, ask } = await setUp();
    server.behave(breaksAfter('half of it'));
    expect(await ask()).toEqual({ text: 'half of it', cut: true });
    server.behave(breaksAfter(''));
    await expect(ask()).rejects.toBeInstanceOf(ModelFailedError);
  });

  it('passes over pieces that are no JSON', async () => {
    const { server, ask } = await setUp();
    server.behave((response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: {broken\n\nnot an event\n\ndata: 7\n\ndata: {"choices":"x"}\n\n');
      response.end(`${event({ choices: [{ delta: { content: 'ok' } }] })}data: [DONE]\n\n`);
    });
    expect((await ask()).text).toBe('ok');
  });

  it('stops reading a model that does not stop', async () => {
    const { server, ask } = await setUp();
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    server.behave((response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.once('close', closed);
      const more = () => {
        while (
          !response.destroyed &&
          response.write(event({ choices: [{ delta: { content: 'x'.repeat(500) } }] }))
        );
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const reply = await ask();
    expect(reply.cut).toBe(true);
    expect(reply.text.length).toBeLessThanOrEqual(400 * 8);
    await gone;
  });

  it('gives up on a model that falls silent, and when it is told to', async () => {
    const { server, ask } = await setUp({ idleMs: 100 });
    server.behave(fallsSilent());
    await expect(ask()).rejects.toBeInstanceOf(ModelFailedError);
    const patient = await setUp();
    patient.server.behave(fallsSilent());
    const stop = new AbortController();
    const asking = patient.ask(stop.signal);
    stop.abort();
    await expect(asking).rejects.toThrow();
  });

  it.each([
    [401, ModelUnavailableError, 'refused'],
    [404, ModelUnavailableError, 'not_set_up'],
    [429, ModelUnavailableError, 'busy'],
    [503, ModelUnavailableError, 'busy'],
    [400, ModelFailedError, undefined],
  ])('tells what status %i means, without the key', async (status, kind, reason) => {
    const { server, ask } = await setUp({ key: 'sk-very-secret' });
    server.behave(answers(status, '{"error":{"message":"key sk-very-secret is wrong"}}'));
    const error: unknown = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect((error as ModelUnavailableError).reason).toBe(reason);
    expect(String(error)).not.toContain('sk-very-secret');
  });

  it('follows no redirect: neither key nor prompt reach another host', async () => {
    const elsewhere = await modelServer();
    elsewhere.behave(streams('stolen'));
    const { server, ask } = await setUp({ key: 'sk-test' });
    server.behave(answers(307, '', { Location: `${elsewhere.endpoint}/v1/chat/completions` }));
    await expect(ask()).rejects.toBeInstanceOf(ModelUnavailableError);
    expect(elsewhere.asked).toEqual([]);
  });

  it('asks the endpoint for its model where none is named', async () => {
    const { server, ask } = await setUp({ model: '' });
    server.behave(answers(200, '{"data":[{"id":"llama3.2"},{"id":"other"}]}'), streams('hello'));
    expect((await ask()).text).toBe('hello');
    expect(server.asked.map((one) => one.url)).toEqual(['/v1/models', '/v1/chat/completions']);
    expect(server.asked[1]?.body.model).toBe('llama3.2');
  });

  it('is unavailable without an endpoint, or where nobody listens', async () => {
    for (const endpoint of ['', 'not a url', 'file:///etc/passwd']) {
      const { provider } = await setUp({ endpoint });
      await expect(provider.complete(REQUEST, never)).rejects.toMatchObject({ reason: 'not_set_up' });
    }
    const { provider } = await setUp({ endpoint: 'http://127.0.0.1:1' });
    await expect(provider.complete(REQUEST, never)).rejects.toMatchObject({ reason: 'unreachable' });
  });
});
