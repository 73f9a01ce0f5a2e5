import type { MemoryRecord, ObservationType } from '../../contract/memory-record';
import type { ExtractedDraft, Replacement } from '../extract/extracted-draft';
import { fileName } from '../extract/paths';
import { sentences } from '../extract/sentences';
import { gistOf, mentions, overlap, textOf } from './similarity';

/** Kinds of records that lay down how things are; what happened in a turn stays true. */
const LAID_DOWN: ReadonlySet<ObservationType> = new Set(['preference', 'decision', 'pattern', 'discovery']);

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

/** Whether a draft names what the record says as replaced, retired or corrected. */
export function replacedBy(draft: ExtractedDraft, record: MemoryRecord): boolean {
  if (correctedBy(draft, record) || retiredBy(draft, record)) return true;
  return (draft.replaces ?? []).some((replacement) => stillSays(record, replacement, draft));
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

function stillSays(record: MemoryRecord, replacement: Replacement, draft: ExtractedDraft): boolean {
  if (replacement.key !== undefined) return saysOfKey(textOf(record), replacement.key, replacement);
  if (!mentions(`${record.title}\n${record.summary}`, replacement.old)) return false;
  if (replacement.new !== undefined && mentions(record.title, replacement.new)) return false;
  // A phrase with a number ("concurrency 4") states a value, whoever said it; a bare name may only be mentioned.
  if (/\d/.test(replacement.old) && /\p{L}/u.test(replacement.old)) {
    return sharesSubject(record, replacement, draft);
  }
  if (!LAID_DOWN.has(record.observation_type)) return false;
  if (record.observation_type === 'discovery' && !mentions(record.title, replacement.old)) return false;
  return isAbout(record, replacement.old) && sharesSubject(record, replacement, draft);
}

/** One sentence says the old value of the key, and none the new one. */
function saysOfKey(text: string, key: string, { old, new: renewed }: Replacement): boolean {
  if (renewed !== undefined && mentions(text, renewed)) return false;
  if (text.includes(`${key}=${old}`)) return true;
  return sentences(text).some((sentence) => mentions(sentence, key) && mentions(sentence, old));
}

/** The old name is what the record chose, not what it chose against. */
function isAbout(record: MemoryRecord, old: string): boolean {
  const said = `${record.title}\n${record.summary}`;
  if (!mentions(said, old)) return false;
  const escaped = old.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return !new RegExp(
    `\\b(?:not|no|never|without|from|instead of|rather than|remove[ds]?|drop(?:ped)?|reject(?:ed)?|statt|anstatt|kein\\w*|nicht|von)\\s+(?:\\S+\\s+)?${escaped}`,
    'i',
  ).test(said);
}

function sharesSubject(record: MemoryRecord, replacement: Replacement, draft: ExtractedDraft): boolean {
  if (record.files_touched.some((file) => draft.files_touched.includes(file))) return true;
  const old = gistOf(replacement.old).terms;
  const theirs = gistOf(`${record.title}\n${record.summary}`).terms;
  const ours = gistOf(`${draft.title}\n${draft.summary}`).terms;
  return [...ours].some((term) => !old.has(term) && theirs.has(term));
}

/**
 * What to search for beside the draft's own words to find records that it may supersede: the values that it
 * names as replaced, and the files that it retired. One query each, few.
 */
export function neighbourQueries(draft: ExtractedDraft): string[] {
  const replaced = (draft.replaces ?? []).map(({ key, old }) => (key === undefined ? old : `${key} ${old}`));
  return [...new Set([...replaced, ...(draft.retired_files ?? [])])].slice(0, 6);
}
