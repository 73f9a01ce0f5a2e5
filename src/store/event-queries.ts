import type { EventKind, EventType, MemoryEvent } from '../contract/event';
import type { EventRow } from '../contract/local-api';
import type { Bodies } from './bodies';
import { DISTIL, KINDS, TYPES, type DistilState } from './codes';
import type { Database, SqlRow, SqlValue } from './database';
import type { Names } from './names';
import { timeMs } from './stored-time';
import { bytesToUlid, ulidToBytes } from './ulid-bytes';

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
  /** Events that the filter names, without its text. */
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

const ROW_COLUMNS = `events.id AS id, event_id, kind, type, time, parent, tool, success, repeat_count, distil,
  segment, block, slot, namespace, events.session AS session`;

/** A page with a text looks at this many rows, then says where to go on. */
const TEXT_SCAN_ROWS = 4000;

/** What is known of captured events. All calls are synchronous and return plain objects. */
export class EventQueries {
  constructor(
    private readonly db: Database,
    private readonly names: Names,
    private readonly bodies: Bodies,
  ) {}

  /** Events, newest first. */
  list(filter: EventFilter): EventPage {
    const { where, params } = this.conditions(filter);
    const total = this.db.number(`SELECT count(*) AS n FROM events ${whereText(where)}`, params);
    const before = cursorOf(filter.before);
    if (before) {
      where.push('(time, event_id) < (?, ?)');
      params.push(before.time, before.id);
    }
    const limit = clamp(filter.limit, 1, 500);
    const scan = filter.text ? TEXT_SCAN_ROWS : limit;
    const rows = this.db.all(
      `SELECT ${ROW_COLUMNS} FROM events ${whereText(where)} ORDER BY time DESC, event_id DESC LIMIT ?`,
      [...params, scan],
    );
    return { ...this.page(rows, filter.text, limit, scan), total };
  }

  /** The whole event; undefined where it was never stored or is gone. */
  get(eventId: string): MemoryEvent | undefined {
    const row = this.row(eventId);
    return row && this.whole(row);
  }

  /** True where the id was ever stored here and not erased. */
  has(eventId: string): boolean {
    return this.row(eventId) !== undefined;
  }

  rowOf(eventId: string): EventRow | undefined {
    const row = this.row(eventId);
    return row && this.eventRow(row);
  }

  /** The whole events of one turn, oldest first. */
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

  /** Ids under which events of a session were captured, each with the event that it stands for now. */
  idsOfSession(sessionId: string): { id: string; survivor: string }[] {
    const rows = this.db.all(
      `SELECT events.event_id AS survivor, events.event_id AS id FROM events
         JOIN sessions ON sessions.id = events.session WHERE sessions.session_id = ?1
       UNION SELECT events.event_id, aliases.event_id FROM aliases JOIN events ON events.id = aliases.event
         JOIN sessions ON sessions.id = events.session WHERE sessions.session_id = ?1`,
      [sessionId],
    );
    return rows.map((row) => ({
      id: bytesToUlid(row['id'] as Uint8Array),
      survivor: bytesToUlid(row['survivor'] as Uint8Array),
    }));
  }

  /** Events in the image. */
  count(namespace?: string): number {
    const { where, params } = this.conditions(namespace === undefined ? {} : { namespace });
    return this.db.number(`SELECT count(*) AS n FROM events ${whereText(where)}`, params);
  }

  /** Events in the image by kind. */
  countByKind(namespace?: string): Record<EventKind, number> {
    const counts: Record<EventKind, number> = { prompt: 0, tool_use: 0, session_summary: 0, note: 0 };
    const { where, params } = this.conditions(namespace === undefined ? {} : { namespace });
    const sql = `SELECT kind, count(*) AS n FROM events ${whereText(where)} GROUP BY kind`;
    for (const row of this.db.all(sql, params)) {
      const kind = KINDS.name(row['kind']);
      if (kind) counts[kind] = Number(row['n']);
    }
    return counts;
  }

  /** Events in the image by type. */
  countByType(namespace?: string): Partial<Record<EventType, number>> {
    const counts: Partial<Record<EventType, number>> = {};
    const { where, params } = this.conditions(namespace === undefined ? {} : { namespace });
    const sql = `SELECT type, count(*) AS n FROM events ${whereText(where)} GROUP BY type`;
    for (const row of this.db.each(sql, params)) {
      const type = TYPES.name(row['type']);
      if (type) counts[type] = Number(row['n']);
    }
    return counts;
  }

  /** Turns that events in the image belong to. */
  turnCount(namespace?: string): number {
    const { where, params } = this.conditions(namespace === undefined ? {} : { namespace });
    return this.db.number(
      `SELECT count(DISTINCT turn) AS n FROM events ${whereText([...where, 'turn IS NOT NULL'])}`,
      params,
    );
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
    if (filter.kinds && filter.kinds.length > 0)
      where.push(`kind IN (${filter.kinds.map((k) => KINDS.code(k))})`);
    if (filter.types && filter.types.length > 0)
      where.push(`type IN (${filter.types.map((t) => TYPES.code(t))})`);
    return { where, params };
  }

  private page(
    rows: SqlRow[],
    text: string | undefined,
    limit: number,
    scan: number,
  ): Omit<EventPage, 'total'> {
    const wanted = text?.toLowerCase();
    const items: EventRow[] = [];
    for (const [index, row] of rows.entries()) {
      const item = this.eventRow(row);
      if (wanted === undefined || matches(item, wanted)) items.push(item);
      const more = index + 1 < rows.length || rows.length === scan;
      if (items.length === limit || index + 1 === rows.length) {
        return more ? { items, next: cursorText(row) } : { items };
      }
    }
    return { items };
  }

  private row(eventId: string): SqlRow | undefined {
    try {
      return this.db.get(`SELECT ${ROW_COLUMNS} FROM events WHERE event_id = ?`, [ulidToBytes(eventId)]);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  private whole(row: SqlRow): MemoryEvent | undefined {
    const event = this.bodies.event(row);
    const repeats = Number(row['repeat_count']);
    return event && repeats > 1 ? { ...event, repeat_count: repeats } : event;
  }

  private eventRow(row: SqlRow): EventRow {
    const preview = this.bodies.preview(row);
    const session = this.db.get('SELECT session_id, title FROM sessions WHERE id = ?', [
      Number(row['session']),
    ]);
    const turn = this.db.get('SELECT turn_id FROM turns WHERE id = (SELECT turn FROM events WHERE id = ?)', [
      Number(row['id']),
    ]);
    const type = TYPES.name(row['type']);
    const tool = this.names.name(row['tool']);
    return {
      event_id: bytesToUlid(row['event_id'] as Uint8Array),
      namespace: this.names.name(row['namespace']) ?? '',
      kind: KINDS.name(row['kind']) ?? 'note',
      ...(type ? { type } : {}),
      session_id: String(session?.['session_id'] ?? ''),
      ...(typeof session?.['title'] === 'string' ? { session_title: session['title'] } : {}),
      ...(typeof turn?.['turn_id'] === 'string' ? { turn_id: turn['turn_id'] } : {}),
      ...(row['parent'] instanceof Uint8Array ? { parent_event_id: bytesToUlid(row['parent']) } : {}),
      ...(tool ? { tool_name: tool } : {}),
      ...(row['success'] === null ? {} : { success: row['success'] === 1 }),
      repeat_count: Number(row['repeat_count']),
      distil: DISTIL.name(row['distil']) ?? 'never',
      ...(preview ?? { preview: '', valid_time: new Date(Number(row['time'])).toISOString(), surface: '' }),
    };
  }
}

function matches(row: EventRow, wanted: string): boolean {
  return [row.preview, row.display_message, row.label, row.tool_name].some((text) =>
    text?.toLowerCase().includes(wanted),
  );
}

function whereText(where: readonly string[]): string {
  return where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
}

function cursorText(row: SqlRow): string {
  return `${Number(row['time'])}.${bytesToUlid(row['event_id'] as Uint8Array)}`;
}

function cursorOf(before: EventFilter['before']): { time: number; id: Uint8Array } | undefined {
  if (before === undefined) return undefined;
  try {
    if (typeof before !== 'string')
      return { time: timeMs(before.valid_time), id: ulidToBytes(before.event_id) };
    const [time, id] = before.split('.');
    return { time: Number(time) || 0, id: ulidToBytes(id ?? '') };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, Math.trunc(value) || min));
}
