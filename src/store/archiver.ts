import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { writeFileAtomic } from '../platform/atomic-file';
import type { FileSystem } from '../platform/file-system';
import { encodeArchive, type ArchiveItem } from './archive-file';
import type { Bodies } from './bodies';
import { DISTIL } from './codes';
import type { Database, SqlRow } from './database';
import { EventRows, ROW_COLUMNS } from './event-rows';
import { storeFileName } from './file-names';
import type { Names } from './names';
import type { SegmentTable } from './segment-table';
import { inSlices } from './slices';

export const DAY_MS = 24 * 60 * 60_000;
/** Thin rows of events stay in the image this long. */
export const IMAGE_DAYS = 30;
/** Events a file: one transaction takes their rows out. */
const FILE_EVENTS = 1000;
/** A smaller file is only written for events that have waited this much longer. */
const PATIENCE_DAYS = 30;

export interface ArchiverDeps {
  fs: FileSystem;
  /** Folder of the segments. */
  dir: string;
  epoch: number;
}

/** Moves events of past months out of the image, into immutable files. */
export class Archiver {
  private number = 0;
  private readonly rows: EventRows;

  constructor(
    private readonly deps: ArchiverDeps,
    private readonly db: Database,
    names: Names,
    private readonly bodies: Bodies,
    private readonly segments: SegmentTable,
  ) {
    this.rows = new EventRows(db, names, bodies);
  }

  /** Archives what is older than `days` before `now`, oldest first. @returns events that were moved. */
  async run(now: number, days = IMAGE_DAYS): Promise<number> {
    const limit = now - Math.min(days, IMAGE_DAYS) * DAY_MS;
    let moved = 0;
    for (;;) {
      const rows = this.due(limit);
      const full = rows.length === FILE_EVENTS;
      const waited = Number(rows[0]?.['time'] ?? Infinity) < limit - PATIENCE_DAYS * DAY_MS;
      if (rows.length === 0 || !(full || waited || days < IMAGE_DAYS)) return moved;
      if (!(await this.archive(rows))) return moved;
      moved += rows.length;
    }
  }

  /** A name that was never used. */
  nextName(): string {
    this.number += 1;
    return storeFileName('archive', this.deps.epoch, this.number);
  }

  private due(limit: number): SqlRow[] {
    return this.db.all(
      `SELECT ${ROW_COLUMNS}, bytes FROM events WHERE time < ? AND distil <> ? ORDER BY time, events.id LIMIT ?`,
      [limit, DISTIL.code('pending'), FILE_EVENTS],
    );
  }

  /** @returns false where rows changed while their file was written; nothing was moved then. */
  private async archive(rows: readonly SqlRow[]): Promise<boolean> {
    const items: ArchiveItem[] = [];
    await inSlices(rows, (row) => {
      items.push(this.item(row));
    });
    const name = this.nextName();
    const target = path.join(this.deps.dir, name);
    const bytes = await encodeArchive(items);
    await writeFileAtomic(this.deps.fs, target, bytes);
    if (!rows.every((row) => this.isUnchanged(row))) {
      await this.deps.fs.unlink(target);
      return false;
    }
    this.db.transaction(() => {
      this.segments.put('archive', name, bytes.length, items.length);
      for (const row of rows) this.takeOut(row);
    });
    await nextTurn();
    return true;
  }

  private item(row: SqlRow): ArchiveItem {
    const listed = this.rows.of(row);
    return {
      preview: JSON.stringify(listed),
      // A body that can't be read leaves its id and its row.
      body: this.bodies.eventText(row) ?? 'null',
      row: listed,
      timeMs: Number(row['time']),
      id: row['event_id'] as Uint8Array,
      aliases: this.db
        .all('SELECT event_id FROM aliases WHERE event = ?', [Number(row['id'])])
        .map((alias) => alias['event_id'] as Uint8Array),
    };
  }

  /** Neither erased, nor repeated, nor told more richly. */
  private isUnchanged(row: SqlRow): boolean {
    const now = this.db.get('SELECT repeat_count, bytes, distil FROM events WHERE id = ?', [
      Number(row['id']),
    ]);
    return (
      now?.['repeat_count'] === row['repeat_count'] &&
      now?.['bytes'] === row['bytes'] &&
      now?.['distil'] === row['distil']
    );
  }

  private takeOut(row: SqlRow): void {
    const id = Number(row['id']);
    this.db.run('DELETE FROM events WHERE id = ?', [id]);
    this.db.run('DELETE FROM event_bodies WHERE event = ?', [id]);
    this.db.run('DELETE FROM aliases WHERE event = ?', [id]);
    this.db.run('UPDATE sessions SET last_event = NULL WHERE id = ? AND last_event = ?', [
      Number(row['session']),
      id,
    ]);
    if (row['turn'] === null) return;
    const turn = Number(row['turn']);
    this.db.run('DELETE FROM turns WHERE id = ? AND NOT EXISTS (SELECT 1 FROM events WHERE turn = ?)', [
      turn,
      turn,
    ]);
  }
}
