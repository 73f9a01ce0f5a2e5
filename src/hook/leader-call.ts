import { lstatSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';

interface LeaderAddress {
  address: string;
  key: string;
}

/** `leader.json`, read without the schema library: this program must start fast. */
export function readLeaderAddress(storageDir: string): LeaderAddress | undefined {
  try {
    const info = JSON.parse(readFileSync(path.join(storageDir, 'leader.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    const { address, key } = info;
    if (typeof address !== 'string' || typeof key !== 'string' || info['released'] === true) return undefined;
    return process.platform === 'win32' || isOurs(path.dirname(address)) ? { address, key } : undefined;
  } catch {
    return undefined;
  }
}

/** A socket is believed where it lies in a folder of this user that nobody else may enter. */
function isOurs(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}

/** The leader did not take the frame in time, or not at all; it may have kept it all the same. */
export class NoAnswerError extends Error {
  constructor() {
    super('The leader did not answer.');
    this.name = 'NoAnswerError';
  }
}

/**
 * Hands a frame to the leader and resolves with what the hook prints. Speaks HTTP by hand: `node:http` takes
 * 7 ms longer to load than a whole run through `curl` takes.
 *
 * @throws NoAnswerError
 */
export async function askLeader(
  { address, key }: LeaderAddress,
  event: string,
  frame: Uint8Array,
  timeoutMs: number,
): Promise<string> {
  const socket = net.connect(address);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  try {
    await connected(socket);
    if (process.platform === 'win32') {
      const { proveServer } = await import('../service/server-proof');
      await proveServer(socket, key, timeoutMs);
    }
    socket.write(
      `POST /v1/hooks/${event || '_'} HTTP/1.1\r\nHost: localhost\r\nx-kiro-learn-key: ${key}\r\n` +
        `Content-Length: ${frame.byteLength}\r\nConnection: close\r\n\r\n`,
    );
    socket.write(frame);
    return bodyOf(await readAll(socket));
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

function connected(socket: net.Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', () => reject(new NoAnswerError()));
    socket.once('close', () => reject(new NoAnswerError()));
  });
}

function readAll(socket: net.Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('end', () => resolve(Buffer.concat(chunks)));
    socket.once('error', () => reject(new NoAnswerError()));
    socket.once('close', () => reject(new NoAnswerError()));
  });
}

/** @throws NoAnswerError where the answer is not a whole 200 */
function bodyOf(answer: Buffer): string {
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.subarray(0, Math.max(0, end)).toString('latin1');
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const body = answer.subarray(end + 4);
  if (!head.startsWith('HTTP/1.1 200 ') || body.length !== Number(length)) throw new NoAnswerError();
  return body.toString('utf8');
}
