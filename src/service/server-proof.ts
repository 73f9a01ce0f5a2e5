import { randomBytes } from 'node:crypto';
import type net from 'node:net';
import { CHALLENGE_HEADER, proofOf, sameSecret } from './request-guard';

/** Whoever listens there does not hold the key: the pipe's name was squatted. */
export class UnprovenServerError extends Error {
  constructor() {
    super('The local API could not prove itself.');
    this.name = 'UnprovenServerError';
  }
}

const maxAnswerBytes = 4096;

/** True for addresses that no checked directory protects. */
export function needsProof(address: string): boolean {
  return address.startsWith('\\\\');
}

/**
 * Makes the server at the other end prove that it holds `key` before the client shows it. The connection can
 * be used for requests afterwards.
 *
 * @throws UnprovenServerError
 */
export function proveServer(socket: net.Socket, key: string, timeoutMs: number): Promise<void> {
  const challenge = randomBytes(32).toString('hex');
  return new Promise((resolve, reject) => {
    let answer = '';
    const finish = (error?: Error) => {
      clearTimeout(timer);
      socket.off('data', onData).off('error', onEnd).off('close', onEnd);
      if (error) {
        socket.destroy();
        reject(error);
      } else {
        resolve();
      }
    };
    const onEnd = () => finish(new UnprovenServerError());
    const onData = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const head = answer.indexOf('\r\n\r\n');
      if (head >= 0 && answer.length >= head + 4 + 64) {
        const proven = sameSecret(answer.slice(head + 4), proofOf(key, challenge));
        finish(proven ? undefined : new UnprovenServerError());
      } else if (answer.length > maxAnswerBytes) {
        onEnd();
      }
    };
    const timer = setTimeout(onEnd, timeoutMs);
    socket.on('data', onData).once('error', onEnd).once('close', onEnd);
    socket.write(`GET /v1/proof HTTP/1.1\r\nHost: localhost\r\n${CHALLENGE_HEADER}: ${challenge}\r\n\r\n`);
  });
}
