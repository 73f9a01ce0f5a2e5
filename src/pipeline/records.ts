import type { Clock } from '../contract/clock';
import { ulid } from 'ulid';
import { ApiError, type RecordFilter } from '../contract/local-api';
import type { MemoryRecord } from '../contract/memory-record';
import type { Mutation, RecordChange } from '../store/mutation';
import type { Store } from '../store/store';

interface RecordsDeps {
  store: Store;
  clock: Clock;
  onRecords(records: readonly MemoryRecord[]): void;
}

export interface Changed {
  changed: number;
  change_ids: string[];
}

/** What a person does to records: each change is in the history and can be undone. */
export class Records {
  constructor(private readonly deps: RecordsDeps) {}

  /** Applies `edit` to each record it gives a new state for; one commit. */
  async change(
    recordIds: readonly string[],
    change: RecordChange,
    edit: (record: MemoryRecord) => MemoryRecord | undefined,
  ): Promise<Changed> {
    const at = new Date(this.deps.clock.now()).toISOString();
    const mutations: Mutation[] = [];
    const changed: MemoryRecord[] = [];
    for (const recordId of recordIds) {
      const before = this.deps.store.records.get(recordId);
      const after = before && edit(before);
      if (!after) continue;
      const record = { ...after, updated_at: at };
      changed.push(record);
      mutations.push({ op: 'record', record, change, at, change_id: ulid() });
    }
    if (mutations.length > 0) await this.deps.store.commit(mutations);
    this.deps.onRecords(changed);
    return {
      changed: changed.length,
      change_ids: mutations.flatMap((mutation) => (mutation.op === 'record' ? [mutation.change_id] : [])),
    };
  }

  /** Puts a new record in. */
  async create(record: MemoryRecord): Promise<void> {
    const at = record.created_at;
    await this.deps.store.commit([
      {
        op: 'record',
        record,
        change: 'created',
        at,
        change_id: ulid(),
      },
    ]);
    this.deps.onRecords([record]);
  }

  /** Gives records the state back that they had before the named changes. */
  async undo(changeIds: readonly string[]): Promise<Changed> {
    let total: Changed = { changed: 0, change_ids: [] };
    for (const changeId of changeIds) {
      const entry = this.deps.store.records.change(changeId);
      if (!entry) throw new ApiError('not_found', 'This change is no longer in the history.');
      const done = await this.change([entry.record_id], 'undone', (record) =>
        entry.before
          ? { ...entry.before, recall_count: record.recall_count }
          : { ...record, status: 'forgotten' },
      );
      total = {
        changed: total.changed + done.changed,
        change_ids: [...total.change_ids, ...done.change_ids],
      };
    }
    return total;
  }

  /** Ids of the records that a filter names, all pages. */
  idsOf(filter: RecordFilter): string[] {
    return this.deps.store.records
      .list({ ...filter, limit: 10_000, offset: 0 })
      .items.map((r) => r.record_id);
  }
}
