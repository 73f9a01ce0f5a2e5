import { createHmac } from 'node:crypto';
import type { MemoryEvent } from '../contract/event';
import type { Archive } from './archive';
import { COUNTERS, DISTIL, KINDS, TYPES } from './codes';
import { countDaily } from './daily';
import type { Database, SqlRow, SqlValue } from './database';
import type { Mutation, Outcome } from './mutation';
import type { Names } from './names';
import { previewOf, toolFacts } from './preview';
import { timeMs } from './stored-time';
import { bytesToUlid, digest16, ulidToBytes } from './ulid-bytes';

type EventMutation = Extract<Mutation, { op: 'event' }>;

/** Two sources tell of one happening at nearly the same time. */
const SAME_WINDOW_MS = 60 * 60_000;

export const ERASE_KEY = 'erase_key';

/** Puts events into the image, and takes them out. Deterministic: the same mutations give the same image. */
export class EventApplier {
  constructor(
    private readonly db: Database,
    private readonly names: Names,
    private readonly archive: Archive,
  ) {}

  apply(mutation: EventMutation): Outcome {
    const { event } = mutation;
    const id = ulidToBytes(event.event_id);
    const survivor = this.survivorOf(id);
    if (survivor) return { outcome: 'duplicate', event_id: survivor };

    const namespace = this.names.intern(event.namespace);
    const session = this.session(namespace, mutation);
    const turn = mutation.turn_id ? this.turn(session, mutation.turn_id, mutation.ends_turn === true) : null;
    const twin = this.twinOf(mutation);
    if (twin) return this.pair(twin, id, mutation, turn);
    const repeated = mutation.may_collapse ? this.repeatOf(session, mutation) : undefined;
    if (repeated) return this.repeat(repeated, id);
    this.insert(mutation, id, namespace, session, turn);
    return { outcome: 'applied' };
  }

  endTurn(namespace: string, sessionId: string, turnId: string): void {
    const session = this.findSession(namespace, sessionId);
    if (session !== undefined) {
      this.db.run('UPDATE turns SET ended = 1 WHERE session = ? AND turn_id = ?', [session, turnId]);
    }
  }

  distilled(eventIds: readonly string[]): void {
    for (const eventId of eventIds) {
      this.db.run('UPDATE events SET distil = ? WHERE event_id = ? AND distil = ?', [
        DISTIL.code('done'),
        ulidToBytes(eventId),
        DISTIL.code('pending'),
      ]);
    }
  }

  compacted(sessionId: string): void {
    this.db.run(
      'UPDATE sessions SET shown_after = (SELECT ifnull(max(id), 0) FROM injections) WHERE session_id = ?',
      [sessionId],
    );
  }

  /** Takes events out for good; a keyed hash stays, so that reading a source again does not bring them back. */
  erase(eventIds: readonly string[]): void {
    for (const eventId of eventIds) {
      const id = ulidToBytes(eventId);
      this.db.run('INSERT OR IGNORE INTO erased (hash) VALUES (?)', [this.eraseHash(id)]);
      const row = this.db.get('SELECT id, session FROM events WHERE event_id = ?', [id]);
      if (row) this.remove(row);
      else this.removeArchived(id);
    }
  }

  /** The event that an id stands for now: itself, or the one that it collapsed into. */
  private survivorOf(id: Uint8Array): string | undefined {
    const own = this.db.get('SELECT 1 FROM events WHERE event_id = ?', [id]);
    if (own) return bytesToUlid(id);
    const alias = this.db.get(
      'SELECT events.event_id AS id FROM aliases JOIN events ON events.id = aliases.event WHERE aliases.event_id = ?',
      [id],
    );
    if (alias?.['id'] instanceof Uint8Array) return bytesToUlid(alias['id']);
    if (this.db.get('SELECT 1 FROM erased WHERE hash = ?', [this.eraseHash(id)])) return bytesToUlid(id);
    return this.archive.survivorOf(id);
  }

  private session(namespace: number, mutation: EventMutation): number {
    const { session_id: sessionId, valid_time: validTime } = mutation.event;
    const at = timeMs(validTime);
    this.db.run(
      `INSERT INTO sessions (namespace, session_id, title, first_time, last_time) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (session_id, namespace) DO UPDATE SET title = ifnull(excluded.title, title),
         first_time = min(ifnull(first_time, excluded.first_time), excluded.first_time),
         last_time = max(ifnull(last_time, excluded.last_time), excluded.last_time)`,
      [namespace, sessionId, mutation.session_title ?? null, at, at],
    );
    return this.db.number('SELECT id FROM sessions WHERE session_id = ? AND namespace = ?', [
      sessionId,
      namespace,
    ]);
  }

  private findSession(namespace: string, sessionId: string): number | undefined {
    const id = this.names.find(namespace);
    if (id === undefined) return undefined;
    const row = this.db.get('SELECT id FROM sessions WHERE session_id = ? AND namespace = ?', [
      sessionId,
      id,
    ]);
    return typeof row?.['id'] === 'number' ? row['id'] : undefined;
  }

  private turn(session: number, turnId: string, ended: boolean): number {
    this.db.run(
      `INSERT INTO turns (session, turn_id, ended) VALUES (?, ?, ?)
       ON CONFLICT (session, turn_id) DO UPDATE SET ended = max(ended, excluded.ended)`,
      [session, turnId, ended ? 1 : 0],
    );
    return this.db.number('SELECT id FROM turns WHERE session = ? AND turn_id = ?', [session, turnId]);
  }

  /**
   * The same happening as the other source told it: a hook and a session file are never two events of one
   * source, lie within an hour, and one row stands for as many as it was repeated.
   */
  private twinOf(mutation: EventMutation): SqlRow | undefined {
    if (!mutation.same_as) return undefined;
    const at = timeMs(mutation.event.valid_time);
    return this.db.get(
      `SELECT id, event_id, session, bytes, turn, distil, repeat_count FROM events
       WHERE same = ? AND from_file = ? AND pairs < repeat_count AND abs(time - ?) <= ?
       ORDER BY abs(time - ?), id LIMIT 1`,
      [digest16(mutation.same_as), mutation.may_collapse ? 1 : 0, at, SAME_WINDOW_MS, at],
    );
  }

  /** The row keeps its id, session and state; its body becomes the larger of the two. */
  private pair(twin: SqlRow, id: Uint8Array, mutation: EventMutation, turn: number | null): Outcome {
    const row = Number(twin['id']);
    const survivor = twin['event_id'] as Uint8Array;
    this.db.run('UPDATE events SET pairs = pairs + 1, turn = ifnull(turn, ?) WHERE id = ?', [turn, row]);
    this.db.run('INSERT INTO aliases (event_id, event) VALUES (?, ?)', [id, row]);
    const bytes = bodyBytes(mutation.event);
    if (bytes > Number(twin['bytes'])) {
      const event = { ...mutation.event, event_id: bytesToUlid(survivor) };
      const facts = toolFacts(event);
      this.db.run(
        `UPDATE events SET bytes = ?, tool = ?, success = ifnull(?, success), segment = NULL, block = NULL, slot = NULL
         WHERE id = ?`,
        [bytes, this.toolName(facts.toolName), flag(facts.success), row],
      );
      this.putBody(row, event);
    }
    return { outcome: 'duplicate', event_id: bytesToUlid(survivor) };
  }

  private repeatOf(session: number, mutation: EventMutation): SqlRow | undefined {
    const { event } = mutation;
    return this.db.get(
      `SELECT events.id AS id, events.event_id AS event_id, events.repeat_count AS repeat_count
       FROM sessions JOIN events ON events.id = sessions.last_event
       WHERE sessions.id = ? AND sessions.last_type = ? AND sessions.last_hash = ?`,
      [session, typeCode(event), digest16(event.content_hash)],
    );
  }

  private repeat(row: SqlRow, id: Uint8Array): Outcome {
    const count = Number(row['repeat_count']) + 1;
    this.db.run('UPDATE events SET repeat_count = ? WHERE id = ?', [count, Number(row['id'])]);
    this.db.run('INSERT INTO aliases (event_id, event) VALUES (?, ?)', [id, Number(row['id'])]);
    return { outcome: 'repeat', event_id: bytesToUlid(row['event_id'] as Uint8Array), repeat_count: count };
  }

  private insert(
    mutation: EventMutation,
    id: Uint8Array,
    namespace: number,
    session: number,
    turn: number | null,
  ): void {
    const { event } = mutation;
    const facts = toolFacts(event);
    const tool = this.toolName(facts.toolName);
    const values: SqlValue[] = [
      id,
      namespace,
      session,
      KINDS.code(event.kind),
      event.type ? TYPES.code(event.type) : null,
      timeMs(event.valid_time),
      turn,
      event.parent_event_id ? ulidToBytes(event.parent_event_id) : null,
      tool,
      flag(facts.success),
      event.repeat_count ?? 1,
      DISTIL.code(mutation.distil),
      bodyBytes(event),
      mutation.same_as ? digest16(mutation.same_as) : null,
      mutation.may_collapse ? 0 : 1,
    ];
    this.db.run(
      `INSERT INTO events (event_id, namespace, session, kind, type, time, turn, parent, tool, success, repeat_count,
         distil, bytes, same, from_file) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      values,
    );
    const row = this.db.lastInsertId();
    this.putBody(row, event);
    this.db.run('UPDATE sessions SET last_event = ?, last_type = ?, last_hash = ? WHERE id = ?', [
      row,
      typeCode(event),
      digest16(event.content_hash),
      session,
    ]);
    const at = timeMs(event.valid_time);
    countDaily(this.db, at, namespace, COUNTERS.events, KINDS.code(event.kind), 1);
    if (tool !== null) {
      countDaily(this.db, at, namespace, COUNTERS.toolUsed, tool, 1);
      if (facts.success === false) countDaily(this.db, at, namespace, COUNTERS.toolFailed, tool, 1);
    }
  }

  private putBody(row: number, event: MemoryEvent): void {
    this.db.run('INSERT OR REPLACE INTO event_bodies (event, preview, body) VALUES (?, ?, ?)', [
      row,
      JSON.stringify(previewOf(event)),
      JSON.stringify(event),
    ]);
  }

  private remove(row: SqlRow): void {
    const id = Number(row['id']);
    const session = Number(row['session']);
    for (const alias of this.db.all('SELECT event_id FROM aliases WHERE event = ?', [id])) {
      const hash = this.eraseHash(alias['event_id'] as Uint8Array);
      this.db.run('INSERT OR IGNORE INTO erased (hash) VALUES (?)', [hash]);
    }
    this.db.run('DELETE FROM aliases WHERE event = ?', [id]);
    this.db.run('DELETE FROM event_bodies WHERE event = ?', [id]);
    this.db.run('DELETE FROM events WHERE id = ?', [id]);
    this.db.run(
      'UPDATE sessions SET last_event = NULL, last_type = NULL, last_hash = NULL WHERE id = ? AND last_event = ?',
      [session, id],
    );
    // A title is taken from what was said: it goes with the last event.
    this.db.run(
      'UPDATE sessions SET title = NULL WHERE id = ? AND NOT EXISTS (SELECT 1 FROM events WHERE session = ?)',
      [session, session],
    );
  }

  /** The file is written anew later; until then the event is hidden. */
  private removeArchived(id: Uint8Array): void {
    const aliases = this.archive.aliasesOf(id);
    if (!aliases) return;
    for (const alias of aliases) {
      this.db.run('INSERT OR IGNORE INTO erased (hash) VALUES (?)', [this.eraseHash(alias)]);
    }
    this.db.run('INSERT OR IGNORE INTO erasing (event_id) VALUES (?)', [id]);
  }

  private eraseHash(id: Uint8Array): Uint8Array {
    const key = this.db.get('SELECT value FROM meta WHERE key = ?', [ERASE_KEY])?.['value'];
    return createHmac('sha256', typeof key === 'string' ? key : '')
      .update(id)
      .digest()
      .subarray(0, 16);
  }

  private toolName(name: string | undefined): number | null {
    return name === undefined ? null : this.names.intern(name);
  }
}

function typeCode(event: MemoryEvent): number {
  return event.type ? TYPES.code(event.type) : -KINDS.code(event.kind);
}

function bodyBytes(event: MemoryEvent): number {
  return Buffer.byteLength(JSON.stringify(event.body), 'utf8');
}

function flag(value: boolean | undefined): number | null {
  return value === undefined ? null : value ? 1 : 0;
}
