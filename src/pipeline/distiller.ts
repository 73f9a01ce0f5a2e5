import type { Clock } from '../contract/clock';
import type { MemoryEvent } from '../contract/event';
import { deterministicUlid } from '../contract/ids';
import type { MemoryRecord, RecordDraft } from '../contract/memory-record';
import type { Extractor } from '../memory/extract/extractor';
import { reconcile } from '../memory/lifecycle/reconciler';
import { assembleTurn, type Turn } from '../memory/turn';
import type { Log } from '../platform/log';
import type { Recall } from '../recall/recall';
import type { Mutation } from '../store/mutation';
import type { Store } from '../store/store';

const BATCH_EVENTS = 400;
const EARLIER_TURNS = 12;
const MAX_SESSIONS = 200;
const NEIGHBOURS = 12;

export interface DistilReport {
  events: number;
  records: number;
}

interface DistillerDeps {
  store: Store;
  extractor: Extractor;
  recall: Recall;
  clock: Clock;
  log: Log;
  /** Told about records that changed, so that the index follows at once. */
  onRecords(records: readonly MemoryRecord[]): void;
}

/** Turns events of the buffer into records by the rules. One run at a time; the buffer always drains. */
export class Distiller {
  private readonly earlier = new Map<string, Turn[]>();
  private running: Promise<DistilReport> | undefined;

  constructor(private readonly deps: DistillerDeps) {}

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Distils all that waits (of one namespace, where given), turn by turn, oldest first. */
  async run(namespace?: string): Promise<DistilReport> {
    while (this.running) await this.running.catch(() => undefined);
    this.running = this.drain(namespace);
    try {
      return await this.running;
    } finally {
      this.running = undefined;
    }
  }

  private async drain(namespace: string | undefined): Promise<DistilReport> {
    const total: DistilReport = { events: 0, records: 0 };
    for (;;) {
      const pending = this.deps.store.events.pending(namespace, BATCH_EVENTS);
      if (pending.length === 0) return total;
      for (const group of groupByTurn(pending)) {
        total.records += await this.distilTurn(group);
        total.events += group.events.length;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  private async distilTurn(group: TurnGroup): Promise<number> {
    const { store, clock } = this.deps;
    const [first] = group.events;
    if (!first) return 0;
    const whole = group.turnId
      ? store.events.ofTurn(first.namespace, first.session_id, group.turnId)
      : group.events;
    const earlier = this.earlierTurns(first.namespace, first.session_id);
    const title = group.sessionTitle;
    const turn = assembleTurn(whole, {
      turn_id: group.turnId ?? `loose:${first.event_id}`,
      first_of_session: earlier.length === 0,
      ...(title ? { session_title: title } : {}),
    });
    const mutations: Mutation[] = [];
    const changed = new Map<string, MemoryRecord>();
    let made = 0;
    for (const draft of this.extract(turn, earlier)) {
      made += this.reconcile(draft, first.namespace, mutations, changed);
    }
    mutations.push({ op: 'distilled', event_ids: group.events.map((event) => event.event_id) });
    await store.commit(mutations);
    this.remember(turn);
    this.deps.onRecords([...changed.values()]);
    if (made > 0) this.deps.log.debug('distiller', `${made} records from a turn of ${whole.length} events`);
    void clock;
    return made;
  }

  /** A rule that fails costs its own records, never the turn's others or the buffer. */
  private extract(turn: Turn, earlier: Turn[]): RecordDraft[] {
    const { extractor, store, clock, log } = this.deps;
    try {
      return extractor.extract(turn, {
        earlier,
        recurrence: (kind, key) => store.records.recurrence(turn.namespace, kind, key),
        now: new Date(clock.now()).toISOString(),
      });
    } catch (error) {
      log.error(
        'distiller',
        `extraction failed for a turn: ${error instanceof Error ? error.name : 'error'}`,
      );
      return [];
    }
  }

  private reconcile(
    draft: RecordDraft,
    namespace: string,
    mutations: Mutation[],
    changed: Map<string, MemoryRecord>,
  ): number {
    const { recall, clock, store } = this.deps;
    const at = new Date(clock.now()).toISOString();
    const found = recall.search({
      namespaces: [namespace],
      text: `${draft.title} ${draft.summary}`.slice(0, 2000),
      filesInPlay: draft.files_touched,
      limit: NEIGHBOURS,
      floor: false,
    });
    const neighbours = new Map(found.map(({ record }) => [record.record_id, record]));
    for (const record of changed.values())
      if (record.status === 'current') neighbours.set(record.record_id, record);
    const actions = reconcile(draft, [...neighbours.values()], {
      now: at,
      namespace,
      existing: (recordId) => changed.get(recordId) ?? store.records.get(recordId),
    });
    let made = 0;
    for (const action of actions) {
      const { record, change } = action;
      if (change === 'created') made++;
      changed.set(record.record_id, record);
      mutations.push({ op: 'record', record, change, at, change_id: changeId(at, record, change) });
    }
    return made;
  }

  private earlierTurns(namespace: string, sessionId: string): Turn[] {
    const key = `${namespace}\0${sessionId}`;
    const known = this.earlier.get(key);
    if (known) return known;
    const turns = this.deps.store.events
      .turnIds(namespace, sessionId, EARLIER_TURNS, 'done')
      .map((turnId, index) =>
        assembleTurn(this.deps.store.events.ofTurn(namespace, sessionId, turnId), {
          turn_id: turnId,
          first_of_session: index === 0,
        }),
      );
    this.earlier.set(key, turns);
    return turns;
  }

  private remember(turn: Turn): void {
    const key = `${turn.namespace}\0${turn.session_id}`;
    const turns = (this.earlier.get(key) ?? []).filter((known) => known.turn_id !== turn.turn_id);
    turns.push(turn);
    this.earlier.delete(key);
    this.earlier.set(key, turns.slice(-EARLIER_TURNS));
    for (const oldest of this.earlier.keys()) {
      if (this.earlier.size <= MAX_SESSIONS) break;
      this.earlier.delete(oldest);
    }
  }
}

interface TurnGroup {
  turnId?: string;
  sessionTitle?: string;
  events: MemoryEvent[];
}

export interface PendingEvent {
  event: MemoryEvent;
  turn_id?: string;
  session_title?: string;
}

function groupByTurn(pending: readonly PendingEvent[]): TurnGroup[] {
  const groups = new Map<string, TurnGroup>();
  for (const { event, turn_id, session_title } of pending) {
    const key = `${event.namespace}\0${event.session_id}\0${turn_id ?? ''}`;
    const group = groups.get(key) ?? { events: [], ...(turn_id ? { turnId: turn_id } : {}) };
    if (session_title) group.sessionTitle = session_title;
    group.events.push(event);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function changeId(at: string, record: MemoryRecord, change: string): string {
  return deterministicUlid(
    Date.parse(at),
    `${record.record_id}:${change}:${record.updated_at}:${record.recurrence}`,
  );
}
