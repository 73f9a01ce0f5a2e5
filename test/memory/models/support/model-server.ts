import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Asked {
  url: string;
  authorization: string | undefined;
  body: { model?: string; stream?: boolean; messages?: { role: string; content: string }[] };
}

/** How the server behaves at one question. */
export type Behaviour = (response: ServerResponse, asked: Asked) => void | Promise<void>;

export interface ModelServer {
  endpoint: string;
  asked: Asked[];
  /** For the next questions, in order; the last one stays. */
  behave(...behaviours: Behaviour[]): void;
}

/** A server that speaks OpenAI's chat completions as Ollama does, on a port of its own. */
export async function modelServer(): Promise<ModelServer> {
  const asked: Asked[] = [];
  let behaviours: Behaviour[] = [];
  const server = http.createServer((request, response) => {
    void readAll(request).then(async (text) => {
      const one: Asked = {
        url: request.url ?? '',
        authorization: request.headers.authorization,
        body: text ? (JSON.parse(text) as Asked['body']) : {},
      };
      asked.push(one);
      const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
      await behaviour?.(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    asked,
    behave: (...given) => {
      behaviours = given;
    },
  };
}

/** Streams `text` in pieces of `size` characters, as server-sent events, with the usage at the end. */
export function streams(text: string, size = 7): Behaviour {
  return async (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (let at = 0; at < text.length; at += size) {
      response.write(event({ choices: [{ delta: { content: text.slice(at, at + size) } }] }));
      if (at % 70 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    response.write(event({ choices: [], usage: { prompt_tokens: 321, completion_tokens: 45 } }));
    response.end('data: [DONE]\n\n');
  };
}

/** Streams the beginning and breaks the connection. */
export function breaksAfter(text: string): Behaviour {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(event({ choices: [{ delta: { content: text } }] }), () => response.destroy());
  };
}

export function answers(status: number, body = '', headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(body);
  };
}

/** Opens the stream and says nothing more. */
export function fallsSilent(): Behaviour {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': thinking\n\n');
  };
}

export function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function readAll(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => resolve(text));
  });
}
