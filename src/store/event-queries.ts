import type { EventKind, EventType, MemoryEvent } from '../contract/event';
import type { EventRow } from '../contract/local-api';
import type { Archive } from './archive';
import type { Bodies } from './bodies';
import { DISTIL, KINDS, TYPES, type DistilState } from './codes';
import type { Database, SqlRow, SqlValue } from './database';
import { EventRows, ROW_COLUMNS } from './event-rows';
import {
  isNewer,
  mergeNewestFirst,
  parsePosition,
  positionText,
  type BlockAhead,
  type Candidate,
  type EventPosition,
} from './event-stream';
import type { Names } from './names';
import { timeMs } from './stored-time';
import { ulidToBytes } from './ulid-bytes';

export interface EventFilter {
  namespace?: string;
  sessionId?: string;
  kinds?: readonly EventKind[];
  types?: readonly EventType[];
  /** Found in preview, label or tool name, whatever its case. */
  text?: string;
  /** Only what lies before this event: what `next` gave, or an event's time and id. */
  before?: string | { valid_time: string; event_id: string };
  /** 1 to 500. */
  limit: number;
}

export interface EventPage {
  /** Newest first. */
  items: EventRow[];
  /** Present where there may be more; a page can be short, even empty, and still have it. */
  next?: string;
  /** Events that namespace and kinds name, archived ones too; by session or type, those in the image alone. */
  total: number;
}

export interface PendingEvent {
  event: MemoryEvent;
  turn_id?: string;
  turn_ended: boolean;
  session_title?: string;
  /** Bytes of the body. */
  bytes: number;
}

export interface PendingSession {
  namespace: string;
  session_id: string;
  events: number;
  bytes: number;
}

/** One call looks at this many rows; a block of the archive counts as many as it takes the time of. */
const SCAN_COST = 4000;
const BLOCK_COST = 40;
const IMAGE_BATCH = 100;

/** What is known of captured events. All calls are synchronous and return plain objects. */
export class EventQueries {
  private readonly rows: EventRows;

  constructor(
    private readonly db: Database,
    private readonly names: Names,
    private readonly bodies: Bodies,
    private readonly archive: Archive,
  ) {
    this.rows = new EventRows(db, names, bodies);
  }

  /**
   * Events, newest first, archived ones too. One call looks at a bounded number of rows and blocks, then says
   * where to go on.
   */
  list(filter: EventFilter): EventPage {
    const limit = clamp(filter.limit, 1, 500);
    const before = parsePosition(filter.before);
    const text = filter.text?.toLowerCase();
    const total = this.total(filter);
    const items: EventRow[] = [];
    let cost = 0;
    let last: Candidate | undefined;
    const stream = mergeNewestFirst(this.fromImage(filter, before), this.fromArchive(filter, before));
    for (const candidate of stream) {
      cost += candidate ? 1 : BLOCK_COST;
      if (last && (items.length === limit || cost >= SCAN_COST)) {
        return { items, next: positionText(last), total };
      }
      if (!candidate) continue;
      const row = candidate.row();
      if (text === undefined || matches(row, text)) items.push(row);
      last = candidate;
    }
    return { items, total };
  }

  /** The whole event; undefined where it was never stored or its body is gone. */
  get(eventId: string): MemoryEvent | undefined {
    const row = this.row(eventId);
    return row ? this.whole(row) : isUlid(eventId) ? this.archive.event(eventId) : undefined;
  }

  /** One line of the tail. */
  rowOf(eventId: string): EventRow | undefined {
    const row = this.row(eventId);
    return row ? this.rows.of(row) : isUlid(eventId) ? this.archive.row(eventId) : undefined;
  }

  /** The whole events of one turn that the image holds, oldest first. */
  ofTurn(namespace: string, sessionId: string, turnId: string): MemoryEvent[] {
    const rows = this.db.all(
      `SELECT ${ROW_COLUMNS} FROM events WHERE turn = (SELECT turns.id FROM turns
         JOIN sessions ON sessions.id = turns.session
         WHERE sessions.session_id = ? AND sessions.namespace = ? AND turns.turn_id = ?)
       ORDER BY time, events.id`,
      [sessionId, this.names.find(namespace) ?? -1, turnId],
    );
    return rows.flatMap((row) => this.whole(row) ?? []);
  }

  /** Ids of a session's last turns, oldest first; with a state, only turns with an event in it. */
  turnIds(namespace: string, sessionId: string, limit: number, state?: DistilState): string[] {
    const rows = this.db.all(
      `SELECT turn_id FROM turns JOIN sessions ON sessions.id = turns.session
       WHERE sessions.session_id = ? AND sessions.namespace = ?
         AND EXISTS (SELECT 1 FROM events WHERE events.turn = turns.id ${state ? 'AND distil = ?' : ''})
       ORDER BY turns.id DESC LIMIT ?`,
      [
        sessionId,
        this.names.find(namespace) ?? -1,
        ...(state ? [DISTIL.code(state)] : []),
        clamp(limit, 1, 1000),
      ],
    );
    return rows.map((row) => String(row['turn_id'])).reverse();
  }

  /** What the buffer holds, oldest first. */
  pending(namespace: string | undefined, limit: number): PendingEvent[] {
    const params: SqlValue[] = namespace === undefined ? [] : [this.names.find(namespace) ?? -1];
    const rows = this.db.all(
      `SELECT ${ROW_COLUMNS}, bytes, turn_id, ended, (SELECT title FROM sessions WHERE id = events.session) AS title
       FROM events LEFT JOIN turns ON turns.id = events.turn
       WHERE distil = 1 ${namespace === undefined ? '' : 'AND namespace = ?'} ORDER BY events.id LIMIT ?`,
      [...params, limit],
    );
    return rows.flatMap((row) => {
      const event = this.whole(row);
      if (!event) return [];
      return {
        event,
        ...(typeof row['turn_id'] === 'string' ? { turn_id: row['turn_id'] } : {}),
        turn_ended: row['ended'] === 1,
        ...(typeof row['title'] === 'string' ? { session_title: row['title'] } : {}),
        bytes: Number(row['bytes']),
      };
    });
  }

  pendingCount(namespace?: string, sessionId?: string): number {
    return this.pendingSum(namespace, sessionId).events;
  }

  pendingBytes(namespace?: string, sessionId?: string): number {
    return this.pendingSum(namespace, sessionId).bytes;
  }

  /** The sessions that have events in the buffer. */
  pendingSessions(): PendingSession[] {
    return this.db
      .all(
        `SELECT events.namespace AS namespace, session_id, count(*) AS n, sum(bytes) AS bytes
         FROM events JOIN sessions ON sessions.id = events.session WHERE distil = 1 GROUP BY events.session`,
      )
      .map((row) => ({
        namespace: this.names.name(row['namespace']) ?? '',
        session_id: String(row['session_id']),
        events: Number(row['n']),
        bytes: Number(row['bytes']),
      }));
  }

  /** Events whose bodies are kept, by kind. */
  countByKind(namespace?: string): Record<EventKind, number> {
    const counts = this.archive.countByKind(namespace);
    const { where, params } = this.conditions(namespace === undefined ? {} : { namespace });
    const sql = `SELECT kind, count(*) AS n FROM events ${whereText(where)} GROUP BY kind`;
    for (const row of this.db.all(sql, params)) {
      const kind = KINDS.name(row['kind']);
      if (kind) counts[kind] += Number(row['n']);
    }
    return counts;
  }

  /** ISO time of the oldest event whose body is kept. */
  oldest(): string | undefined {
    const inImage = this.db.get('SELECT min(time) AS time FROM events')?.['time'];
    const times = [inImage, this.archive.oldest].filter((time) => typeof time === 'number');
    return times.length === 0 ? undefined : new Date(Math.min(...times)).toISOString();
  }

  private total(filter: EventFilter): number {
    if (filter.sessionId === undefined && !filter.types?.length) {
      const counts = this.countByKind(filter.namespace);
      const kinds = filter.kinds?.length ? filter.kinds : (Object.keys(counts) as EventKind[]);
      return kinds.reduce((sum, kind) => sum + counts[kind], 0);
    }
    const { where, params } = this.conditions(filter);
    return this.db.number(`SELECT count(*) AS n FROM events ${whereText(where)}`, params);
  }

  private pendingSum(namespace?: string, sessionId?: string): { events: number; bytes: number } {
    const { where, params } = this.conditions({
      ...(namespace === undefined ? {} : { namespace }),
      ...(sessionId === undefined ? {} : { sessionId }),
    });
    const row = this.db.get(
      `SELECT count(*) AS n, ifnull(sum(bytes), 0) AS bytes FROM events ${whereText(['distil = 1', ...where])}`,
      params,
    );
    return { events: Number(row?.['n'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) };
  }

  private conditions(filter: Omit<EventFilter, 'limit'>): { where: string[]; params: SqlValue[] } {
    const where: string[] = [];
    const params: SqlValue[] = [];
    if (filter.namespace !== undefined) {
      where.push('namespace = ?');
      params.push(this.names.find(filter.namespace) ?? -1);
    }
    if (filter.sessionId !== undefined) {
      where.push('session IN (SELECT id FROM sessions WHERE session_id = ?)');
      params.push(filter.sessionId);
    }
    if (filter.kinds?.length)
      where.push(`kind IN (${filter.kinds.map((kind) => KINDS.code(kind)).join(', ')})`);
    if (filter.types?.length)
      where.push(`type IN (${filter.types.map((type) => TYPES.code(type)).join(', ')})`);
    return { where, params };
  }

  private *fromImage(filter: EventFilter, before: EventPosition | undefined): Generator<Candidate> {
    const { where, params } = this.conditions(filter);
    where.push('(time, event_id) < (?, ?)');
    let position = before ?? { time: Number.MAX_SAFE_INTEGER, id: new Uint8Array() };
    for (;;) {
      const rows = this.db.all(
        `SELECT ${ROW_COLUMNS} FROM events ${whereText(where)} ORDER BY time DESC, event_id DESC LIMIT ${IMAGE_BATCH}`,
        [...params, position.time, position.id],
      );
      for (const row of rows) {
        position = { time: Number(row['time']), id: row['event_id'] as Uint8Array };
        yield { ...position, row: () => this.rows.of(row) };
      }
      if (rows.length < IMAGE_BATCH) return;
    }
  }

  private *fromArchive(
    filter: EventFilter,
    before: EventPosition | undefined,
  ): Generator<Candidate | BlockAhead> {
    const span = filter.sessionId === undefined ? undefined : this.spanOf(filter.sessionId);
    const scan = {
      ...(filter.namespace === undefined ? {} : { namespace: filter.namespace }),
      from: span?.from ?? 0,
      to: Math.min(span?.to ?? Infinity, before?.time ?? Infinity),
    };
    for (const found of this.archive.rows(scan)) {
      if (!('event_id' in found)) yield found;
      else if (fits(found, filter)) {
        const candidate = {
          time: timeMs(found.valid_time),
          id: ulidToBytes(found.event_id),
          row: () => found,
        };
        if (!before || isNewer(before, candidate)) yield candidate;
      }
    }
  }

  /** From the first to the last event of a session. */
  private spanOf(sessionId: string): { from: number; to: number } {
    const row = this.db.get(
      'SELECT min(first_time) AS first, max(last_time) AS last FROM sessions WHERE session_id = ?',
      [sessionId],
    );
    return { from: Number(row?.['first'] ?? Infinity), to: Number(row?.['last'] ?? -Infinity) };
  }

  private row(eventId: string): SqlRow | undefined {
    if (!isUlid(eventId)) return undefined;
    return this.db.get(`SELECT ${ROW_COLUMNS} FROM events WHERE event_id = ?`, [ulidToBytes(eventId)]);
  }

  private whole(row: SqlRow): MemoryEvent | undefined {
    const event = this.bodies.event(row);
    const repeats = Number(row['repeat_count']);
    return event && repeats > 1 ? { ...event, repeat_count: repeats } : event;
  }
}

function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}

function fits(row: EventRow, filter: EventFilter): boolean {
  if (filter.sessionId !== undefined && row.session_id !== filter.sessionId) return false;
  if (filter.kinds?.length && !filter.kinds.includes(row.kind)) return false;
  return !filter.types?.length || (row.type !== undefined && filter.types.includes(row.type));
}

function matches(row: EventRow, wanted: string): boolean {
  return [row.preview, row.display_message, row.label, row.tool_name].some((text) =>
    text?.toLowerCase().includes(wanted),
  );
}

function whereText(where: readonly string[]): string {
  return where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, Math.trunc(value) || min));
}
