import type { MemoryRecord } from '../contract/memory-record';
import { CHANGES, COUNTERS, OBSERVATIONS } from './codes';
import { countDaily } from './daily';
import type { Database } from './database';
import type { RecordChange } from './mutation';
import type { Names } from './names';
import { changedFields, RECORD_COLUMNS, recordOfRow, recordValues } from './record-row';
import { packTime, timeMs } from './stored-time';
import { packId, recordIdToBytes } from './ulid-bytes';

/** Puts records into the image, with the history that lets a person see and undo a change. */
export class RecordApplier {
  constructor(
    private readonly db: Database,
    private readonly names: Names,
  ) {}

  put(record: MemoryRecord, change: RecordChange, at: string, changeId: string): void {
    const key = recordIdToBytes(record.record_id);
    const row = this.db.get(`SELECT id, ${RECORD_COLUMNS} FROM records WHERE record_id = ?`, [key]);
    const before = row && recordOfRow(row, this.names);
    const values = recordValues(record, this.names);
    if (row) {
      const columns = RECORD_COLUMNS.split(', ').map((column) => `${column} = ?`);
      this.db.run(`UPDATE records SET ${columns.join(', ')} WHERE id = ?`, [...values, Number(row['id'])]);
    } else {
      const marks = values.map(() => '?').join(', ');
      this.db.run(`INSERT INTO records (${RECORD_COLUMNS}) VALUES (${marks})`, values);
      const namespace = this.names.intern(record.namespace);
      const type = OBSERVATIONS.code(record.observation_type);
      countDaily(this.db, timeMs(at), namespace, COUNTERS.recordsCreated, type, 1);
    }
    const id = row ? Number(row['id']) : this.db.number('SELECT id FROM records WHERE record_id = ?', [key]);
    this.db.run(
      'INSERT OR IGNORE INTO record_changes (change_id, record, change, at, before) VALUES (?, ?, ?, ?, ?)',
      [
        packId(changeId),
        id,
        CHANGES.code(change),
        packTime(at),
        before ? JSON.stringify(changedFields(before, record)) : null,
      ],
    );
  }

  recalled(recordIds: readonly string[], at: string): void {
    for (const recordId of recordIds) {
      this.db.run(
        'UPDATE records SET recall_count = recall_count + 1, last_recalled = ? WHERE record_id = ?',
        [packTime(at), recordIdToBytes(recordId)],
      );
    }
  }

  /** Takes records out for good; the keyed hashes keep a re-import from bringing them back. */
  erase(recordIds: readonly string[], keyedHashes: readonly string[]): void {
    for (const hash of keyedHashes) {
      this.db.run('INSERT OR IGNORE INTO erased (hash) VALUES (?)', [hash]);
    }
    for (const recordId of recordIds) {
      const key = recordIdToBytes(recordId);
      const row = this.db.get('SELECT id FROM records WHERE record_id = ?', [key]);
      if (!row) continue;
      this.db.run('DELETE FROM record_changes WHERE record = ?', [Number(row['id'])]);
      this.db.run('DELETE FROM records WHERE id = ?', [Number(row['id'])]);
    }
  }
}
