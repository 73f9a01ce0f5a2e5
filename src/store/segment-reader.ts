import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { FileSystem } from '../platform/file-system';
import { SegmentDamagedError } from './errors';
import { BLOCK_HEADER_BYTES, decodeHeader, decodePart, type SegmentItem } from './segment-block';

/** Characters of inflated text that are kept at hand. */
const CACHE_CHARS = 4 * 1024 * 1024;

/** Reads blocks of segments; those that were read last stay at hand. */
export class SegmentReader {
  private readonly cache = new Map<string, string[]>();
  private cached = 0;

  /** @param dir folder of the segments. */
  constructor(
    private readonly fs: FileSystem,
    private readonly dir: string,
  ) {}

  /** @throws SegmentDamagedError, or the platform's error where the file is not there. */
  previews(segment: string, block: number): string[] {
    return this.cachedPart(`p:${block}:${segment}`, () => {
      const header = this.header(segment, block);
      return decodePart(
        this.slice(segment, block + BLOCK_HEADER_BYTES, header.previewBytes),
        header.items,
        segment,
      );
    });
  }

  /** @throws SegmentDamagedError, or the platform's error where the file is not there. */
  bodies(segment: string, block: number): string[] {
    return this.cachedPart(`b:${block}:${segment}`, () => {
      const header = this.header(segment, block);
      const start = block + BLOCK_HEADER_BYTES;
      const payload = this.slice(segment, start, header.previewBytes + header.bodyBytes);
      if (crc32(payload) !== header.checksum) throw new SegmentDamagedError(segment);
      return decodePart(payload.subarray(header.previewBytes), header.items, segment);
    });
  }

  /** Both parts of a block, checked. @throws as {@link bodies} */
  items(segment: string, block: number): SegmentItem[] {
    const bodies = this.bodies(segment, block);
    return this.previews(segment, block).map((preview, slot) => ({ preview, body: bodies[slot] ?? '' }));
  }

  /** Bytes of a file at a position. */
  slice(segment: string, position: number, length: number): Uint8Array {
    const bytes = this.fs.readSlice(path.join(this.dir, segment), position, length);
    if (bytes.length !== length) throw new SegmentDamagedError(segment);
    return bytes;
  }

  /** What was read of erased content must not stay in memory. */
  forget(): void {
    this.cache.clear();
    this.cached = 0;
  }

  private header(segment: string, block: number): ReturnType<typeof decodeHeader> {
    return decodeHeader(this.slice(segment, block, BLOCK_HEADER_BYTES), segment);
  }

  private cachedPart(key: string, read: () => string[]): string[] {
    const known = this.cache.get(key);
    if (known) {
      this.cache.delete(key);
      this.cache.set(key, known);
      return known;
    }
    const texts = read();
    this.cache.set(key, texts);
    this.cached += sizeOf(texts);
    for (const [oldest, part] of this.cache) {
      if (this.cached <= CACHE_CHARS || oldest === key) break;
      this.cache.delete(oldest);
      this.cached -= sizeOf(part);
    }
    return texts;
  }
}

function sizeOf(texts: readonly string[]): number {
  let chars = 0;
  for (const text of texts) chars += text.length;
  return chars;
}
