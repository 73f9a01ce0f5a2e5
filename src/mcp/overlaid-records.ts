import type { RecordFilter } from '../contract/local-api';
import type { MemoryRecord } from '../contract/memory-record';
import type { RecordPage, RecordQueries } from '../store/record-queries';

/** Records of one project with changes over them that are not in the store yet. */
export class OverlaidRecords implements Pick<RecordQueries, 'get' | 'list'> {
  private readonly changed = new Map<string, MemoryRecord>();

  constructor(
    private readonly stored: Pick<RecordQueries, 'get' | 'all'>,
    private readonly namespace: string,
  ) {}

  set(record: MemoryRecord): void {
    this.changed.set(record.record_id, record);
  }

  changedIds(): Set<string> {
    return new Set(this.changed.keys());
  }

  get(recordId: string): MemoryRecord | undefined {
    return this.changed.get(recordId) ?? this.stored.get(recordId);
  }

  /** By status and time, newest first, as the store's own list; other conditions are not known here. */
  list(
    filter: Pick<RecordFilter, 'statuses' | 'from' | 'to'> & { limit: number; offset?: number },
  ): RecordPage {
    const { statuses, from, to, limit, offset = 0 } = filter;
    const stored = this.stored.all(this.namespace).filter((record) => !this.changed.has(record.record_id));
    const matching = [...stored, ...this.changed.values()].filter(
      (record) =>
        (!statuses || statuses.includes(record.status)) &&
        (from === undefined || Date.parse(record.valid_from) >= Date.parse(from)) &&
        (to === undefined || Date.parse(record.valid_from) <= Date.parse(to)),
    );
    matching.sort(
      (a, b) => Date.parse(b.valid_from) - Date.parse(a.valid_from) || (a.record_id < b.record_id ? 1 : -1),
    );
    return { items: matching.slice(offset, offset + limit), total: matching.length };
  }
}
