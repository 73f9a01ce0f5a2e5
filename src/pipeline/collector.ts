import { createHmac } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../contract/clock';
import { DisposableStore, type Disposable } from '../contract/disposable';
import type { CaptureSignal, Captured, EventDraft } from '../contract/event-draft';
import { deterministicUlid } from '../contract/ids';
import type { Injection } from '../contract/injection';
import type { HookFrame } from '../contract/hook-frame';
import type { MemoryRecord } from '../contract/memory-record';
import { reviveSuperseded, withdrawReverted } from '../memory/lifecycle/revert';
import type { NewestPrompt } from '../capture/sessions/latest-prompt';
import type { Extractor } from '../memory/extract/extractor';
import type { Log } from '../platform/log';
import { KiroIgnore } from '../privacy/kiroignore';
import { RedactedValues } from '../privacy/session-memory';
import { Scrubber } from '../privacy/scrub';
import type { ProjectResolver } from '../project/project-resolver';
import { Recall } from '../recall/recall';
import type { Embedder } from '../recall/embedding/embedder';
import { RecordIndex } from '../recall/record-index';
import { inSlices } from '../store/slices';
import type { Store } from '../store/store';
import { AgentRequests } from './agent-requests';
import { Buffer } from './buffer';
import { CapturePolicy } from './capture-policy';
import { Distiller, type DistilReport } from './distiller';
import { EventBuilder } from './event-builder';
import { ModelDistiller } from './models/model-distiller';
import { ModelRequests } from './models/model-requests';
import { ModelSetup } from './models/model-setup';
import { OwnWork } from './own-work';
import { HookHandler } from './hook-handler';
import { HookRuns } from './hook-runs';
import { Ingest, type IngestResult } from './ingest';
import { PromptRecall } from './prompt-recall';
import { RecordLanding } from './record-landing';
import { Records } from './records';
import { SessionIntake } from './session-intake';
import { SessionStates } from './session-state';
import { StatusBoard } from './status-board';

/** About 20 ms of work. */
const VECTORS_A_SLICE = 100;

const pausesSchema = z.object({ everywhere: z.boolean(), namespaces: z.array(z.string()) });

export interface CollectorDeps {
  store: Store;
  resolver: ProjectResolver;
  extractor: Extractor;
  embedder?: Embedder;
  clock: Clock;
  log: Log;
  /** Home folder, for the user's `.kiroignore`. */
  home: string;
  actorId: string;
  version: string;
  epoch: number;
  storePath: string;
  hostName: string;
  fenceKey: string;
  maxTokens(): number;
  newestPrompt(sessionId: string, signal: AbortSignal): Promise<NewestPrompt | undefined>;
  /** Off for batch work, which drains the buffer itself. */
  drainsByItself?: boolean;
}

/** Joins the rooms: what comes in is stored, distilled and recalled here. One per store. */
export class Collector implements Disposable {
  readonly policy: CapturePolicy;
  readonly hookRuns = new HookRuns();
  readonly index = new RecordIndex();
  readonly recall: Recall;
  readonly promptRecall: PromptRecall;
  readonly landing: RecordLanding;
  readonly distiller: Distiller;
  readonly models: ModelDistiller;
  readonly modelRequests: ModelRequests;
  readonly modelSetup: ModelSetup;
  readonly ingest: Ingest;
  readonly records: Records;
  readonly board: StatusBoard;
  readonly agentRequests: AgentRequests;
  private readonly hooks: HookHandler;
  private readonly sessions: SessionIntake;
  private readonly buffer: Buffer;
  private readonly scrubber = new Scrubber({ sessions: new RedactedValues() });
  private readonly owned = new DisposableStore();
  private disposed = false;

  constructor(readonly deps: CollectorDeps) {
    const { store, clock, log } = deps;
    this.policy = new CapturePolicy(new KiroIgnore({ home: deps.home, clock }));
    this.recall = new Recall({
      index: this.index,
      clock,
      ...(deps.embedder ? { embedder: deps.embedder } : {}),
    });
    this.promptRecall = new PromptRecall({ ...deps, recall: this.recall, scrubber: this.scrubber });
    this.landing = new RecordLanding({
      ...deps,
      recall: this.recall,
      onRecords: (records) => this.recordsChanged(records),
    });
    this.models = this.owned.register(
      new ModelDistiller({
        ...deps,
        landing: this.landing,
        scrubOut: (text) => this.scrubOut(text),
        scrub: (text) => this.scrub(text),
        paused: (namespace) => this.policy.paused(namespace) !== undefined,
        onChange: (state) => this.board?.model(state),
      }),
    );
    this.distiller = new Distiller({
      ...deps,
      landing: this.landing,
      forModel: (turn) => this.models.enqueue(turn),
    });
    this.board = this.owned.register(
      new StatusBoard({ ...deps, policy: this.policy, distiller: this.distiller }),
    );
    const ownWork = new OwnWork(store, deps.storePath);
    this.modelRequests = new ModelRequests((requestId) =>
      this.board.emit({ stream: 'model_request', request_id: requestId }),
    );
    this.modelSetup = new ModelSetup({
      home: deps.home,
      storageDir: deps.storePath,
      version: deps.version,
      env: process.env,
      windows: this.modelRequests,
      onOwnSession: (sessionId) => ownWork.began(sessionId),
      use: (provider, dailyTokens) => this.models.use(provider, dailyTokens),
    });
    this.buffer = this.owned.register(
      new Buffer({
        port: { pendingSize: (namespace) => pendingSize(store, namespace) },
        distiller: this.distiller,
        log,
        onDistilled: (namespace, report) => this.distilled(namespace, report),
      }),
    );
    this.ingest = new Ingest({
      ...deps,
      policy: this.policy,
      isOwnWork: (draft) => ownWork.is(draft),
      sessions: new SessionStates(store.events),
      builder: new EventBuilder({
        scrubber: this.scrubber,
        clock,
        version: deps.version,
      }),
    });
    this.records = new Records({ store, clock, onRecords: (records) => this.recordsChanged(records) });
    this.agentRequests = new AgentRequests({
      store,
      ingest: this.ingest,
      landing: this.landing,
      records: this.records,
      onStored: (result, draft) => this.stored(result, draft),
      erasureHash: (record) => this.erasureHash(record),
    });
    this.hooks = new HookHandler({
      ...deps,
      ingest: this.ingest,
      recall: this.promptRecall,
      policy: this.policy,
      onStored: (result, draft) => this.stored(result, draft),
      onSignal: (signal) => void this.signal(signal),
      onHook: (event, capture) => this.hookRuns.ran(event, capture, clock.now()),
      onInjection: (injection) => this.announceInjection(injection),
    });
    this.sessions = new SessionIntake({
      ingest: this.ingest,
      onStored: (result, draft) => this.stored(result, draft),
      onSignal: (signal, draft) => this.signal(signal, draft),
    });
  }

  /** Fills the index from the store, in slices; await it once before the first question. */
  async load(): Promise<void> {
    this.restorePauses();
    await inSlices(this.deps.store.records.iterate(), (record) => {
      if (!this.index.get(record.record_id)) this.index.add(record);
    });
    void this.fillVectors();
  }

  /** Vectors are made between other work, newest records first; until then words alone decide. */
  private async fillVectors(): Promise<void> {
    while (!this.disposed && !this.recall.prepare(VECTORS_A_SLICE)) await nextTurn();
  }

  private restorePauses(): void {
    const saved = this.deps.store.meta('paused');
    const pauses = saved ? pausesSchema.safeParse(JSON.parse(saved)) : undefined;
    if (!pauses?.success) return;
    this.policy.pauseEverywhere(pauses.data.everywhere);
    for (const namespace of pauses.data.namespaces) this.policy.pauseProject(namespace, true);
  }

  handleHook(event: string, frame: HookFrame, signal: AbortSignal): Promise<string> {
    return this.hooks.handle(event, frame, signal);
  }

  /** Items of a session file, in file order. Resolves when they are on disk. */
  takeSession(items: readonly Captured[]): Promise<void> {
    return this.sessions.take(items);
  }

  /** Stores drafts and tells the buffer and the stream. */
  async capture(drafts: readonly EventDraft[]): Promise<IngestResult[]> {
    const results = await this.ingest.ingest(drafts);
    results.forEach((result, index) => {
      const draft = drafts[index];
      if (draft) this.stored(result, draft);
    });
    return results;
  }

  /** Tells whoever follows the stream what was injected. */
  announceInjection(injection: Injection): void {
    this.board.emit({ stream: 'injection', injection });
    this.board.recalled(injection.injection_id, injection.records.length, injection.at);
  }

  /** Runs the rules over all that waits. */
  async distilNow(namespace?: string): Promise<DistilReport> {
    const report = await this.distiller.run(namespace);
    this.board.changed();
    return report;
  }

  /** Text from outside (edits, imports, notes), fit to be stored. */
  scrub(text: string): string {
    return this.scrubber.scrubText(text, {});
  }

  /** The second pass, on what leaves the store. */
  scrubOut(text: string): string {
    return this.scrubber.scrubOut(text);
  }

  /** What stays of an erased record: enough to know it again at an import, nothing to read. */
  erasureHash(record: Pick<MemoryRecord, 'namespace' | 'observation_type' | 'title' | 'summary'>): string {
    return createHmac('sha256', this.deps.fenceKey)
      .update(`${record.namespace}\0${record.observation_type}\0${record.title}\0${record.summary}`)
      .digest('hex');
  }

  /** What a window shows when it starts to follow; covers what it missed. */
  resync(): void {
    this.board.emit({ stream: 'resync' });
  }

  private stored(result: IngestResult, draft: EventDraft): void {
    if (result.outcome === 'dropped' || result.outcome === 'duplicate') return;
    const { event } = result;
    const eventId = result.outcome === 'repeat' ? result.event_id : event.event_id;
    const row = this.deps.store.events.rowOf(eventId);
    if (row) this.board.emit({ stream: 'event', row });
    this.board.captured(event.valid_time);
    if (this.deps.drainsByItself === false || result.outcome === 'repeat') return;
    this.buffer.added(event.namespace, draft.ends_turn === true);
  }

  private async signal(signal: CaptureSignal, draft?: EventDraft): Promise<void> {
    const { store } = this.deps;
    switch (signal.signal) {
      case 'turn_end': {
        const namespace = draft
          ? (await this.ingest.project(draft)).namespace
          : store.events.list({ sessionId: signal.session_id, limit: 1 }).items[0]?.namespace;
        if (!namespace) return;
        await store.commit([
          { op: 'turn_end', namespace, session_id: signal.session_id, turn_id: signal.turn_id },
        ]);
        if (this.deps.drainsByItself !== false) this.buffer.drain(namespace);
        return;
      }
      case 'compaction':
        await store.commit([{ op: 'session_epoch', session_id: signal.session_id, at: this.nowIso() }]);
        return;
      case 'revert':
        return this.revert(signal.session_id, signal.identities);
    }
  }

  /** A return to a checkpoint: what was derived from the undone rows is withdrawn, once it was derived. */
  private async revert(sessionId: string, identities: readonly string[]): Promise<void> {
    const { store } = this.deps;
    await this.distiller.run();
    const eventIds = new Set(this.eventIdsOf(sessionId, identities));
    this.distiller.forgetTurns(sessionId, eventIds);
    const now = this.nowIso();
    const affected = withdrawReverted(this.derivedFrom([...eventIds]), eventIds, now);
    for (const record of affected) {
      await this.records.change([record.record_id], 'withdrawn', () => record);
    }
    const gone = new Set(affected.filter((r) => r.status === 'withdrawn').map((r) => r.record_id));
    const superseded = [...gone].flatMap((id) => store.records.list({ query: id, limit: 50 }).items);
    for (const record of reviveSuperseded(superseded, gone, now)) {
      await this.records.change([record.record_id], 'restored', () => record);
    }
    await store.commit([{ op: 'session_epoch', session_id: sessionId, at: this.nowIso() }]);
  }

  /** Records that name one of these events as their evidence. */
  derivedFrom(eventIds: readonly string[]): MemoryRecord[] {
    const found = new Map<string, MemoryRecord>();
    for (const eventId of eventIds) {
      for (const record of this.deps.store.records.list({ query: eventId, limit: 200 }).items) {
        if (record.evidence.some((item) => item.event_id === eventId)) found.set(record.record_id, record);
      }
    }
    return [...found.values()];
  }

  /** An event's id ends in the hash of its record's identity, so a session's ids can be looked up by it. */
  private eventIdsOf(sessionId: string, identities: readonly string[]): string[] {
    const tails = new Set(identities.map((identity) => deterministicUlid(0, identity).slice(10)));
    return this.deps.store.counts
      .idsOfSession(sessionId)
      .filter(({ id }) => tails.has(id.slice(10)))
      .map(({ survivor }) => survivor);
  }

  private recordsChanged(records: readonly MemoryRecord[]): void {
    if (records.length === 0) return;
    for (const record of records) this.index.update(record);
    this.board.emit({ stream: 'records', record_ids: records.map((record) => record.record_id) });
    this.board.changed();
  }

  private distilled(_namespace: string, report: DistilReport): void {
    if (report.events > 0) {
      this.deps.log.info('distiller', `${report.events} events became ${report.records} records`);
    }
    this.board.changed();
  }

  private nowIso(): string {
    return new Date(this.deps.clock.now()).toISOString();
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    await this.owned.dispose();
  }
}

function pendingSize(store: Store, namespace: string): { events: number; bytes: number } {
  return { events: store.events.pendingCount(namespace), bytes: store.events.pendingBytes(namespace) };
}
