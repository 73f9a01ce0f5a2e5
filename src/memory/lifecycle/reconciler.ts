import { recordId } from '../../contract/ids';
import { LIMITS } from '../../contract/limits';
import type { Evidence, MemoryRecord, RecordDraft } from '../../contract/memory-record';
import { fileName } from '../extract/paths';
import type { ExtractedDraft } from '../extract/extracted-draft';
import { contradicts, replacedBy } from './supersession';
import { retirementOf } from './retirement';
import { gistOf, level, overlap, textOf } from './similarity';

/** A record in its new state, and why it changed. Nothing is ever deleted. */
export interface LifecycleAction {
  change: 'created' | 'reinforced' | 'superseded' | 'edited';
  record: MemoryRecord;
}

export interface ReconcileContext {
  /** ISO 8601. */
  now: string;
  namespace: string;
  /** The record of an id, whatever its status; lets a draft made twice be recognised. */
  existing?(recordId: string): MemoryRecord | undefined;
  /** Id of a new record; by default from the draft's identity, so that the same draft is the same record. */
  newId?(draft: RecordDraft): string;
}

/** Terms that two texts must share to say the same. */
const SAME = 0.75;

/**
 * Compares a draft with its neighbours (current records that share files, names or terms): a record that says
 * the same is reinforced, else a new record is made; records that the draft contradicts or names as replaced are
 * superseded, and those that say other lasting things too only lose the sentences that state the old value. Only the user's own words supersede the user's own words (pains 82, 93). Pure.
 */
export function reconcile(
  draft: RecordDraft,
  neighbours: readonly MemoryRecord[],
  ctx: ReconcileContext,
): LifecycleAction[] {
  const id = ctx.newId?.(draft) ?? idOf(draft, ctx.namespace);
  const known = ctx.existing?.(id) ?? neighbours.find((record) => record.record_id === id);
  if (known) return learnedAgain(known, draft, ctx);
  const current = neighbours.filter(
    (record) => record.status === 'current' && record.namespace === ctx.namespace,
  );
  const same = current.find((record) => saysTheSame(draft, record));
  const survivor = same ? merged(same, draft, ctx.now) : create(draft, id, ctx);
  const replaced: MemoryRecord[] = [];
  const actions: LifecycleAction[] = [];
  for (const record of current) {
    if (record.record_id === survivor.record_id || !mayReplace(draft, record)) continue;
    const retired =
      contradicts(draft, record) || replacedBy(draft, record)
        ? { whole: true as const }
        : retirementOf(draft, record);
    if (retired?.whole) {
      replaced.push(record);
      actions.push({ change: 'superseded', record: superseded(record, survivor, draft, ctx.now) });
    } else if (retired) {
      actions.push({ change: 'edited', record: { ...record, ...retired.left, updated_at: ctx.now } });
    }
  }
  return [{ change: same ? 'reinforced' : 'created', record: inheriting(survivor, replaced) }, ...actions];
}

const INHERITED_MAX = 6;

/** What replaces a record is about the same thing: it is found under the names of the old one too. */
function inheriting(record: MemoryRecord, replaced: readonly MemoryRecord[]): MemoryRecord {
  if (replaced.length === 0) return record;
  const names = replaced.flatMap((old) => [...old.files_touched.map(fileName), ...old.concepts]);
  const added = [...new Set(names)].filter((name) => !record.concepts.includes(name)).slice(0, INHERITED_MAX);
  return { ...record, concepts: [...record.concepts, ...added].slice(0, LIMITS.concepts) };
}

/** Id of the record that a draft becomes. */
export function idOf(draft: RecordDraft, namespace: string): string {
  return recordId(Date.parse(draft.valid_from), `${namespace}\n${draft.identity}`);
}

/**
 * Made from the same turn again, which may have gone on since: the record says what the turn says now. What the
 * user edited, forgot or lost by a revert stays as it is.
 */
function learnedAgain(known: MemoryRecord, draft: RecordDraft, ctx: ReconcileContext): LifecycleAction[] {
  if (known.status !== 'current' || known.strategy !== draft.strategy) return [];
  const updated: MemoryRecord = {
    ...known,
    title: draft.title,
    summary: draft.summary,
    facts: draft.facts,
    concepts: [...new Set([...draft.concepts, ...known.concepts])].slice(0, LIMITS.concepts),
    files_touched: draft.files_touched,
    evidence: known.recurrence > 1 ? bounded(joined(known.evidence, draft.evidence)) : draft.evidence,
  };
  if (JSON.stringify(updated) === JSON.stringify(known)) return [];
  return [{ change: 'reinforced', record: { ...updated, updated_at: ctx.now } }];
}

function create(draft: RecordDraft, id: string, ctx: ReconcileContext): MemoryRecord {
  const record: MemoryRecord = {
    record_id: id,
    namespace: ctx.namespace,
    session_id: draft.session_id,
    observation_type: draft.observation_type,
    title: draft.title,
    summary: draft.summary,
    facts: draft.facts,
    concepts: draft.concepts,
    files_touched: draft.files_touched,
    evidence: draft.evidence.slice(0, LIMITS.evidence),
    strategy: draft.strategy,
    origin: draft.origin,
    importance: draft.importance,
    status: 'current',
    valid_from: draft.valid_from,
    pinned: false,
    recurrence: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
    recall_count: 0,
  };
  if (draft.session_title) record.session_title = draft.session_title;
  if (draft.branch) record.branch = draft.branch;
  return record;
}

/** Same kind, same words but for order, case and spelling forms, and the same numbers. */
function saysTheSame(draft: RecordDraft, record: MemoryRecord): boolean {
  if (draft.observation_type !== record.observation_type) return false;
  if (draft.observation_type === 'session_summary') return level(textOf(draft)) === level(textOf(record));
  if (draft.origin !== record.origin && record.origin === 'user_words') return false;
  if (level(draft.title) === level(record.title) && draft.observation_type !== 'discovery')
    return sameNumbers(draft, record);
  const a = gistOf(textOf(draft));
  const b = gistOf(textOf(record));
  return a.negative === b.negative && overlap(a.terms, b.terms) >= SAME && sameNumbers(draft, record);
}

function sameNumbers(draft: RecordDraft, record: MemoryRecord): boolean {
  const a = gistOf(`${draft.title}\n${draft.summary}`).numbers;
  const b = gistOf(`${record.title}\n${record.summary}`).numbers;
  return a.size === b.size && [...a].every((number) => b.has(number));
}

function merged(record: MemoryRecord, draft: RecordDraft, now: string): MemoryRecord {
  return {
    ...record,
    evidence: bounded(joined(record.evidence, draft.evidence)),
    files_touched: [...new Set([...record.files_touched, ...draft.files_touched])].slice(0, LIMITS.files),
    concepts: [...new Set([...record.concepts, ...draft.concepts])].slice(0, LIMITS.concepts),
    importance: Math.min(1, Math.round((Math.max(record.importance, draft.importance) + 0.05) * 100) / 100),
    recurrence: record.recurrence + 1,
    updated_at: now,
  };
}

function joined(known: readonly Evidence[], added: readonly Evidence[]): Evidence[] {
  const seen = new Set(known.map((evidence) => evidence.event_id));
  return [...known, ...added.filter((evidence) => !seen.has(evidence.event_id))];
}

/** The first evidence says where a record came from, the last that it still holds. */
function bounded(evidence: Evidence[]): Evidence[] {
  if (evidence.length <= LIMITS.evidence) return evidence;
  const half = LIMITS.evidence / 2;
  return [...evidence.slice(0, half), ...evidence.slice(-half)];
}

/** A draft replaces only what is older, not pinned, and not the user's own words unless it is so itself. */
function mayReplace(draft: RecordDraft, record: MemoryRecord): boolean {
  if (record.pinned || Date.parse(record.valid_from) > Date.parse(draft.valid_from)) return false;
  if (record.session_id === draft.session_id && sharesEvidence(draft, record)) return false;
  if (record.origin === 'user_words' || record.strategy === 'user') return draft.origin === 'user_words';
  return draft.origin !== 'external' || record.origin === 'external' || isChange(draft);
}

/** Made by an edit of the project, whatever else the turn read. */
function isChange(draft: ExtractedDraft): boolean {
  return draft.files_touched.length > 0;
}

function sharesEvidence(draft: RecordDraft, record: MemoryRecord): boolean {
  if (draft.observation_type === 'session_summary') {
    return record.evidence.some(({ event_id }) => draft.evidence.some((own) => own.event_id === event_id));
  }
  const last = draft.evidence.at(-1)?.event_id;
  return (
    draft.evidence[0]?.event_id === record.evidence[0]?.event_id || record.evidence.at(-1)?.event_id === last
  );
}

function superseded(record: MemoryRecord, by: MemoryRecord, draft: RecordDraft, now: string): MemoryRecord {
  return {
    ...record,
    status: 'superseded',
    superseded_by: by.record_id,
    valid_to: draft.valid_from,
    updated_at: now,
  };
}
