import type { MemoryRecord, RecordDraft } from '../../contract/memory-record';
import { tokenize } from '../../text/tokenizer';

/** The content terms of a text, numbers apart: what it is about, and what it says of it. */
export interface Gist {
  terms: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  /** Forbids rather than asks. */
  negative: boolean;
}

const NEGATION =
  /\b(?:never|not|no|don't|do not|without|avoid|stop|nie|niemals|nicht|kein\w*|ohne)\b|(?:ない|ません|禁止|やめ)|(?:不|别|禁止|勿)/i;

export function gistOf(text: string): Gist {
  const terms = new Set<string>();
  const numbers = new Set<string>();
  for (const token of tokenize(text)) {
    if (token.stop) continue;
    if (/^\d[\d.,:]*$/.test(token.text)) numbers.add(token.text);
    else for (const term of [token.whole, ...token.parts]) if (term !== '') terms.add(term);
  }
  return { terms, numbers, negative: NEGATION.test(text) };
}

/** Share of common terms, 0..1 (Jaccard). */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const term of a) if (b.has(term)) common++;
  return common / (a.size + b.size - common);
}

/** Title, summary and facts of a record or a draft as one text. */
export function textOf(record: Pick<MemoryRecord | RecordDraft, 'title' | 'summary' | 'facts'>): string {
  return [record.title, record.summary, ...record.facts].join('\n');
}

/** `text` with case, width and white space levelled, for literal comparison (pain 119). */
export function level(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** True where `text` holds `phrase` as whole words; scripts without spaces match anywhere. */
export function mentions(text: string, phrase: string): boolean {
  const haystack = level(text);
  const needle = level(phrase);
  if (needle === '') return false;
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) {
    if (isEdge(haystack, at - 1, at) && isEdge(haystack, at + needle.length, at + needle.length - 1))
      return true;
  }
  return false;
}

function isEdge(text: string, outside: number, inside: number): boolean {
  const char = text.charAt(outside);
  if (char === '' || !/[\p{L}\p{N}_]/u.test(char)) return true;
  const wide = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
  return wide.test(char) || wide.test(text.charAt(inside)) || !/[\p{L}\p{N}_]/u.test(text.charAt(inside));
}
