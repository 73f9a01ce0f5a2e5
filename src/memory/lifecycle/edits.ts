import { LIMITS } from '../../contract/limits';
import type { MemoryRecord, ObservationType } from '../../contract/memory-record';

/** The change that an edit is in the history; the store's names. */
export type EditChange = 'pinned' | 'unpinned' | 'edited' | 'forgotten' | 'restored' | 'undone';

export interface RecordEdit {
  change: EditChange;
  record: MemoryRecord;
}

/** What a person may rewrite. */
export interface RecordText {
  title?: string;
  summary?: string;
  facts?: readonly string[];
  concepts?: readonly string[];
  observation_type?: ObservationType;
}

/** Pins or unpins; undefined where it is so already. Pure, like all here. */
export function pin(record: MemoryRecord, pinned: boolean, now: string): RecordEdit | undefined {
  if (record.pinned === pinned) return undefined;
  return { change: pinned ? 'pinned' : 'unpinned', record: { ...record, pinned, updated_at: now } };
}

/**
 * Rewrites a record's text, cut to the contract's limits. It is the user's word from then on: only the user's
 * own words supersede it. Undefined where nothing changes or the title would be empty.
 */
export function edit(record: MemoryRecord, text: RecordText, now: string): RecordEdit | undefined {
  const edited: MemoryRecord = {
    ...record,
    title: text.title === undefined ? record.title : cut(text.title, LIMITS.titleChars),
    summary: text.summary === undefined ? record.summary : cut(text.summary, LIMITS.summaryChars),
    facts: text.facts === undefined ? record.facts : list(text.facts, LIMITS.facts, LIMITS.factChars),
    concepts:
      text.concepts === undefined
        ? record.concepts
        : list(text.concepts, LIMITS.concepts, LIMITS.conceptChars),
    observation_type: text.observation_type ?? record.observation_type,
  };
  if (edited.title === '' || JSON.stringify(edited) === JSON.stringify(record)) return undefined;
  return {
    change: 'edited',
    record: { ...edited, origin: 'user_words', strategy: 'user', updated_at: now },
  };
}

/** Hides a record; it can be restored. Undefined where it is hidden already. */
export function forget(record: MemoryRecord, now: string): RecordEdit | undefined {
  if (record.status === 'forgotten') return undefined;
  return { change: 'forgotten', record: { ...record, status: 'forgotten', updated_at: now } };
}

/** Makes a forgotten, withdrawn or superseded record current again. Undefined where it is current. */
export function restore(record: MemoryRecord, now: string): RecordEdit | undefined {
  if (record.status === 'current') return undefined;
  const restored: MemoryRecord = { ...record, status: 'current', updated_at: now };
  delete restored.superseded_by;
  delete restored.valid_to;
  return { change: 'restored', record: restored };
}

/**
 * Gives a record the state that it had before a change. How often it was recalled is not undone. A record that
 * the change created is forgotten.
 */
export function undo(record: MemoryRecord, before: MemoryRecord | undefined, now: string): RecordEdit {
  const state: MemoryRecord = before
    ? { ...before, recall_count: record.recall_count }
    : { ...record, status: 'forgotten' };
  if (record.last_recalled_at) state.last_recalled_at = record.last_recalled_at;
  return { change: 'undone', record: { ...state, updated_at: now } };
}

function cut(text: string, max: number): string {
  return [...text.trim()].slice(0, max).join('');
}

function list(items: readonly string[], most: number, max: number): string[] {
  return items
    .map((item) => cut(item, max))
    .filter((item) => item !== '')
    .slice(0, most);
}
