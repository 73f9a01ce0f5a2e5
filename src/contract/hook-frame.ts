/**
 * What a launcher hands to the leader in one request body: header fields, each ended by a NUL byte, then the
 * raw payload to the end. A shell can write it without quoting anything:
 * `version NUL channel NUL cwd NUL idempotency key NUL host NUL payload`.
 */
export interface HookFrame {
  /** `env`: the payload is the value of `USER_PROMPT`. `stdin`: the bytes read from standard input. */
  channel: 'env' | 'stdin';
  /** Working directory of the hook process. */
  cwd: string;
  /** Minted before sending and kept through the spool, so that a drain never stores twice. */
  idempotencyKey: string;
  /** `TERM_PROGRAM`-like hint of the host that started the hook, may be empty. */
  host: string;
  payload: Uint8Array;
}

export const HOOK_FRAME_VERSION = '1';

const decoder = new TextDecoder('utf-8');

/** Reads a frame; undefined where the bytes are not one. Never throws. */
export function decodeHookFrame(bytes: Uint8Array): HookFrame | undefined {
  const fields: string[] = [];
  let start = 0;
  while (fields.length < 5) {
    const end = bytes.indexOf(0, start);
    if (end < 0) return undefined;
    fields.push(decoder.decode(bytes.subarray(start, end)));
    start = end + 1;
  }
  const [version, channel, cwd, idempotencyKey, host] = fields;
  if (version !== HOOK_FRAME_VERSION || (channel !== 'env' && channel !== 'stdin')) return undefined;
  if (!cwd || !idempotencyKey || host === undefined) return undefined;
  return { channel, cwd, idempotencyKey, host, payload: bytes.subarray(start) };
}

/** Writes a frame, UTF-8. Fields must not contain NUL (file names and keys cannot). */
export function encodeHookFrame(frame: HookFrame): Uint8Array {
  const head = [HOOK_FRAME_VERSION, frame.channel, frame.cwd, frame.idempotencyKey, frame.host];
  return Buffer.concat([Buffer.from(head.join('\0') + '\0', 'utf8'), frame.payload]);
}
