import type { Injection, InjectionVerdict } from '../contract/injection';
import { VERDICT_CODES } from './apply-injections';
import type { Bodies } from './bodies';
import type { Database, SqlRow, SqlValue } from './database';
import type { Names } from './names';
import { bytesToRecordId, packId, unpackId } from './ulid-bytes';

export interface InjectionFilter {
  namespace?: string;
  sessionId?: string;
  /** What `next` gave. */
  before?: string;
  limit: number;
}

const COLUMNS = 'injections.id AS id, injection_id, time, segment, block, slot';

/** The log of what was injected. All calls are synchronous and return plain objects. */
export class InjectionQueries {
  constructor(
    private readonly db: Database,
    private readonly names: Names,
    private readonly bodies: Bodies,
  ) {}

  /** Injections, newest first. */
  list(filter: InjectionFilter): { items: Injection[]; next?: string } {
    const where: string[] = [];
    const params: SqlValue[] = [];
    if (filter.namespace !== undefined) {
      where.push('sessions.namespace = ?');
      params.push(this.names.find(filter.namespace) ?? -1);
    }
    if (filter.sessionId !== undefined) {
      where.push('sessions.session_id = ?');
      params.push(filter.sessionId);
    }
    if (filter.before !== undefined) {
      where.push('injections.id < ?');
      params.push(Number(filter.before) || 0);
    }
    const limit = Math.max(1, Math.min(500, Math.trunc(filter.limit) || 1));
    const rows = this.db.all(
      `SELECT ${COLUMNS} FROM injections JOIN sessions ON sessions.id = injections.session
       ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`} ORDER BY injections.id DESC LIMIT ?`,
      [...params, limit],
    );
    const items = rows.flatMap((row) => this.whole(row) ?? []);
    const last = rows[rows.length - 1];
    return rows.length === limit && last ? { items, next: String(last['id']) } : { items };
  }

  get(injectionId: string): Injection | undefined {
    const row = this.db.get(`SELECT ${COLUMNS} FROM injections WHERE injection_id = ?`, [
      packId(injectionId),
    ]);
    return row && this.whole(row);
  }

  /** The session's latest injection that held records. */
  lastFor(sessionId: string): Injection | undefined {
    const row = this.db.get(
      `SELECT ${COLUMNS} FROM injections WHERE session IN (SELECT id FROM sessions WHERE session_id = ?)
         AND EXISTS (SELECT 1 FROM injection_records WHERE injection = injections.id AND shown = 1)
       ORDER BY injections.id DESC LIMIT 1`,
      [sessionId],
    );
    return row && this.whole(row);
  }

  /** Ids of the records that the session's context still holds: injected since it was last compacted. */
  alreadyShown(sessionId: string): Set<string> {
    return this.recordIds(
      `SELECT DISTINCT record FROM injection_records JOIN injections ON injections.id = injection
         JOIN sessions ON sessions.id = injections.session
       WHERE sessions.session_id = ? AND injections.id > sessions.shown_after AND shown = 1`,
      [sessionId],
    );
  }

  /** The same with the time (milliseconds) at which each was last shown. */
  shownAt(sessionId: string): Map<string, number> {
    const rows = this.db.all(
      `SELECT record, max(injections.time) AS time FROM injection_records
         JOIN injections ON injections.id = injection JOIN sessions ON sessions.id = injections.session
       WHERE sessions.session_id = ? AND injections.id > sessions.shown_after AND shown = 1 GROUP BY record`,
      [sessionId],
    );
    return new Map(rows.map((row) => [bytesToRecordId(row['record'] as Uint8Array), Number(row['time'])]));
  }

  /** Records that the user never wants to see injected again. */
  neverAgain(): Set<string> {
    return this.withVerdict('never_again');
  }

  /** Records that were called not useful where they were injected. */
  notUseful(): Set<string> {
    return this.withVerdict('not_useful');
  }

  private withVerdict(verdict: InjectionVerdict): Set<string> {
    return this.recordIds('SELECT DISTINCT record FROM verdicts WHERE verdict = ?', [VERDICT_CODES[verdict]]);
  }

  private recordIds(sql: string, params: SqlValue[]): Set<string> {
    return new Set(this.db.all(sql, params).map((row) => bytesToRecordId(row['record'] as Uint8Array)));
  }

  private whole(row: SqlRow): Injection | undefined {
    const injection = this.bodies.injection(row);
    if (!injection) return undefined;
    const verdicts = new Map<string, InjectionVerdict>();
    const rows = this.db.all('SELECT record, verdict FROM verdicts WHERE injection = ?', [Number(row['id'])]);
    for (const { record, verdict } of rows) {
      const name = verdict === VERDICT_CODES.never_again ? 'never_again' : 'not_useful';
      verdicts.set(bytesToRecordId(record as Uint8Array), name);
    }
    return {
      ...injection,
      injection_id: unpackId(row['injection_id']),
      records: injection.records.map(({ verdict: _former, ...record }) => {
        const verdict = verdicts.get(record.record_id);
        return verdict ? { ...record, verdict } : record;
      }),
    };
  }
}
