import { createHash } from 'node:crypto';
import type { ObservationType } from '../../contract/memory-record';
import { draftFrom, excerptAround } from '../extract/draft-builder';
import { eventText } from '../extract/event-text';
import type { ExtractedDraft } from '../extract/extracted-draft';
import { isDirective, viewTurn } from '../extract/turn-view';
import type { Turn } from '../turn';
import type { BatchEntry, ModelBatch } from './framing';
import type { ModelRecord } from './reply-parser';

const TYPES: Readonly<Record<string, ObservationType>> = {
  decision: 'decision',
  error: 'error',
  bug: 'error',
  bugfix: 'error',
  fix: 'error',
  failure: 'error',
  discovery: 'discovery',
  fact: 'discovery',
  insight: 'discovery',
  pattern: 'pattern',
  convention: 'pattern',
  preference: 'preference',
};
const IMPORTANCE: Partial<Record<ObservationType, number>> = {
  decision: 0.6,
  error: 0.55,
  preference: 0.6,
};
const TITLE_FROM_SUMMARY = 120;

/**
 * Drafts of what a model wrote about a batch. A record stands on the entries that it names; one that names none of
 * this batch is left out, and so is every sentence whose paths, numbers and quotes those turns do not hold. A model
 * never speaks for the user: what it makes is the agent's word, or `external` where a turn read the web.
 */
export function modelDrafts(records: readonly ModelRecord[], batch: ModelBatch): ExtractedDraft[] {
  const drafts = new Map<string, ExtractedDraft>();
  for (const record of records) {
    const draft = draftOf(record, batch);
    if (draft && !drafts.has(draft.identity)) drafts.set(draft.identity, draft);
  }
  return [...drafts.values()];
}

function draftOf(record: ModelRecord, batch: ModelBatch): ExtractedDraft | undefined {
  const entries = namedEntries(record, batch);
  const [first] = entries;
  // Summaries of turns are the rules' own work: a second one would say the same twice.
  if (!first || /summary/.test(record.type)) return undefined;
  const type = TYPES[record.type] ?? 'discovery';
  const title = record.title || firstSentence(record.summary);
  const view = viewTurn(first.turn);
  const others = [...new Set(entries.map((entry) => entry.turn))]
    .filter((turn) => turn !== first.turn)
    .map((turn) => viewTurn(turn));
  const external = [view, ...others].some((one) => one.external);
  if (external && isDirective(`${title} ${record.summary}`)) return undefined;
  const draft = draftFrom(
    {
      key: '',
      rule: 'model',
      identity: identityOf(first.turn, type, title),
      type,
      title,
      summary: record.summary || title,
      facts: record.facts,
      files: record.files.filter((file) => holds(batch, file)),
      concepts: record.concepts,
      evidence: entries.map(({ event }) => ({ event, excerpt: excerptAround(eventText(event), title) })),
      origin: external ? 'external' : 'agent_words',
      importance: IMPORTANCE[type] ?? 0.45,
    },
    view,
    others,
  );
  return draft ? { ...draft, strategy: 'llm' } : undefined;
}

/** The entries that a record names, those of this batch only, in order. */
function namedEntries(record: ModelRecord, batch: ModelBatch): BatchEntry[] {
  const named = new Set(record.evidence);
  return batch.entries.filter(({ n, event }) => named.has(n) || named.has(event.event_id));
}

/** The same finding of the same turn is the same record, however often the turn is read. */
function identityOf(turn: Turn, type: ObservationType, title: string): string {
  const hash = createHash('sha256').update(`${type}\n${title.toLowerCase().replace(/\s+/g, ' ')}`);
  return `model:${turn.session_id}:${turn.turn_id}:${hash.digest('hex').slice(0, 16)}`;
}

function holds(batch: ModelBatch, file: string): boolean {
  return batch.entries.some(({ event }) => eventText(event).includes(file));
}

function firstSentence(text: string): string {
  return (/^[^.!?。！？\n]{4,}/u.exec(text)?.[0] ?? text).slice(0, TITLE_FROM_SUMMARY);
}
