import { crc32 } from 'node:zlib';

/**
 * One line of the journal: `<crc> <bytes> <epoch> <sequence> <json>\n`. The CRC-32 (eight hexadecimal digits)
 * covers all that follows it but the line end; `bytes` is the length of the JSON. JSON has no raw line end,
 * so reading can go on behind a damaged line.
 */
export interface Frame {
  epoch: number;
  /** Rises by one from frame to frame over all epochs; 0 is a segment's header. */
  sequence: number;
  json: string;
}

const NEWLINE = 0x0a;
const CRC_CHARS = 8;
const MAX_HEAD = 8 + 1 + 12 + 1 + 16 + 1 + 16 + 1;

export function encodeFrame(frame: Frame): Buffer {
  const json = Buffer.from(frame.json, 'utf8');
  const head = `${json.length} ${frame.epoch} ${frame.sequence} `;
  const sum = crc32(json, crc32(head)).toString(16).padStart(CRC_CHARS, '0');
  return Buffer.concat([Buffer.from(`${sum} ${head}`, 'latin1'), json, Buffer.of(NEWLINE)]);
}

/** Reads one line, without its line end; undefined where it is not a whole frame. Never throws. */
export function decodeFrame(line: Buffer): Frame | undefined {
  if (line.length < CRC_CHARS + 1) return undefined;
  const head = line.toString('latin1', 0, Math.min(line.length, MAX_HEAD));
  const match = /^([0-9a-f]{8}) ((\d{1,12}) (\d{1,16}) (\d{1,16}) )/.exec(head);
  if (!match?.[1] || !match[2]) return undefined;
  const start = CRC_CHARS + 1 + match[2].length;
  if (line.length - start !== Number(match[3])) return undefined;
  if (crc32(line.subarray(CRC_CHARS + 1)) !== Number.parseInt(match[1], 16)) return undefined;
  return {
    epoch: Number(match[4]),
    sequence: Number(match[5]),
    json: line.toString('utf8', start),
  };
}

export interface ScannedLine {
  /** Where the line begins and where the next one does. */
  start: number;
  end: number;
  /** Undefined for a line that does not check. */
  frame: Frame | undefined;
}

/** Splits a segment into its lines; a last line without an end is yielded without a frame. */
export function* scanFrames(bytes: Uint8Array): Generator<ScannedLine> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  while (start < buffer.length) {
    const newline = buffer.indexOf(NEWLINE, start);
    if (newline < 0) {
      yield { start, end: buffer.length, frame: undefined };
      return;
    }
    yield { start, end: newline + 1, frame: decodeFrame(buffer.subarray(start, newline)) };
    start = newline + 1;
  }
}
