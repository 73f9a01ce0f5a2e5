import type { MemoryEvent } from '../contract/event';
import type { Injection } from '../contract/injection';
import type { Database, SqlRow } from './database';
import type { EventPreview } from './preview';

/** Columns that {@link Bodies} needs of a row of `events` or `injections`. */
export const BODY_COLUMNS = 'id, segment, block, slot';

/** Reads what thin rows point to: in the image until it was published, then in a segment. */
export class Bodies {
  constructor(private readonly db: Database) {}

  event(row: SqlRow): MemoryEvent | undefined {
    const stored = this.db.get('SELECT body FROM event_bodies WHERE event = ?', [Number(row['id'])]);
    return typeof stored?.['body'] === 'string' ? (JSON.parse(stored['body']) as MemoryEvent) : undefined;
  }

  preview(row: SqlRow): EventPreview | undefined {
    const stored = this.db.get('SELECT preview FROM event_bodies WHERE event = ?', [Number(row['id'])]);
    return typeof stored?.['preview'] === 'string'
      ? (JSON.parse(stored['preview']) as EventPreview)
      : undefined;
  }

  injection(row: SqlRow): Injection | undefined {
    const stored = this.db.get('SELECT body FROM injection_bodies WHERE injection = ?', [Number(row['id'])]);
    return typeof stored?.['body'] === 'string' ? (JSON.parse(stored['body']) as Injection) : undefined;
  }
}
