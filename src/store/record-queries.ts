import type { HistoryEntry, RecordFilter } from '../contract/local-api';
import type { MemoryRecord } from '../contract/memory-record';
import { CHANGES, OBSERVATIONS, ORIGIN_CODES, STATUSES } from './codes';
import type { Database, SqlRow, SqlValue } from './database';
import type { Names } from './names';
import { RECORD_COLUMNS, recordOfRow, withFields } from './record-row';
import { timeMs, unpackTime } from './stored-time';
import { bytesToRecordId, packId, recordIdToBytes, unpackId } from './ulid-bytes';

export interface RecordPage {
  /** Newest first. */
  items: MemoryRecord[];
  total: number;
}

const CHANGE_COLUMNS = 'record_changes.id AS id, change_id, record, change, at, before';

/** What is known of memory records. All calls are synchronous and return plain objects. */
export class RecordQueries {
  constructor(
    private readonly db: Database,
    private readonly names: Names,
  ) {}

  get(recordId: string): MemoryRecord | undefined {
    const row = this.row(recordId);
    return row && recordOfRow(row, this.names);
  }

  /** The records of these ids that there are, in their order. */
  byIds(recordIds: readonly string[]): MemoryRecord[] {
    return recordIds.flatMap((recordId) => this.get(recordId) ?? []);
  }

  /**
   * Records that a filter names, newest first. `file` and `query` are compared with the text as it is stored,
   * whatever its case; ranking is recall's.
   */
  list(filter: RecordFilter & { limit: number; offset?: number }): RecordPage {
    const { where, params } = this.conditions(filter);
    const text = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
    const items = this.db
      .all(`SELECT ${RECORD_COLUMNS} FROM records ${text} ORDER BY time DESC, id DESC LIMIT ? OFFSET ?`, [
        ...params,
        Math.max(0, Math.trunc(filter.limit)),
        Math.max(0, Math.trunc(filter.offset ?? 0)),
      ])
      .map((row) => recordOfRow(row, this.names));
    return { items, total: this.db.number(`SELECT count(*) AS n FROM records ${text}`, params) };
  }

  /** All records of a namespace, whatever their status, oldest first. */
  all(namespace: string): MemoryRecord[] {
    return this.db
      .all(`SELECT ${RECORD_COLUMNS} FROM records WHERE namespace = ? ORDER BY id`, [
        this.names.find(namespace) ?? -1,
      ])
      .map((row) => recordOfRow(row, this.names));
  }

  /** All records one by one, oldest first; the store may change between two of them. */
  *iterate(pageSize = 500): Generator<MemoryRecord> {
    let last = 0;
    for (;;) {
      const rows = this.db.all(`SELECT id, ${RECORD_COLUMNS} FROM records WHERE id > ? ORDER BY id LIMIT ?`, [
        last,
        pageSize,
      ]);
      for (const row of rows) {
        last = Number(row['id']);
        yield recordOfRow(row, this.names);
      }
      if (rows.length < pageSize) return;
    }
  }

  count(namespace?: string): number {
    if (namespace === undefined) return this.db.number('SELECT count(*) AS n FROM records');
    return this.db.number('SELECT count(*) AS n FROM records WHERE namespace = ?', [
      this.names.find(namespace) ?? -1,
    ]);
  }

  /** Records by observation type or by status. */
  countBy(column: 'type' | 'status', namespace?: string): Record<string, number> {
    const codes = column === 'type' ? OBSERVATIONS : STATUSES;
    const where = namespace === undefined ? '' : 'WHERE namespace = ?';
    const params = namespace === undefined ? [] : [this.names.find(namespace) ?? -1];
    const counts: Record<string, number> = {};
    for (const row of this.db.all(
      `SELECT ${column} AS code, count(*) AS n FROM records ${where} GROUP BY ${column}`,
      params,
    )) {
      const name = codes.name(row['code']);
      if (name) counts[name] = Number(row['n']);
    }
    return counts;
  }

  /** Namespaces that have records. */
  namespaces(): string[] {
    return this.db
      .all('SELECT DISTINCT namespace FROM records')
      .flatMap((row) => this.names.name(row['namespace']) ?? []);
  }

  /** The changes of a record, newest first, each with the states before and after it. */
  history(recordId: string): HistoryEntry[] {
    const row = this.row(recordId);
    if (!row) return [];
    const changes = this.db.all(
      `SELECT ${CHANGE_COLUMNS} FROM record_changes WHERE record = ? ORDER BY id DESC`,
      [Number(row['id'])],
    );
    let after = recordOfRow(row, this.names);
    return changes.map((change) => {
      const entry = historyEntry(change, recordId, after);
      after = entry.before ?? after;
      return entry;
    });
  }

  /** One change by its id; undefined where it is not in the history. */
  change(changeId: string): HistoryEntry | undefined {
    const row = this.db.get(
      `SELECT record_id FROM record_changes JOIN records ON records.id = record_changes.record WHERE change_id = ?`,
      [packId(changeId)],
    );
    if (!(row?.['record_id'] instanceof Uint8Array)) return undefined;
    return this.history(bytesToRecordId(row['record_id'])).find((entry) => entry.change_id === changeId);
  }

  /** True where a keyed hash was left by an erase. */
  isErased(keyedHash: string): boolean {
    return this.db.get('SELECT 1 FROM erased WHERE hash = ?', [keyedHash]) !== undefined;
  }

  private row(recordId: string): SqlRow | undefined {
    try {
      return this.db.get(`SELECT id, ${RECORD_COLUMNS} FROM records WHERE record_id = ?`, [
        recordIdToBytes(recordId),
      ]);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  private conditions(filter: RecordFilter): { where: string[]; params: SqlValue[] } {
    const where: string[] = [];
    const params: SqlValue[] = [];
    const add = (condition: string, ...values: SqlValue[]): void => {
      where.push(condition);
      params.push(...values);
    };
    if (filter.namespace !== undefined) add('namespace = ?', this.names.find(filter.namespace) ?? -1);
    if (filter.session_id !== undefined) add('session = ?', this.names.find(filter.session_id) ?? -1);
    if (filter.types) add(`type IN (${filter.types.map((type) => OBSERVATIONS.code(type))})`);
    if (filter.statuses) add(`status IN (${filter.statuses.map((status) => STATUSES.code(status))})`);
    if (filter.origins) add(`origin IN (${filter.origins.map((origin) => ORIGIN_CODES.code(origin))})`);
    if (filter.pinned !== undefined) add('pinned = ?', filter.pinned ? 1 : 0);
    if (filter.from !== undefined) add('time >= ?', timeMs(filter.from));
    if (filter.to !== undefined) add('time <= ?', timeMs(filter.to));
    if (filter.query) add('instr(lower(doc), ?) > 0', jsonText(filter.query));
    if (filter.file) {
      add(
        "EXISTS (SELECT 1 FROM json_each(doc, '$[6]') WHERE instr(lower(value), ?) > 0)",
        filter.file.toLowerCase(),
      );
    }
    return { where, params };
  }
}

/** A text as it stands inside the stored JSON. */
function jsonText(text: string): string {
  return JSON.stringify(text.toLowerCase()).slice(1, -1);
}

function historyEntry(row: SqlRow, recordId: string, after: MemoryRecord): HistoryEntry {
  const fields = row['before'];
  const before =
    typeof fields === 'string' ? withFields(after, JSON.parse(fields) as Record<string, unknown>) : undefined;
  return {
    change_id: unpackId(row['change_id']),
    record_id: recordId,
    change: CHANGES.name(row['change']) ?? 'edited',
    at: unpackTime(row['at'] as number | string),
    ...(before ? { before } : {}),
    after,
  };
}
