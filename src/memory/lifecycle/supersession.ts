import type { MemoryRecord, ObservationType } from '../../contract/memory-record';
import type { ExtractedDraft } from '../extract/extracted-draft';
import { fileName } from '../extract/paths';
import { gistOf, mentions, overlap, textOf } from './similarity';

/** Terms that two statements must share to be about the same thing. */
const SAME_SUBJECT = 0.6;

/**
 * Whether a draft says of the same thing something else: nearly the same words with other numbers, or with the
 * opposite sign. Only between statements.
 */
export function contradicts(draft: ExtractedDraft, record: MemoryRecord): boolean {
  if (!isStatement(draft.observation_type) || !isStatement(record.observation_type)) return false;
  const a = gistOf(draft.title);
  const b = gistOf(record.title);
  if (a.terms.size < 2 || overlap(a.terms, b.terms) < SAME_SUBJECT) return false;
  const otherNumbers =
    a.numbers.size > 0 && b.numbers.size > 0 && ![...a.numbers].some((number) => b.numbers.has(number));
  return otherNumbers || a.negative !== b.negative;
}

function isStatement(type: ObservationType): boolean {
  return type === 'preference' || type === 'decision';
}

/** Whether a draft says that the record as a whole is corrected, or that its file is retired. */
export function replacedBy(draft: ExtractedDraft, record: MemoryRecord): boolean {
  return correctedBy(draft, record) || retiredBy(draft, record);
}

function correctedBy(draft: ExtractedDraft, record: MemoryRecord): boolean {
  if (!draft.corrects?.length || record.origin === 'user_words') return false;
  return record.evidence.some((evidence) => draft.corrects?.includes(evidence.event_id));
}

/** The record came with a file that now calls itself superseded. */
function retiredBy(draft: ExtractedDraft, record: MemoryRecord): boolean {
  if (!draft.retired_files?.length || record.origin === 'user_words') return false;
  return draft.retired_files.some(
    (file) => record.files_touched.includes(file) && mentions(textOf(record), fileName(file)),
  );
}

/**
 * What to search for beside the draft's own words to find records that it may supersede: the values that it
 * names as replaced, and the files that it retired. One query each, few.
 */
export function neighbourQueries(draft: ExtractedDraft): string[] {
  const replaced = (draft.replaces ?? []).map(({ key, old }) => (key === undefined ? old : `${key} ${old}`));
  return [...new Set([...replaced, ...(draft.retired_files ?? [])])].slice(0, 6);
}
