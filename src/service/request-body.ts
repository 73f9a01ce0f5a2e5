import type { IncomingMessage } from 'node:http';
import { ApiError } from '../contract/local-api';

/** The request holds more than may be read. */
export class BodyTooLargeError extends Error {
  constructor(readonly limit: number) {
    super(`The request is larger than ${limit} bytes.`);
    this.name = 'BodyTooLargeError';
  }
}

/** The client sent too slowly, or went away. */
export class SlowClientError extends Error {
  constructor() {
    super('The request did not arrive in time.');
    this.name = 'SlowClientError';
  }
}

/**
 * Reads a body whole.
 *
 * @param limit bytes; more is refused before it is kept
 * @param timeoutMs for the whole body, so that a byte a second does not hold a connection
 * @throws BodyTooLargeError, SlowClientError
 */
export function readBody(request: IncomingMessage, limit: number, timeoutMs: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) return Promise.reject(new BodyTooLargeError(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (error: Error) => {
      clearTimeout(timer);
      request.removeAllListeners('data').pause();
      reject(error);
    };
    const timer = setTimeout(() => fail(new SlowClientError()), timeoutMs);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) fail(new BodyTooLargeError(limit));
      else chunks.push(chunk);
    });
    request.once('end', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks, size));
    });
    request.once('error', () => fail(new SlowClientError()));
    request.once('aborted', () => fail(new SlowClientError()));
  });
}

/** @throws ApiError `bad_request` */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new ApiError('bad_request', 'The body is not JSON in UTF-8.');
  }
}
