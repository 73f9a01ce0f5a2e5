import path from 'node:path';
import { writeFileAtomic } from '../platform/atomic-file';
import {
  archiveItem,
  ArchiveKeys,
  encodeArchive,
  readDirectory,
  withoutBlocks,
  type ArchiveItem,
} from './archive-file';
import type { Archiver, ArchiverDeps } from './archiver';
import type { Bodies } from './bodies';
import type { Database } from './database';
import type { SegmentReader } from './segment-reader';
import type { SegmentRow, SegmentTable } from './segment-table';
import { bytesToUlid } from './ulid-bytes';

/** Writes archives anew without what must go; the former file is removed when no image points to it. */
export class ArchiveRewriter {
  constructor(
    private readonly deps: ArchiverDeps,
    private readonly db: Database,
    private readonly segments: SegmentTable,
    private readonly reader: SegmentReader,
    private readonly bodies: Bodies,
    private readonly archiver: Archiver,
  ) {}

  /** Takes out the events that the table `erasing` names. */
  async eraseMarked(): Promise<void> {
    const marked = this.db.all('SELECT event_id FROM erasing').map((row) => row['event_id'] as Uint8Array);
    if (marked.length === 0) return;
    for (const segment of this.segments.list('archive')) {
      const keys = this.bodies.tolerant(segment.name, () => this.keysOf(segment));
      const hit = keys && marked.some((id) => keys.ordinalOf(id) !== undefined);
      if (hit) await this.rewrite(segment, keys, new Set(marked.map(bytesToUlid)));
    }
    this.db.run('DELETE FROM erasing');
  }

  /** Removes the bodies of an archive; its ids stay known. @returns bytes that were freed. */
  async drop(segment: SegmentRow): Promise<number> {
    const bytes = withoutBlocks(this.reader, segment.name, segment.bytes);
    await this.replace(segment, bytes, 0);
    return segment.bytes - bytes.length;
  }

  private async rewrite(segment: SegmentRow, keys: ArchiveKeys, gone: ReadonlySet<string>): Promise<void> {
    const directory = readDirectory(this.reader, segment.name, segment.bytes);
    const kept: ArchiveItem[] = [];
    for (const block of directory.blocks) {
      const items = this.bodies.tolerant(segment.name, () => this.reader.items(segment.name, block.at)) ?? [];
      for (const [slot, item] of items.entries()) {
        const made = archiveItem(item, keys.aliasesOf(block.first + slot));
        if (!gone.has(made.row.event_id)) kept.push(made);
      }
    }
    await this.replace(segment, await encodeArchive(kept), kept.length);
  }

  private async replace(segment: SegmentRow, bytes: Uint8Array, items: number): Promise<void> {
    const name = this.archiver.nextName();
    await writeFileAtomic(this.deps.fs, path.join(this.deps.dir, name), bytes);
    this.db.transaction(() => {
      this.segments.remove(segment.id);
      this.segments.put('archive', name, bytes.length, items);
    });
  }

  private keysOf(segment: SegmentRow): ArchiveKeys {
    return ArchiveKeys.read(
      this.reader,
      segment.name,
      readDirectory(this.reader, segment.name, segment.bytes),
    );
  }
}
