import path from 'node:path';
import { FILE_MODE, hasCode, type AppendFile, type FileSystem } from '../platform/file-system';
import { FencedError, JournalWriteError } from './errors';
import { highestEpoch, storeFileName } from './file-names';
import { encodeFrame } from './frame';
import { JOURNAL_VERSION, type SegmentHeader } from './journal-reader';

const SEGMENT_BYTES = 8 * 1024 * 1024;

export interface JournalDeps {
  dir: string;
  fs: FileSystem;
  epoch: number;
  /** False when a higher epoch exists. */
  fence(): boolean;
}

interface Segment {
  bytes: number;
  lastSequence: number;
}

/** Code of the platform, for an error that names no file. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO';
}

/**
 * Writes the journal of one epoch. What `write` resolved for is on the disk and will be seen by every later
 * epoch; what it rejected for will not, though its bytes may lie in a segment.
 */
export class Journal {
  private readonly segments = new Map<string, Segment>();
  private file: AppendFile | undefined;
  private name = '';
  private number = 0;
  private storeId = '';
  private next = 1;
  private rolling = false;
  /** Bytes of frames that were written since the journal was begun. */
  written = 0;

  private constructor(private readonly deps: JournalDeps) {}

  /**
   * Claims the epoch: makes its first segment before anything of an earlier epoch is read. An earlier leader
   * that looks for a higher epoch after its last write then either finds it, or has written what will be read.
   * @throws the platform's `EEXIST` where the epoch was used before.
   */
  static async claim(deps: JournalDeps): Promise<Journal> {
    const journal = new Journal(deps);
    journal.name = storeFileName('journal', deps.epoch, 0);
    journal.file = await deps.fs.create(path.join(deps.dir, journal.name), FILE_MODE);
    await deps.fs.fsyncDir(deps.dir);
    return journal;
  }

  /** Begins to write, once it is known what came before. `segments`: name → bytes that count, last sequence. */
  async begin(storeId: string, sequence: number, segments: ReadonlyMap<string, Segment>): Promise<void> {
    this.storeId = storeId;
    this.next = sequence + 1;
    for (const [name, segment] of segments) this.segments.set(name, { ...segment });
    const header = this.header();
    this.segments.set(this.name, { bytes: header.length, lastSequence: 0 });
    await this.file?.append(header);
    await this.file?.fdatasync();
  }

  get currentSegment(): string {
    return this.name;
  }

  /** Bytes of all segments. */
  get bytes(): number {
    let sum = 0;
    for (const segment of this.segments.values()) sum += segment.bytes;
    return sum;
  }

  /**
   * Puts frames on the disk with one sync. @returns the sequence of the first; the others follow it.
   * @throws JournalWriteError, and FencedError where a higher epoch took over meanwhile.
   */
  async write(jsons: readonly string[]): Promise<number> {
    const first = this.next;
    const frames = jsons.map((json, index) =>
      encodeFrame({ epoch: this.deps.epoch, sequence: first + index, json }),
    );
    const bytes = frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames);
    try {
      const file = await this.writable();
      await file.append(bytes);
      await file.fdatasync();
    } catch (error) {
      await this.abandon();
      throw new JournalWriteError(codeOf(error), { cause: error });
    }
    await this.checkFence();
    const segment = this.segments.get(this.name);
    if (segment) {
      segment.bytes += bytes.length;
      segment.lastSequence = first + frames.length - 1;
    }
    this.next = first + frames.length;
    this.written += bytes.length;
    return first;
  }

  /** The next write begins a new segment, so that those before it can go once an image holds them. */
  roll(): void {
    this.rolling = true;
  }

  /** Removes segments whose frames are all in the image. */
  async dropThrough(sequence: number): Promise<void> {
    const dropped: string[] = [];
    for (const [name, segment] of this.segments) {
      if (name === this.name || segment.lastSequence > sequence) continue;
      try {
        await this.deps.fs.unlink(path.join(this.deps.dir, name));
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) continue;
      }
      dropped.push(name);
    }
    if (dropped.length === 0) return;
    // Only when they are gone for good may a header leave them out: what it does not name must not come back.
    await this.deps.fs.fsyncDir(this.deps.dir);
    for (const name of dropped) this.segments.delete(name);
  }

  async close(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.close();
  }

  /** @throws FencedError where a higher epoch owns the store. */
  async checkFence(): Promise<void> {
    const highest = highestEpoch(await this.deps.fs.readdir(this.deps.dir));
    if (highest > this.deps.epoch || !this.deps.fence()) throw new FencedError(this.deps.epoch);
  }

  /** Leaves the segment; the header of the next one says how much of it counts. */
  private async abandon(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.close().catch(() => undefined);
  }

  private async writable(): Promise<AppendFile> {
    const current = this.segments.get(this.name);
    const wanted = this.rolling || (current?.bytes ?? 0) >= SEGMENT_BYTES;
    if (wanted && current && current.lastSequence > 0) await this.abandon();
    this.rolling = false;
    if (this.file) return this.file;
    this.number += 1;
    const name = storeFileName('journal', this.deps.epoch, this.number);
    const file = await this.deps.fs.create(path.join(this.deps.dir, name), FILE_MODE);
    this.file = file;
    this.name = name;
    const header = this.header();
    const segment = { bytes: 0, lastSequence: 0 };
    this.segments.set(name, segment);
    await file.append(header);
    await this.deps.fs.fsyncDir(this.deps.dir);
    segment.bytes = header.length;
    return file;
  }

  private header(): Buffer {
    const previous: Record<string, number> = {};
    for (const [name, segment] of this.segments) if (name !== this.name) previous[name] = segment.bytes;
    const header: SegmentHeader = {
      store: this.storeId,
      version: JOURNAL_VERSION,
      epoch: this.deps.epoch,
      segment: this.number,
      previous,
    };
    return encodeFrame({ epoch: this.deps.epoch, sequence: 0, json: JSON.stringify(header) });
  }
}
