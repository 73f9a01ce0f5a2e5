import type { Clock } from '../contract/clock';
import { deterministicUlid } from '../contract/ids';
import type { MemoryRecord, RecordDraft } from '../contract/memory-record';
import { reconcile } from '../memory/lifecycle/reconciler';
import { neighbourQueries } from '../memory/lifecycle/supersession';
import type { Recall } from '../recall/recall';
import type { Mutation } from '../store/mutation';
import type { RecordQueries } from '../store/record-queries';

const NEIGHBOURS = 12;
/** For each value that a draft says gave way. */
const OLD_VALUE_NEIGHBOURS = 10;

/** The part of a store that landing needs. */
export interface LandingStore {
  records: Pick<RecordQueries, 'get'>;
  commit(mutations: readonly Mutation[]): Promise<unknown>;
}

export interface LandingDeps {
  store: LandingStore;
  recall: Recall;
  clock: Clock;
  /** Told about records that changed, so that the index follows at once. */
  onRecords(records: readonly MemoryRecord[]): void;
}

export interface Landed {
  /** Records that are new. */
  created: number;
  /** Every record that is new or changed, in its new state. */
  changed: MemoryRecord[];
}

/**
 * The one way by which drafts become records, whoever made them: compared with their neighbours, written in one
 * commit with whatever must be true at the same moment, then put into the index. One landing at a time, so that
 * none is compared with what another is about to change.
 */
export class RecordLanding {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: LandingDeps) {}

  /**
   * @param also mutations of the same commit
   * @throws what the store's commit throws; then nothing of it was kept
   */
  land(namespace: string, drafts: readonly RecordDraft[], also: readonly Mutation[] = []): Promise<Landed> {
    const landing = this.last.then(() => this.landNow(namespace, drafts, also));
    this.last = landing.catch(() => undefined);
    return landing;
  }

  private async landNow(
    namespace: string,
    drafts: readonly RecordDraft[],
    also: readonly Mutation[],
  ): Promise<Landed> {
    const mutations: Mutation[] = [];
    const changed = new Map<string, MemoryRecord>();
    let created = 0;
    for (const draft of drafts) created += this.plan(draft, namespace, mutations, changed);
    mutations.push(...also);
    if (mutations.length > 0) await this.deps.store.commit(mutations);
    const records = [...changed.values()];
    this.deps.onRecords(records);
    return { created, changed: records };
  }

  private plan(
    draft: RecordDraft,
    namespace: string,
    mutations: Mutation[],
    changed: Map<string, MemoryRecord>,
  ): number {
    const { recall, clock, store } = this.deps;
    const at = new Date(clock.now()).toISOString();
    const near = (text: string, limit: number): ReturnType<Recall['search']> =>
      recall.search({
        namespaces: [namespace],
        text: text.slice(0, 2000),
        filesInPlay: draft.files_touched,
        limit,
        floor: false,
      });
    const found = [
      ...near(`${draft.title} ${draft.summary}`, NEIGHBOURS),
      ...neighbourQueries(draft).flatMap((query) => near(query, OLD_VALUE_NEIGHBOURS)),
    ];
    const neighbours = new Map(found.map(({ record }) => [record.record_id, record]));
    for (const record of changed.values())
      if (record.status === 'current') neighbours.set(record.record_id, record);
    const actions = reconcile(draft, [...neighbours.values()], {
      now: at,
      namespace,
      existing: (recordId) => changed.get(recordId) ?? store.records.get(recordId),
    });
    let created = 0;
    for (const { record, change } of actions) {
      if (change === 'created') created++;
      changed.set(record.record_id, record);
      mutations.push({ op: 'record', record, change, at, change_id: changeId(at, record, change) });
    }
    return created;
  }
}

function changeId(at: string, record: MemoryRecord, change: string): string {
  return deterministicUlid(
    Date.parse(at),
    `${record.record_id}:${change}:${record.updated_at}:${record.recurrence}`,
  );
}
