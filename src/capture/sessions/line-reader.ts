import { open, type FileHandle } from 'node:fs/promises';

export interface Line {
  /** Without its line end. Empty for a line that was too long. */
  bytes: Buffer;
  /** Byte offset of its first byte. */
  start: number;
  /** Byte offset behind its line feed. */
  end: number;
  /** False for what stands behind the last line feed: half a line, or the last line of a finished file. */
  complete: boolean;
  tooLong: boolean;
}

export interface LineReaderOptions {
  /** Byte offset to start at; must be the start of a line. */
  from?: number;
  /** Byte offset to stop at; the end of the file when left out. */
  to?: number;
  /** Longer lines are passed over without being kept in memory. */
  maxLineBytes?: number;
}

const CHUNK_BYTES = 128 * 1024;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The lines of a file from a byte cursor on. Holds one chunk and one line in memory, whatever the size of the
 * file. LF and CRLF.
 * @throws what the file system throws when the file can't be opened or read
 */
export async function* readLines(path: string, options: LineReaderOptions = {}): AsyncGenerator<Line> {
  const file = await open(path, 'r');
  try {
    yield* linesOf(file, options);
  } finally {
    await file.close();
  }
}

async function* linesOf(file: FileHandle, options: LineReaderOptions): AsyncGenerator<Line> {
  const pending = new PendingLine(options.from ?? 0, options.maxLineBytes ?? MAX_LINE_BYTES);
  const stop = options.to ?? Number.MAX_SAFE_INTEGER;
  let position = pending.start;
  for (;;) {
    // Lines that are handed on keep their chunk alive, so each read gets its own.
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(0, stop - position)));
    if (chunk.length === 0) break;
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const data = chunk.subarray(0, bytesRead);
    let from = 0;
    for (let feed = data.indexOf(LINE_FEED); feed >= 0; feed = data.indexOf(LINE_FEED, from)) {
      pending.add(data.subarray(from, feed));
      yield pending.take(true);
      from = feed + 1;
    }
    pending.add(data.subarray(from));
  }
  if (pending.length > 0) yield pending.take(false);
}

class PendingLine {
  length = 0;
  private parts: Buffer[] = [];

  constructor(
    public start: number,
    private readonly maxBytes: number,
  ) {}

  add(part: Buffer): void {
    this.length += part.length;
    if (this.length > this.maxBytes) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  take(complete: boolean): Line {
    const tooLong = this.length > this.maxBytes;
    const [first] = this.parts;
    const bytes = this.parts.length === 1 && first ? first : Buffer.concat(this.parts);
    const end = this.start + this.length + (complete ? 1 : 0);
    const line = { bytes: withoutReturn(bytes), start: this.start, end, complete, tooLong };
    this.start = end;
    this.length = 0;
    this.parts = [];
    return line;
  }
}

function withoutReturn(bytes: Buffer): Buffer {
  return bytes[bytes.length - 1] === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}
