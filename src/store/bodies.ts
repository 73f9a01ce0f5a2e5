import type { MemoryEvent } from '../contract/event';
import type { Injection } from '../contract/injection';
import { hasCode } from '../platform/file-system';
import type { Log } from '../platform/log';
import type { Database, SqlRow, SqlValue } from './database';
import { SegmentDamagedError } from './errors';
import type { EventPreview } from './preview';
import type { SegmentReader } from './segment-reader';
import type { SegmentTable } from './segment-table';

/** Columns that {@link Bodies} needs of a row of `events` or `injections`. */
export const BODY_COLUMNS = 'id, segment, block, slot';

interface Place {
  segment: string;
  block: number;
  slot: number;
}

/** Reads what thin rows point to: in the image until it was published, then in a segment. */
export class Bodies {
  private readonly damaged = new Set<string>();

  constructor(
    private readonly db: Database,
    private readonly segments: SegmentTable,
    private readonly reader: SegmentReader,
    private readonly log: Log,
  ) {}

  /** @param row `id`, `segment`, `block` and `slot` of an event. */
  event(row: SqlRow): MemoryEvent | undefined {
    const text = this.eventText(row);
    return text === undefined ? undefined : (JSON.parse(text) as MemoryEvent);
  }

  eventText(row: SqlRow): string | undefined {
    return this.text('SELECT body AS text FROM event_bodies WHERE event = ?', row, 'bodies');
  }

  preview(row: SqlRow): EventPreview | undefined {
    const text = this.text('SELECT preview AS text FROM event_bodies WHERE event = ?', row, 'previews');
    return text === undefined || text === '' ? undefined : (JSON.parse(text) as EventPreview);
  }

  /** @param row `id`, `segment`, `block` and `slot` of an injection. */
  injection(row: SqlRow): Injection | undefined {
    const text = this.injectionText(row);
    return text === undefined ? undefined : (JSON.parse(text) as Injection);
  }

  injectionText(row: SqlRow): string | undefined {
    return this.text('SELECT body AS text FROM injection_bodies WHERE injection = ?', row, 'bodies');
  }

  /** What `read` gives, or undefined where the segment does not read back; said once a segment. */
  tolerant<T>(segment: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SegmentDamagedError) && !hasCode(error, 'ENOENT', 'ELOOP')) throw error;
      if (!this.damaged.has(segment)) this.log.error('store', `Segment ${segment} can't be read.`);
      this.damaged.add(segment);
      return undefined;
    }
  }

  private text(sql: string, row: SqlRow, part: 'bodies' | 'previews'): string | undefined {
    const place = this.placeOf(row);
    if (place)
      return this.tolerant(place.segment, () => this.reader[part](place.segment, place.block)[place.slot]);
    const stored: SqlValue | undefined = this.db.get(sql, [Number(row['id'])])?.['text'];
    return typeof stored === 'string' ? stored : undefined;
  }

  private placeOf(row: SqlRow): Place | undefined {
    const segment = this.segments.nameOf(row['segment']);
    return segment === undefined
      ? undefined
      : { segment, block: Number(row['block']), slot: Number(row['slot']) };
  }
}
