import { agentRequestOf, type SavedObservation } from '../contract/saved-note';
import type { MemoryEvent } from '../contract/event';
import type { EventDraft } from '../contract/event-draft';
import { LIMITS } from '../contract/limits';
import type { MemoryRecord, RecordDraft } from '../contract/memory-record';
import { idOf } from '../memory/lifecycle/reconciler';
import { stripInjected } from '../privacy/injected-blocks';
import { cutCodePoints } from '../text/cut';
import type { Ingest, IngestResult } from './ingest';
import type { RecordLanding } from './record-landing';
import type { Records } from './records';
import type { Store } from '../store/store';

interface AgentRequestsDeps {
  store: Store;
  ingest: Ingest;
  landing: RecordLanding;
  records: Records;
  onStored(result: IngestResult, draft: EventDraft): void;
  erasureHash(record: Pick<MemoryRecord, 'namespace' | 'observation_type' | 'title' | 'summary'>): string;
}

export type SaveResult =
  | { record_id: string; outcome: 'created' | 'reinforced' | 'known' }
  | { dropped: Extract<IngestResult, { outcome: 'dropped' }>['reason'] | 'erased' };

const IMPORTANCE = 0.55;

/**
 * What agents ask to be kept or forgotten, in time or out of the spool. A note is an event like any other
 * (scrubbed, with an id of its own), and the record made of it names that event as its evidence. The same
 * request taken twice does what one does.
 */
export class AgentRequests {
  constructor(private readonly deps: AgentRequestsDeps) {}

  /** Carries out a request that waited in the spool; false where the draft carries none. */
  async take(draft: EventDraft): Promise<boolean> {
    const request = agentRequestOf(draft);
    if (!request) return false;
    if (request.request === 'save_observation') await this.save(draft);
    else await this.forget(draft, request.record_id);
    return true;
  }

  /** Keeps the observation that a draft carries. Resolves once event and record are on disk. */
  async save(draft: EventDraft): Promise<SaveResult> {
    const { ingest, onStored } = this.deps;
    const [result] = await ingest.ingest([draft]);
    if (!result || result.outcome === 'dropped') return { dropped: result?.reason ?? 'empty' };
    onStored(result, draft);
    const event = this.survivor(result);
    const request = agentRequestOf({ ...event, surface: event.source.surface });
    if (request?.request !== 'save_observation') return { dropped: 'empty' };
    const draftOf = agentRecordDraft(event, request.observation, draft.session_title);
    return draftOf ? this.land(event.namespace, draftOf) : { dropped: 'empty' };
  }

  private async land(namespace: string, draft: RecordDraft): Promise<SaveResult> {
    const { landing, store, erasureHash } = this.deps;
    const id = idOf(draft, namespace);
    if (store.records.get(id)) return { record_id: id, outcome: 'known' };
    if (store.records.isErased(erasureHash({ ...draft, namespace }))) return { dropped: 'erased' };
    const { changed, created } = await landing.land(namespace, [draft]);
    const [record] = changed;
    return { record_id: record?.record_id ?? id, outcome: created > 0 ? 'created' : 'reinforced' };
  }

  private async forget(draft: EventDraft, recordId: string): Promise<void> {
    const { namespace } = await this.deps.ingest.project(draft);
    await this.deps.records.change([recordId], 'forgotten', (record) =>
      record.namespace === namespace && mayForget(record) ? { ...record, status: 'forgotten' } : undefined,
    );
  }

  private survivor(result: Exclude<IngestResult, { outcome: 'dropped' }>): MemoryEvent {
    if (result.outcome === 'stored') return result.event;
    return this.deps.store.events.get(result.event_id) ?? result.event;
  }
}

/**
 * The record that a stored note becomes; undefined where scrubbing left nothing to tell. Only the event's own id
 * and time go into the record's identity, so whoever makes it, in time or later, makes the same one.
 */
export function agentRecordDraft(
  event: Pick<MemoryEvent, 'event_id' | 'session_id' | 'valid_time'> & { source: { branch?: string } },
  observation: SavedObservation,
  sessionTitle: string | undefined,
): RecordDraft | undefined {
  const clean = (text: string, max: number) => cutCodePoints(stripInjected(text).trim(), max);
  const list = (items: readonly string[], count: number, max: number) =>
    [...new Set(items.map((item) => clean(item, max)))].filter((item) => item !== '').slice(0, count);
  const summary = clean(observation.summary, LIMITS.summaryChars);
  const title = clean(observation.title, LIMITS.titleChars) || clean(summary, 80);
  if (title === '') return undefined;
  return {
    identity: `mcp:${event.event_id}`,
    session_id: event.session_id,
    observation_type: observation.observation_type,
    title,
    summary,
    facts: list(observation.facts, LIMITS.facts, LIMITS.factChars),
    concepts: list(observation.concepts, LIMITS.concepts, LIMITS.conceptChars),
    files_touched: list(observation.files_touched, LIMITS.files, LIMITS.fileChars),
    evidence: [{ event_id: event.event_id, excerpt: cutCodePoints(summary || title, LIMITS.excerptChars) }],
    strategy: 'mcp',
    origin: 'mcp',
    importance: IMPORTANCE,
    valid_from: event.valid_time,
    ...(sessionTitle ? { session_title: cutCodePoints(sessionTitle, LIMITS.titleChars) } : {}),
    ...(event.source.branch ? { branch: event.source.branch } : {}),
  };
}

/** An agent may not take away what a person pinned; what is forgotten already stays as it is. */
export function mayForget(record: MemoryRecord): boolean {
  return !record.pinned && record.status !== 'forgotten';
}
