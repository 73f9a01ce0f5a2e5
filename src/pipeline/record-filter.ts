import type { RecordFilter } from '../contract/local-api';
import type { MemoryRecord } from '../contract/memory-record';

/** Whether a ranked record is one that the filter names; `query` was the ranker's part. */
export function matchesFilter(record: MemoryRecord, filter: RecordFilter): boolean {
  const at = Date.parse(record.valid_from);
  return (
    (!filter.namespace || record.namespace === filter.namespace) &&
    (!filter.types || filter.types.includes(record.observation_type)) &&
    (!filter.statuses || filter.statuses.includes(record.status)) &&
    (!filter.origins || filter.origins.includes(record.origin)) &&
    (!filter.session_id || record.session_id === filter.session_id) &&
    (filter.pinned === undefined || record.pinned === filter.pinned) &&
    (!filter.from || at >= Date.parse(filter.from)) &&
    (!filter.to || at <= Date.parse(filter.to)) &&
    (!filter.file || namesFile(record, filter.file))
  );
}

function namesFile(record: MemoryRecord, file: string): boolean {
  const wanted = file.toLowerCase();
  return record.files_touched.some((touched) => touched.toLowerCase().includes(wanted));
}
