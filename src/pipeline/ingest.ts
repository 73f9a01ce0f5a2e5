import { createHash } from 'node:crypto';
import type { Clock } from '../contract/clock';
import type { MemoryEvent } from '../contract/event';
import type { EventDraft } from '../contract/event-draft';
import type { Log } from '../platform/log';
import { subProject } from '../project/sub-project';
import type { ProjectIdentity, ProjectResolver } from '../project/project-resolver';
import type { Mutation, Outcome } from '../store/mutation';
import type { Store } from '../store/store';
import { EventTooLargeError, isDistilled, type EventBuilder } from './event-builder';
import { cutCodePoints } from '../text/cut';
import { promptText } from './prompt-recall';
import type { CapturePolicy } from './capture-policy';
import type { SessionStates } from './session-state';

export type IngestResult =
  | { outcome: 'stored'; event: MemoryEvent; project: ProjectIdentity }
  | { outcome: 'duplicate'; event_id: string; event: MemoryEvent; project: ProjectIdentity }
  | {
      outcome: 'repeat';
      event_id: string;
      repeat_count: number;
      event: MemoryEvent;
      project: ProjectIdentity;
    }
  | { outcome: 'dropped'; reason: 'empty' | 'too_large' | 'paused' | 'excluded' | 'untrusted' };

interface IngestDeps {
  store: Store;
  resolver: ProjectResolver;
  builder: EventBuilder;
  sessions: SessionStates;
  policy: CapturePolicy;
  /** What our own agent does is never kept. */
  isOwnWork(draft: EventDraft): boolean;
  actorId: string;
  clock: Clock;
  log: Log;
}

type Prepared =
  | { dropped: Extract<IngestResult, { outcome: 'dropped' }> }
  | { event: MemoryEvent; project: ProjectIdentity; mutation: Mutation };

/** Draft → project → event → store. Whoever awaits it knows that the event is on disk. */
export class Ingest {
  constructor(private readonly deps: IngestDeps) {}

  /** Stores drafts in order, as one group; results are in the same order. */
  async ingest(drafts: readonly EventDraft[]): Promise<IngestResult[]> {
    const prepared: Prepared[] = [];
    for (const draft of drafts) prepared.push(await this.prepare(draft));
    const kept = prepared.filter((item) => 'mutation' in item);
    const outcomes = kept.length > 0 ? await this.deps.store.commit(kept.map((item) => item.mutation)) : [];
    let next = 0;
    return prepared.map((item) => ('dropped' in item ? item.dropped : result(item, outcomes[next++])));
  }

  /** The project that a draft belongs to. */
  project(draft: EventDraft): Promise<ProjectIdentity> {
    return this.deps.resolver.resolve({
      ...(draft.cwd ? { path: draft.cwd } : {}),
      ...(draft.project_hints?.workspace_paths
        ? { workspacePaths: draft.project_hints.workspace_paths }
        : {}),
      ...(draft.project_hints?.repositories ? { repositories: draft.project_hints.repositories } : {}),
    });
  }

  private async prepare(draft: EventDraft): Promise<Prepared> {
    const { policy, builder, sessions, clock, actorId, log } = this.deps;
    const project = ownPart(await this.project(draft), draft);
    if (this.deps.isOwnWork(draft)) return { dropped: { outcome: 'dropped', reason: 'excluded' } };
    const verdict = policy.allows(project.namespace, draft.cwd ?? project.root);
    if (verdict !== 'yes') return { dropped: { outcome: 'dropped', reason: verdict } };
    const at = draft.valid_time ? Date.parse(draft.valid_time) : clock.now();
    const sessionId = draft.session_id ?? sessions.deriveId(project.namespace, draft.client_id ?? '', at);
    let event: MemoryEvent | undefined;
    try {
      event = builder.build(await policy.redactExcluded(draft, project.root), {
        namespace: project.namespace,
        actorId,
        sessionId,
        projectPath: project.root,
      });
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      log.warn('ingest', `an event of ${error.bytes} bytes was dropped: it is too large after cutting`);
      return { dropped: { outcome: 'dropped', reason: 'too_large' } };
    }
    if (!event) return { dropped: { outcome: 'dropped', reason: 'empty' } };
    // A hook that is registered twice names the same call twice, each time with a time of its own.
    const known = sessions.idOf(event.namespace, event.session_id, draft.identity);
    if (known) event.event_id = known;
    const turnId = this.placeInTurn(draft, event);
    const title =
      draft.session_title ?? sessions.title(event.namespace, event.session_id) ?? titleOf(event, draft);
    sessions.remember(event, draft.identity, turnId, title);
    return { event, project, mutation: this.mutation(draft, event, turnId, title) };
  }

  /** Hook events name no turn: they belong to that of the session's latest prompt. */
  private placeInTurn(draft: EventDraft, event: MemoryEvent): string | undefined {
    const { sessions } = this.deps;
    const current = sessions.currentTurn(event.namespace, event.session_id);
    const turnId = draft.turn_id ?? (event.kind === 'prompt' ? `prompt:${event.event_id}` : current.turnId);
    if (event.kind === 'prompt' && !draft.parent_identity) return turnId;
    const parent =
      (draft.parent_identity && sessions.idOf(event.namespace, event.session_id, draft.parent_identity)) ||
      (turnId && sessions.promptOf(event.namespace, event.session_id, turnId));
    if (parent && parent !== event.event_id) event.parent_event_id = parent;
    return turnId;
  }

  private mutation(
    draft: EventDraft,
    event: MemoryEvent,
    turnId: string | undefined,
    title: string | undefined,
  ): Mutation {
    const sameAs = samenessKey(event);
    return {
      op: 'event',
      event,
      distil: isDistilled(event) ? 'pending' : 'never',
      may_collapse: !draft.identity.startsWith('kiro:'),
      ...(turnId ? { turn_id: turnId } : {}),
      ...(draft.ends_turn ? { ends_turn: true } : {}),
      ...(title ? { session_title: title } : {}),
      ...(sameAs ? { same_as: sameAs } : {}),
    };
  }
}

/** An agent's `anima_id` names a part below the caller's own project, never another's. */
function ownPart(project: ProjectIdentity, draft: EventDraft): ProjectIdentity {
  const anima = draft.meta?.['anima_id'];
  return typeof anima === 'string' && anima !== '' ? subProject(project, anima) : project;
}

/**
 * Key under which a hook and a session file tell the same thing: session, kind and what both spell alike.
 * Tool arguments are not part of it: some builds leave them out of the hook's payload (Kiro#6188).
 */
export function samenessKey(event: MemoryEvent): string | undefined {
  if (event.source.surface !== 'kiro-ide' && event.source.surface !== 'kiro-cli') return undefined;
  const { body } = event;
  if (body.type === 'text' && event.kind !== 'note') {
    return `${event.kind}|${event.session_id}|${digest(body.content)}`;
  }
  if (body.type !== 'json' || event.kind !== 'tool_use') return undefined;
  const data = body.data as { tool_name?: unknown; tool_response?: { result?: unknown } } | null;
  const result = data?.tool_response?.result;
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? '');
  return `${event.kind}|${event.session_id}|${String(data?.tool_name)}|${digest(text)}`;
}

/** Hooks name no title: the first thing that was asked for stands in until a session file tells it. */
function titleOf(event: MemoryEvent, draft: EventDraft): string | undefined {
  if (event.kind !== 'prompt' || draft.turn_id !== undefined) return undefined;
  const [line = ''] = promptText(event.body).split(/[\n.?!。？！]/, 1);
  return cutCodePoints(line.trim(), 60, '…') || undefined;
}

function digest(text: string): string {
  return createHash('sha256').update(text.replace(/\s+/g, ' ').trim()).digest('hex').slice(0, 32);
}

function result(item: Exclude<Prepared, { dropped: unknown }>, outcome: Outcome | undefined): IngestResult {
  const { event, project } = item;
  switch (outcome?.outcome) {
    case 'duplicate':
      return { outcome: 'duplicate', event_id: outcome.event_id, event, project };
    case 'repeat':
      return {
        outcome: 'repeat',
        event_id: outcome.event_id,
        repeat_count: outcome.repeat_count,
        event,
        project,
      };
    default:
      return { outcome: 'stored', event, project };
  }
}
