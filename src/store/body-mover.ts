import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './database';
import type { SegmentItem } from './segment-block';
import type { SegmentTable } from './segment-table';
import type { Located, SegmentWriter } from './segment-writer';
import { chunks } from './slices';

interface Moving extends SegmentItem {
  table: 'event' | 'injection';
  id: number;
  /** Characters of the body as SQLite counts them. */
  chars: number;
}

/** Bodies are taken out in lists of about this many characters. */
const BATCH_CHARS = 512 * 1024;
const BATCH_ROWS = 200;
const UPDATE_ROWS = 100;

const SELECT = {
  event:
    'SELECT event AS id, preview, body, length(body) AS chars FROM event_bodies WHERE event > ? ORDER BY event LIMIT ?',
  injection:
    "SELECT injection AS id, '' AS preview, body, length(body) AS chars FROM injection_bodies WHERE injection > ? ORDER BY injection LIMIT ?",
} as const;

/** Moves bodies and previews out of the image into compressed segments. */
export class BodyMover {
  constructor(
    private readonly db: Database,
    private readonly segments: SegmentTable,
    private readonly writer: SegmentWriter,
  ) {}

  /** Moves all that there is when it starts. What came meanwhile stays in the image until the next time. */
  async move(): Promise<void> {
    for (const table of ['event', 'injection'] as const) {
      const last = this.db.number(`SELECT ifnull(max(${table}), 0) AS n FROM ${table}_bodies`);
      for (let after = 0; after < last;) {
        const batch = this.batch(table, after);
        if (batch.length === 0) break;
        after = batch[batch.length - 1]?.id ?? last;
        await this.place(batch);
      }
    }
  }

  private batch(table: 'event' | 'injection', after: number): Moving[] {
    const batch: Moving[] = [];
    let chars = 0;
    for (const row of this.db.all(SELECT[table], [after, BATCH_ROWS])) {
      const body = String(row['body']);
      batch.push({
        table,
        id: Number(row['id']),
        preview: String(row['preview']),
        body,
        chars: Number(row['chars']),
      });
      chars += body.length;
      if (chars >= BATCH_CHARS) break;
    }
    return batch;
  }

  /** Rows point to a segment only when it is on the disk. */
  private async place(batch: readonly Moving[]): Promise<void> {
    const located = await this.writer.append(batch);
    await this.writer.sync();
    const counted = new Set<string>();
    for (const part of chunks(located, UPDATE_ROWS)) {
      this.db.transaction(() => {
        for (const place of part) this.point(place, counted, located);
      });
      await nextTurn();
    }
  }

  private point(place: Located<Moving>, counted: Set<string>, located: readonly Located<Moving>[]): void {
    const { item, segment } = place;
    if (!counted.has(segment)) {
      const items = located.filter((other) => other.segment === segment);
      this.segments.put('bodies', segment, this.writer.sizeOf(segment), items.length);
      counted.add(segment);
    }
    // Changed meanwhile (a richer telling, an erase): the row keeps what it has now. A change alters the length.
    this.db.run(`DELETE FROM ${item.table}_bodies WHERE ${item.table} = ? AND length(body) = ?`, [
      item.id,
      item.chars,
    ]);
    if (this.db.changes() === 0) return;
    this.db.run(`UPDATE ${item.table}s SET segment = ?, block = ?, slot = ? WHERE id = ?`, [
      this.segments.idOf(segment),
      place.block,
      place.slot,
      item.id,
    ]);
  }
}
