import { LIMITS } from '../contract/limits';

/**
 * Bytes of standard input until its end, or what arrived when the time is over: Kiro 0.x opens it, writes
 * nothing and never closes it. Undefined where more came than is read.
 */
export function readStdin(
  timeoutMs: number,
  limit: number = LIMITS.httpBodyBytes,
): Promise<Buffer | undefined> {
  const { stdin } = process;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: Buffer | undefined) => {
      clearTimeout(timer);
      stdin.removeAllListeners();
      stdin.pause();
      stdin.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => finish(Buffer.concat(chunks)), timeoutMs);
    stdin.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) finish(undefined);
      else chunks.push(chunk);
    });
    stdin.once('end', () => finish(Buffer.concat(chunks)));
    stdin.once('error', () => finish(Buffer.concat(chunks)));
  });
}
