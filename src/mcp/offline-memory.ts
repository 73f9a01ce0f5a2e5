import os from 'node:os';
import type { Clock } from '../contract/clock';
import type { EventDraft } from '../contract/event-draft';
import type { MemoryRecord } from '../contract/memory-record';
import {
  agentRequestDraft,
  type AgentRequest,
  type AgentRequestFrame,
  type SavedObservation,
} from '../contract/saved-note';
import { scrubDraft } from '../hook/scrub-draft';
import { storagePaths } from '../platform/paths';
import { agentRecordDraft, mayForget } from '../pipeline/agent-requests';
import { CapturePolicy } from '../pipeline/capture-policy';
import { eventId } from '../pipeline/event-builder';
import { RecordLanding } from '../pipeline/record-landing';
import { timelineAround, type Timeline, type TimelineQuestion } from '../pipeline/timeline';
import { KiroIgnore } from '../privacy/kiroignore';
import type { Scrubber } from '../privacy/scrub';
import { Recall } from '../recall/recall';
import { RecordIndex } from '../recall/record-index';
import { readHookPolicy } from '../service/hook-policy';
import { drop, spool } from '../service/spool-files';
import type { Store } from '../store/store';
import { OverlaidRecords } from './overlaid-records';
import {
  MemoryOffError,
  type Forgotten,
  type FoundMemory,
  type MemoryDetails,
  type ProjectMemory,
  type SavedMemory,
} from './project-memory';
import { namespaceIn, type Snapshot } from './snapshot';
import { spooledRequests } from './spooled-requests';

interface OfflineMemoryDeps {
  storageDir: string;
  folder: string;
  snapshot: Snapshot;
  scrubber: Scrubber;
  clock: Clock;
}

/** A note could not be kept: the disk is full, or nothing of it is fit to be kept. */
export class NotKeptError extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'NotKeptError';
  }
}

/** One state of the store with what waits in the spool laid over it. */
interface View {
  store: Store;
  namespace: string;
  index: RecordIndex;
  recall: Recall;
  records: OverlaidRecords;
  landing: RecordLanding;
  /** Spool files that were laid over. */
  seen: Set<string>;
}

/**
 * Memory while nobody leads: reads the last image and journal, and what this and other servers left in the spool.
 * What is saved goes into the spool, scrubbed, under the id that it will have.
 */
export class OfflineMemory implements ProjectMemory {
  private view: View | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: OfflineMemoryDeps) {}

  search(query: string, limit: number): Promise<FoundMemory[]> {
    return this.withView(({ recall, namespace }) =>
      recall.search({ namespaces: [namespace], text: query, limit }),
    );
  }

  get(recordId: string): Promise<MemoryDetails | undefined> {
    return this.withView(({ store, records, namespace }) => {
      const record = records.get(recordId);
      if (record?.namespace !== namespace) return undefined;
      const evidence = record.evidence.flatMap(({ event_id }) => store.events.rowOf(event_id) ?? []);
      return { record, history: store.records.history(recordId), evidence };
    });
  }

  timeline(question: TimelineQuestion): Promise<Timeline> {
    return this.withView(({ records, namespace }) => timelineAround(records, namespace, question));
  }

  save(observation: SavedObservation, frame: AgentRequestFrame): Promise<SavedMemory> {
    return this.withView(async (view) => {
      const draft = await this.spool({ request: 'save_observation', observation }, frame);
      const before = view.records.changedIds();
      const id = (await this.overlay(view)).get(draft.identity);
      if (!id) throw new NotKeptError('Nothing of this note is left once private parts are gone.');
      const outcome = before.has(id) || view.store.records.get(id) ? 'reinforced' : 'created';
      return { record_id: id, outcome, waits: true };
    });
  }

  forget(recordId: string, frame: AgentRequestFrame): Promise<Forgotten> {
    return this.withView(async (view) => {
      const record = view.records.get(recordId);
      if (record?.namespace !== view.namespace) return 'not_found';
      if (!mayForget(record)) return record.pinned ? 'pinned' : 'already';
      await this.spool({ request: 'forget_memory', record_id: recordId }, frame);
      await this.overlay(view);
      return 'waits';
    });
  }

  /** One at a time: the view changes while it is used. @throws MemoryOffError */
  private withView<T>(work: (view: View) => Promise<T> | T): Promise<T> {
    const run = this.last.then(async () => work(await this.current()));
    this.last = run.catch(() => undefined);
    return run;
  }

  private async current(): Promise<View> {
    const { snapshot, folder } = this.deps;
    const store = await snapshot.open();
    if (this.view?.store !== store) this.view = this.makeView(store, await namespaceIn(store, folder));
    const { view } = this;
    await this.refuseWhereOff(view.namespace);
    await this.overlay(view);
    return view;
  }

  /** Lays what is new in the spool over the view. @returns record ids by the identity of their draft */
  private async overlay(view: View): Promise<Map<string, string>> {
    const { storageDir, folder } = this.deps;
    const laid = new Map<string, string>();
    for (const { name, draft, request } of await spooledRequests(storagePaths(storageDir).spool, folder)) {
      if (view.seen.has(name)) continue;
      view.seen.add(name);
      const id = await lay(view, draft, request);
      if (id) laid.set(draft.identity, id);
    }
    return laid;
  }

  private makeView(store: Store, namespace: string): View {
    const { clock } = this.deps;
    const index = new RecordIndex();
    for (const record of store.records.all(namespace)) index.add(record);
    const recall = new Recall({ index, clock });
    const records = new OverlaidRecords(store.records, namespace);
    const landing = new RecordLanding({
      store: { records, commit: () => Promise.resolve() },
      recall,
      clock,
      onRecords: (changed: readonly MemoryRecord[]) => {
        for (const record of changed) {
          records.set(record);
          index.update(record);
        }
      },
    });
    return { store, namespace, index, recall, records, landing, seen: new Set() };
  }

  /** Puts a request into the spool, or says why it can't be. @throws NotKeptError */
  private async spool(request: AgentRequest, frame: AgentRequestFrame): Promise<EventDraft> {
    const { storageDir, scrubber, clock } = this.deps;
    const { spool: dir } = storagePaths(storageDir);
    let draft: EventDraft | undefined;
    try {
      draft = scrubDraft(agentRequestDraft(request, frame), scrubber);
    } catch {
      await drop(dir, 'unscrubbed');
    }
    if (!draft) throw new NotKeptError('Nothing of this can be kept.');
    const verdict = await spool(dir, frame.key, draft, clock.now());
    if (verdict !== 'spooled') throw new NotKeptError('The disk takes no more notes.');
    return draft;
  }

  private async refuseWhereOff(namespace: string): Promise<void> {
    const { storageDir, folder, clock } = this.deps;
    const known = await readHookPolicy(storageDir);
    if (known === undefined) return;
    if (known === 'damaged') throw new MemoryOffError('excluded');
    const policy = new CapturePolicy(new KiroIgnore({ home: os.homedir(), clock }));
    policy.setFolders(known.folders);
    policy.pauseEverywhere(known.everywhere);
    for (const paused of known.namespaces) policy.pauseProject(paused, true);
    const verdict = policy.allows(namespace, folder);
    if (verdict !== 'yes') throw new MemoryOffError(verdict);
  }
}

/** Shows in the view what a request will do once a window carries it out. @returns the record's id */
async function lay(view: View, draft: EventDraft, request: AgentRequest): Promise<string | undefined> {
  if (request.request === 'forget_memory') {
    const record = view.records.get(request.record_id);
    if (!record || record.namespace !== view.namespace || !mayForget(record)) return undefined;
    view.records.set({ ...record, status: 'forgotten' });
    view.index.update({ ...record, status: 'forgotten' });
    return record.record_id;
  }
  const at = draft.valid_time ?? '';
  const event = {
    event_id: eventId(at, draft.identity),
    session_id: draft.session_id ?? '',
    valid_time: at,
    source: {},
  };
  const record = agentRecordDraft(event, request.observation, draft.session_title);
  if (!record) return undefined;
  const { changed } = await view.landing.land(view.namespace, [record]);
  return changed[0]?.record_id;
}
