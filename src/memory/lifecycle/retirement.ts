import { LIMITS } from '../../contract/limits';
import type { MemoryRecord, ObservationType } from '../../contract/memory-record';
import type { ExtractedDraft, Replacement } from '../extract/extracted-draft';
import { clip, joinSentences, sentences } from '../extract/sentences';
import { gistOf, mentions, textOf } from './similarity';

/** Kinds of records that lay down how things are. */
const LAID_DOWN: ReadonlySet<ObservationType> = new Set(['preference', 'decision', 'pattern']);

export type RecordBody = Pick<MemoryRecord, 'title' | 'summary' | 'facts'>;

/** What a draft leaves of a record: nothing, or what it says besides the retired values. */
export type Retirement = { whole: true } | { whole: false; left: RecordBody };

/**
 * What remains of `record` once the values that `draft` names as replaced are taken out, sentence by sentence and
 * fact by fact; undefined where it states none of them as valid. What says nothing lasting any more is retired as
 * a whole. Pure.
 */
export function retirementOf(draft: ExtractedDraft, record: MemoryRecord): Retirement | undefined {
  const replacements = (draft.replaces ?? []).filter(({ old }) => mentions(textOf(record), old));
  if (replacements.length === 0) return undefined;
  const states = (sentence: string): boolean =>
    replacements.some((replacement) => stillStates(sentence, replacement, record, draft));
  const title = parted(record.title, states);
  const summary = parted(record.summary, states);
  const facts = record.facts.filter((fact) => !states(fact));
  const said = summary.dropped || facts.length < record.facts.length;
  if (!title.dropped && !said) return undefined;
  if (LAID_DOWN.has(record.observation_type) && title.dropped) return { whole: true };
  if (!said && !replacements.some((replacement) => isValue(replacement))) return undefined;
  if (summary.left === '' || (title.dropped && echoes(summary.left, title.left))) return { whole: true };
  return {
    whole: false,
    left: { title: title.left || clip(summary.left, LIMITS.titleChars), summary: summary.left, facts },
  };
}

/** The summary only repeats what the title keeps. */
function echoes(summary: string, title: string): boolean {
  return title !== '' && title.includes(summary);
}

function parted(text: string, states: (sentence: string) => boolean): { left: string; dropped: boolean } {
  const all = sentences(text);
  const kept = all.filter((sentence) => !states(sentence));
  return kept.length === all.length
    ? { left: text, dropped: false }
    : { left: joinSentences(kept), dropped: true };
}

/** A number, alone or with its unit, or what a key was set to. */
function isValue({ old, key }: Replacement): boolean {
  return key !== undefined || /\d/.test(old);
}

/** Rare enough to be recognised without its key: `4.5`, `500`. */
function isDistinct(value: string): boolean {
  return /^\d+[.,]\d+$|^\d{2,}\D*$/.test(value);
}

/** Tells what was, so that it stays true. */
const HISTORY = /\b(?:was|were|had|fell|failed|crash(?:ed|es)|broke|replaced|war|waren|hatte|wurde)\b/i;

function stillStates(
  sentence: string,
  replacement: Replacement,
  record: MemoryRecord,
  draft: ExtractedDraft,
): boolean {
  const { old, new: renewed, key } = replacement;
  if (!mentions(sentence, old)) return false;
  if (renewed !== undefined && mentions(sentence, renewed)) return false;
  if (isChosenAgainst(sentence, old)) return false;
  if (key !== undefined) return statesOfKey(sentence, { ...replacement, key }, record, draft);
  if (/\d/.test(old)) return sharesValue(sentence, replacement, record, draft);
  if (record.observation_type === 'error') return false;
  // A phrase that the user names is specific by itself; a single name is not.
  const phrase = /\s/.test(old);
  if (phrase && draft.origin === 'user_words') return true;
  if (LAID_DOWN.has(record.observation_type)) return sharesSubject(textOf(record), replacement, draft, 1);
  if (HISTORY.test(sentence)) return false;
  if (sharesFile(record, draft)) return true;
  return phrase
    ? sharesSubject(textOf(record), replacement, draft, 1)
    : sharesSubject(sentence, replacement, draft, 2);
}

function statesOfKey(
  sentence: string,
  { key, old }: Replacement & { key: string },
  record: MemoryRecord,
  draft: ExtractedDraft,
): boolean {
  if (sentence.includes(`${key}=${old}`) || mentions(sentence, key)) return true;
  if (!/^\d/.test(old) || !sharesFile(record, draft)) return false;
  return isDistinct(old) || sharesTerms(sentence, key, 1);
}

function sharesValue(
  sentence: string,
  replacement: Replacement,
  record: MemoryRecord,
  draft: ExtractedDraft,
): boolean {
  const bare = /^[\d.,]+$/.test(replacement.old);
  if (sharesFile(record, draft) && (!bare || isDistinct(replacement.old))) return true;
  if (!bare) return sharesSubject(textOf(record), replacement, draft, 1);
  return isDistinct(replacement.old) && sharesSubject(sentence, replacement, draft, 2);
}

function sharesFile(record: MemoryRecord, draft: ExtractedDraft): boolean {
  return record.files_touched.some((file) => draft.files_touched.includes(file));
}

/** Subject words of a draft that says little besides the two values: the old one is its subject. */
const BARE_SUBJECT = 3;

/** `text` speaks of what the draft speaks of, the two values left aside. */
function sharesSubject(
  text: string,
  { old, new: renewed }: Replacement,
  draft: ExtractedDraft,
  least: number,
): boolean {
  const values = new Set([...gistOf(old).terms, ...gistOf(renewed ?? '').terms]);
  const ours = [...gistOf(`${draft.title}\n${draft.summary}`).terms].filter((term) => !values.has(term));
  if (draft.origin === 'user_words' && !/\d/.test(old) && ours.length < BARE_SUBJECT) return true;
  const theirs = gistOf(text).terms;
  return ours.filter((term) => theirs.has(term)).length >= least;
}

function sharesTerms(text: string, key: string, least: number): boolean {
  const theirs = gistOf(text).terms;
  return [...gistOf(key).terms].filter((term) => term.length > 2 && theirs.has(term)).length >= least;
}

/** The old name is what was chosen against, not what was chosen. */
function isChosenAgainst(sentence: string, old: string): boolean {
  const escaped = old.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    `\\b(?:not|no|never|without|from|instead of|rather than|remove[ds]?|drop(?:ped)?|reject(?:ed)?|statt|anstatt|kein\\w*|nicht|von)\\s+(?:\\S+\\s+)?${escaped}(?![\\p{L}\\p{N}])`,
    'iu',
  ).test(sentence);
}
