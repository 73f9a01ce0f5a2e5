import { SEGMENT_KINDS } from './codes';
import type { Database } from './database';

export interface SegmentRow {
  id: number;
  name: string;
  bytes: number;
  /** Items that were written, those that nothing points to any more among them. */
  items: number;
}

/** The segments that the image points into. */
export class SegmentTable {
  private names: Map<number, string> | undefined;
  /** Rises with each change, for those who keep something derived from the table. */
  version = 0;

  constructor(private readonly db: Database) {}

  nameOf(id: unknown): string | undefined {
    this.names ??= new Map(
      this.db.all('SELECT id, name FROM segments').map((row) => [Number(row['id']), String(row['name'])]),
    );
    return typeof id === 'number' ? this.names.get(id) : undefined;
  }

  list(kind: keyof typeof SEGMENT_KINDS): SegmentRow[] {
    return this.db
      .all('SELECT id, name, bytes, items FROM segments WHERE kind = ? ORDER BY id', [SEGMENT_KINDS[kind]])
      .map((row) => ({
        id: Number(row['id']),
        name: String(row['name']),
        bytes: Number(row['bytes']),
        items: Number(row['items']),
      }));
  }

  allNames(): Set<string> {
    return new Set(this.db.all('SELECT name FROM segments').map((row) => String(row['name'])));
  }

  totalBytes(): number {
    return this.db.number('SELECT ifnull(sum(bytes), 0) AS n FROM segments');
  }

  idOf(name: string): number {
    return this.db.number('SELECT id FROM segments WHERE name = ?', [name]);
  }

  /** Adds a segment, or items to one that is there. @returns its id. */
  put(kind: keyof typeof SEGMENT_KINDS, name: string, bytes: number, items: number): number {
    this.db.run(
      `INSERT INTO segments (name, kind, bytes, items) VALUES (?, ?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes, items = items + excluded.items`,
      [name, SEGMENT_KINDS[kind], bytes, items],
    );
    this.changed();
    return this.idOf(name);
  }

  remove(id: number): void {
    this.db.run('DELETE FROM segments WHERE id = ?', [id]);
    this.changed();
  }

  /** How many events and injections point into each segment. */
  references(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const table of ['events', 'injections']) {
      const sql = `SELECT segment, count(*) AS n FROM ${table} WHERE segment IS NOT NULL GROUP BY segment`;
      for (const row of this.db.all(sql)) {
        const id = Number(row['segment']);
        counts.set(id, (counts.get(id) ?? 0) + Number(row['n']));
      }
    }
    return counts;
  }

  changed(): void {
    this.names = undefined;
    this.version += 1;
  }
}
