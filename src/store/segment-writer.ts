import path from 'node:path';
import { FILE_MODE, type AppendFile, type FileSystem } from '../platform/file-system';
import { storeFileName } from './file-names';
import { encodeBlock, intoBlocks, type SegmentItem } from './segment-block';

const SEGMENT_BYTES = 8 * 1024 * 1024;

/** Where an item lies now. */
export interface Located<T> {
  item: T;
  segment: string;
  /** Position of its block in the file. */
  block: number;
  slot: number;
}

/** Appends blocks to the body segments of one epoch. */
export class SegmentWriter {
  private file: AppendFile | undefined;
  private name = '';
  private bytes = 0;
  private readonly sizes = new Map<string, number>();
  private number = 0;
  private fresh = false;

  constructor(
    private readonly fs: FileSystem,
    private readonly dir: string,
    private readonly epoch: number,
  ) {}

  /** Name of the segment that is written to; empty before the first. */
  get current(): string {
    return this.file ? this.name : '';
  }

  /** Bytes that were written to a segment of this writer. */
  sizeOf(segment: string): number {
    return this.sizes.get(segment) ?? 0;
  }

  /** Writes items; they are on the disk after {@link sync}. After a rejection a new segment is begun. */
  async append<T extends SegmentItem>(items: readonly T[]): Promise<Located<T>[]> {
    const located: Located<T>[] = [];
    for (const group of intoBlocks(items)) {
      const block = await encodeBlock(group);
      const file = await this.writable();
      const at = this.bytes;
      try {
        await file.append(block);
      } catch (error) {
        await this.close();
        throw error;
      }
      this.bytes += block.length;
      this.sizes.set(this.name, this.bytes);
      for (const [slot, item] of group.entries()) located.push({ item, segment: this.name, block: at, slot });
    }
    return located;
  }

  async sync(): Promise<void> {
    if (!this.file) return;
    try {
      await this.file.fdatasync();
      if (this.fresh) await this.fs.fsyncDir(this.dir);
      this.fresh = false;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Leaves the current segment; the next item begins a new one. */
  async close(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.close().catch(() => undefined);
  }

  private async writable(): Promise<AppendFile> {
    if (this.file && this.bytes >= SEGMENT_BYTES) {
      await this.sync();
      await this.close();
    }
    if (this.file) return this.file;
    this.number += 1;
    this.name = storeFileName('bodies', this.epoch, this.number);
    this.file = await this.fs.create(path.join(this.dir, this.name), FILE_MODE);
    this.bytes = 0;
    this.fresh = true;
    return this.file;
  }
}
