import type { InjectedRecord, Injection, InjectionVerdict } from '../contract/injection';
import { COUNTERS } from './codes';
import { countDaily } from './daily';
import type { Database, SqlRow } from './database';
import type { Names } from './names';
import { timeMs } from './stored-time';
import { packId, recordIdToBytes } from './ulid-bytes';

export const VERDICT_CODES: Readonly<Record<InjectionVerdict, number>> = { not_useful: 1, never_again: 2 };

/** Reads and writes what an injection says, wherever it lies. */
export interface InjectionBodies {
  read(row: SqlRow): Injection | undefined;
}

/** The log of what was injected and why. */
export class InjectionApplier {
  constructor(
    private readonly db: Database,
    private readonly names: Names,
    private readonly bodies: InjectionBodies,
  ) {}

  put(injection: Injection): void {
    const id = packId(injection.injection_id);
    if (this.db.get('SELECT 1 FROM injections WHERE injection_id = ?', [id])) return;
    const at = timeMs(injection.at);
    const namespace = this.names.intern(injection.namespace);
    this.db.run('INSERT OR IGNORE INTO sessions (namespace, session_id) VALUES (?, ?)', [
      namespace,
      injection.session_id,
    ]);
    this.db.run(
      `INSERT INTO injections (injection_id, session, time) VALUES (?,
         (SELECT id FROM sessions WHERE session_id = ? AND namespace = ?), ?)`,
      [id, injection.session_id, namespace, at],
    );
    const row = this.db.lastInsertId();
    this.putBody(row, injection);
    this.link(row, injection.records, true);
    this.link(row, injection.left_out, false);
    countDaily(this.db, at, namespace, COUNTERS.injections, 0, 1);
    if (injection.tokens > 0)
      countDaily(this.db, at, namespace, COUNTERS.tokensInjected, 0, injection.tokens);
    if (injection.records.length === 0) countDaily(this.db, at, namespace, COUNTERS.abstentions, 0, 1);
  }

  /** Records that were left out are linked too: an erase must find their titles. */
  private link(row: number, records: readonly InjectedRecord[], shown: boolean): void {
    for (const record of records) {
      this.db.run('INSERT OR IGNORE INTO injection_records (injection, record, shown) VALUES (?, ?, ?)', [
        row,
        recordIdToBytes(record.record_id),
        shown ? 1 : 0,
      ]);
    }
  }

  /** A verdict outlives the injection that it was given on. */
  verdict(injectionId: string, recordId: string, verdict: InjectionVerdict | null): void {
    const injection = this.db.number('SELECT id FROM injections WHERE injection_id = ?', [
      packId(injectionId),
    ]);
    const record = recordIdToBytes(recordId);
    this.db.run('DELETE FROM verdicts WHERE record = ? AND injection = ?', [record, injection]);
    if (verdict === null) return;
    this.db.run('INSERT INTO verdicts (record, injection, verdict) VALUES (?, ?, ?)', [
      record,
      injection,
      VERDICT_CODES[verdict],
    ]);
  }

  /** Takes what an erased record left in the log: its lines, its title, its scores. */
  eraseRecords(recordIds: readonly string[]): void {
    const gone = new Set(recordIds);
    for (const recordId of recordIds) {
      const rows = this.db.all(
        `SELECT id, segment, block, slot FROM injections WHERE id IN
           (SELECT injection FROM injection_records WHERE record = ?)`,
        [recordIdToBytes(recordId)],
      );
      for (const row of rows) this.withoutRecords(row, gone);
      this.db.run('DELETE FROM injection_records WHERE record = ?', [recordIdToBytes(recordId)]);
      this.db.run('DELETE FROM verdicts WHERE record = ?', [recordIdToBytes(recordId)]);
    }
  }

  private withoutRecords(row: SqlRow, gone: ReadonlySet<string>): void {
    const injection = this.bodies.read(row);
    const id = Number(row['id']);
    if (!injection) return;
    this.putBody(id, {
      ...injection,
      records: injection.records.filter((record) => !gone.has(record.record_id)),
      left_out: injection.left_out.filter((record) => !gone.has(record.record_id)),
      context: '',
    });
    this.db.run('UPDATE injections SET segment = NULL, block = NULL, slot = NULL WHERE id = ?', [id]);
  }

  private putBody(row: number, injection: Injection): void {
    this.db.run('INSERT OR REPLACE INTO injection_bodies (injection, body) VALUES (?, ?)', [
      row,
      JSON.stringify(injection),
    ]);
  }
}
