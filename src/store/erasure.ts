import path from 'node:path';
import type { FileSystem } from '../platform/file-system';
import type { Applier } from './apply';
import type { ArchiveRewriter } from './archive-rewriter';
import type { Bodies } from './bodies';
import { BODY_COLUMNS } from './bodies';
import type { BodyMover } from './body-mover';
import type { Database, SqlRow } from './database';
import type { Publisher } from './publisher';
import type { Quarantine } from './quarantine';
import type { SegmentReader } from './segment-reader';
import type { SegmentRow, SegmentTable } from './segment-table';
import type { SegmentWriter } from './segment-writer';
import { inSlices } from './slices';

export interface ErasureParts {
  fs: FileSystem;
  /** Folder of the segments. */
  bodiesDir: string;
  db: Database;
  applier: Applier;
  segments: SegmentTable;
  reader: SegmentReader;
  writer: SegmentWriter;
  bodies: Bodies;
  mover: BodyMover;
  rewriter: ArchiveRewriter;
  publisher: Publisher;
  quarantine: Quarantine;
}

/**
 * Removes what was erased from every file: bodies and archives are written anew, two images follow each other,
 * the journal that came before goes, and so does the quarantine.
 */
export class Erasure {
  constructor(private readonly parts: ErasureParts) {}

  /**
   * @param confirm puts a frame into a new journal segment that says that nothing is left to do up to a sequence.
   */
  async run(confirm: (sequence: number) => Promise<unknown>): Promise<void> {
    const { applier, publisher } = this.parts;
    await publisher.exclusive(async () => {
      const sequence = applier.erasurePending;
      if (sequence === 0) return;
      await this.rewriteSegments();
      await publisher.writeTwice();
      await confirm(sequence);
      await publisher.removeSuperfluous();
      await this.parts.quarantine.purge();
    });
  }

  private async rewriteSegments(): Promise<void> {
    const { writer, segments, mover, rewriter, reader } = this.parts;
    await mover.move();
    await writer.close();
    await rewriter.eraseMarked();
    for (const segment of await this.withRemains()) {
      await this.takeBack(segment);
      await mover.move();
    }
    segments.changed();
    reader.forget();
  }

  /** Segments that hold more than rows point to: erased and replaced bodies, or what a crash left behind. */
  private async withRemains(): Promise<SegmentRow[]> {
    const { segments, fs, bodiesDir } = this.parts;
    const references = segments.references();
    const found: SegmentRow[] = [];
    for (const segment of segments.list('bodies')) {
      const size = (await fs.stat(path.join(bodiesDir, segment.name)))?.size;
      if (references.get(segment.id) !== segment.items || size !== segment.bytes) found.push(segment);
    }
    return found;
  }

  /** Puts the bodies that are still needed back into the image. */
  private async takeBack(segment: SegmentRow): Promise<void> {
    const { db, bodies, segments } = this.parts;
    for (const table of ['event', 'injection'] as const) {
      const rows = db.all(`SELECT ${BODY_COLUMNS} FROM ${table}s WHERE segment = ?`, [segment.id]);
      await inSlices(rows, (row) => {
        db.transaction(() => this.takeBackRow(table, row, bodies));
      });
    }
    segments.remove(segment.id);
  }

  private takeBackRow(table: 'event' | 'injection', row: SqlRow, bodies: Bodies): void {
    const { db } = this.parts;
    const id = Number(row['id']);
    const current = db.get(`SELECT segment FROM ${table}s WHERE id = ?`, [id]);
    if (current?.['segment'] !== row['segment']) return;
    const body = table === 'event' ? bodies.eventText(row) : bodies.injectionText(row);
    if (body !== undefined && table === 'event') {
      const preview = JSON.stringify(bodies.preview(row) ?? { preview: '', valid_time: '', surface: '' });
      db.run('INSERT OR REPLACE INTO event_bodies (event, preview, body) VALUES (?, ?, ?)', [
        id,
        preview,
        body,
      ]);
    } else if (body !== undefined) {
      db.run('INSERT OR REPLACE INTO injection_bodies (injection, body) VALUES (?, ?)', [id, body]);
    }
    db.run(`UPDATE ${table}s SET segment = NULL, block = NULL, slot = NULL WHERE id = ?`, [id]);
  }
}
