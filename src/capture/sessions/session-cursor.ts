import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { z } from 'zod';

/** Where cursors are kept; the keys are ours. */
export interface CursorPort {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): void | Promise<void>;
}

const HEAD_BYTES = 1024;
const LINE_FEED = 0x0a;

const cursorSchema = z.object({ offset: z.number().int().min(0), head: z.string() });

/** How far a file was read, and how its beginning looked, so that another file of that name is told apart. */
export interface FileCursor {
  /** Bytes; always behind a line feed, or 0. */
  offset: number;
  /** Digest of what stands before `offset`, of at most the first KiB. */
  head: string;
}

export function parseCursor(value: string | undefined): FileCursor | undefined {
  if (value === undefined) return undefined;
  try {
    return cursorSchema.parse(JSON.parse(value));
  } catch {
    return undefined;
  }
}

export async function cursorAt(file: string, offset: number): Promise<FileCursor> {
  return { offset, head: (await inspect(file, offset))?.head ?? '' };
}

/** True where `file` still begins as it did and a line ends at the cursor: nothing was cut, rotated or rewritten. */
export async function cursorFits(file: string, cursor: FileCursor): Promise<boolean> {
  if (cursor.offset === 0) return true;
  const found = await inspect(file, cursor.offset);
  return found !== undefined && found.endsLine && found.head === cursor.head;
}

async function inspect(
  file: string,
  offset: number,
): Promise<{ head: string; endsLine: boolean } | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const head = Buffer.alloc(Math.min(HEAD_BYTES, offset));
      const last = Buffer.alloc(1);
      const read = await handle.read(head, 0, head.length, 0);
      const end = await handle.read(last, 0, 1, Math.max(0, offset - 1));
      if (read.bytesRead < head.length || end.bytesRead < 1) return undefined;
      const digest = createHash('sha256').update(head).digest('hex').slice(0, 16);
      return { head: digest, endsLine: last[0] === LINE_FEED };
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
