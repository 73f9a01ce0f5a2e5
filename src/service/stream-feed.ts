import type { ServerResponse } from 'node:http';
import type { LocalApi } from '../contract/local-api';

/** Bytes that may wait for one reader; a slower one is cut and asks for everything again. */
const maxWaitingBytes = 2 * 1024 * 1024;

/** Sends the stream of `api` as NDJSON until the reader goes, or falls too far behind. */
export function feedStream(api: LocalApi, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  response.socket?.setTimeout(0);
  const subscription = api.subscribe((event) => {
    response.write(`${JSON.stringify(event)}\n`);
    if (response.writableLength > maxWaitingBytes) response.destroy();
  });
  response.once('close', () => subscription.dispose());
}
