import { promisify } from 'node:util';
import { crc32, deflateRaw, inflateRawSync } from 'node:zlib';
import { SegmentDamagedError } from './errors';

const deflate = promisify(deflateRaw);

/** What a thin row points to. */
export interface SegmentItem {
  /** JSON that a list needs; short. */
  preview: string;
  /** JSON of the whole. */
  body: string;
}

/**
 * A block: magic, compressed bytes of the previews and of the bodies, CRC-32 of both, number of items; then the
 * two parts, each its JSON texts joined by line ends and deflated. Previews lie apart, so that a list does
 * not inflate bodies.
 */
const MAGIC = 0x4b4c4231;
export const BLOCK_HEADER_BYTES = 20;
/** A block is closed once its bodies have this many characters. */
export const BLOCK_CHARS = 64 * 1024;
/** No honest block inflates to more. */
const MAX_INFLATED = 64 * 1024 * 1024;

export interface BlockHeader {
  previewBytes: number;
  bodyBytes: number;
  checksum: number;
  items: number;
}

export async function encodeBlock(items: readonly SegmentItem[]): Promise<Buffer> {
  const [previews, bodies] = await Promise.all([
    deflate(items.map((item) => item.preview).join('\n')),
    deflate(items.map((item) => item.body).join('\n')),
  ]);
  const header = Buffer.alloc(BLOCK_HEADER_BYTES);
  header.writeUInt32BE(MAGIC, 0);
  header.writeUInt32BE(previews.length, 4);
  header.writeUInt32BE(bodies.length, 8);
  header.writeUInt32BE(crc32(bodies, crc32(previews)), 12);
  header.writeUInt32BE(items.length, 16);
  return Buffer.concat([header, previews, bodies]);
}

/** @throws SegmentDamagedError where the bytes are no header. */
export function decodeHeader(bytes: Uint8Array, segment: string): BlockHeader {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < BLOCK_HEADER_BYTES || view.readUInt32BE(0) !== MAGIC)
    throw new SegmentDamagedError(segment);
  return {
    previewBytes: view.readUInt32BE(4),
    bodyBytes: view.readUInt32BE(8),
    checksum: view.readUInt32BE(12),
    items: view.readUInt32BE(16),
  };
}

/** The texts of one part of a block. @throws SegmentDamagedError */
export function decodePart(bytes: Uint8Array, items: number, segment: string): string[] {
  let text: string;
  try {
    text = inflateRawSync(bytes, { maxOutputLength: MAX_INFLATED }).toString('utf8');
  } catch {
    throw new SegmentDamagedError(segment);
  }
  const texts = text.split('\n');
  if (texts.length !== items) throw new SegmentDamagedError(segment);
  return texts;
}

/** Splits items into blocks by size. */
export function* intoBlocks<T extends SegmentItem>(items: Iterable<T>): Generator<T[]> {
  let block: T[] = [];
  let chars = 0;
  for (const item of items) {
    block.push(item);
    chars += item.body.length;
    if (chars < BLOCK_CHARS) continue;
    yield block;
    block = [];
    chars = 0;
  }
  if (block.length > 0) yield block;
}
