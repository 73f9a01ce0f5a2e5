import type { EventType } from '../contract/event';
import { TYPES } from './codes';
import type { Archive } from './archive';
import type { Database } from './database';
import type { Names } from './names';
import { bytesToUlid } from './ulid-bytes';

/** Numbers and ids of events (by type and turn: of those in the image), beside what {@link EventQueries} tells of each. */
export class EventCounts {
  constructor(
    private readonly db: Database,
    private readonly names: Names,
    private readonly archive: Archive,
  ) {}

  /** Events whose bodies are kept, archived ones too. */
  all(namespace?: string): number {
    const archived = Object.values(this.archive.countByKind(namespace));
    return archived.reduce((sum, n) => sum + n, this.inImage(namespace));
  }

  inImage(namespace?: string): number {
    const { where, params } = this.scope(namespace);
    return this.db.number(`SELECT count(*) AS n FROM events ${where}`, params);
  }

  byType(namespace?: string): Partial<Record<EventType, number>> {
    const { where, params } = this.scope(namespace);
    const counts: Partial<Record<EventType, number>> = {};
    for (const row of this.db.all(`SELECT type, count(*) AS n FROM events ${where} GROUP BY type`, params)) {
      const type = TYPES.name(row['type']);
      if (type) counts[type] = Number(row['n']);
    }
    return counts;
  }

  /** Turns that events belong to. */
  turns(namespace?: string): number {
    const { where, params } = this.scope(namespace);
    return this.db.number(`SELECT count(DISTINCT turn) AS n FROM events ${where}`, params);
  }

  /** Ids under which events of a session were captured, each with the event that it stands for now. */
  idsOfSession(sessionId: string): { id: string; survivor: string }[] {
    const rows = this.db.all(
      `SELECT events.event_id AS survivor, events.event_id AS id FROM events
         JOIN sessions ON sessions.id = events.session WHERE sessions.session_id = ?
       UNION SELECT events.event_id, aliases.event_id FROM aliases JOIN events ON events.id = aliases.event
         JOIN sessions ON sessions.id = events.session WHERE sessions.session_id = ?`,
      [sessionId, sessionId],
    );
    return rows.map((row) => ({
      id: bytesToUlid(row['id'] as Uint8Array),
      survivor: bytesToUlid(row['survivor'] as Uint8Array),
    }));
  }

  private scope(namespace: string | undefined): { where: string; params: number[] } {
    if (namespace === undefined) return { where: '', params: [] };
    return { where: 'WHERE namespace = ?', params: [this.names.find(namespace) ?? -1] };
  }
}
