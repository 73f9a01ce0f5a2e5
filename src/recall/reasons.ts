import type { MemoryRecord } from '../contract/memory-record';
import { tokenize } from '../text/tokenizer';
import type { ParsedQuery } from './query';
import type { Candidate } from './ranker';
import { FIELDS, type Field, type RankerConfig } from './ranker-config';

const WORDS_SHOWN = 4;

/** Why a record came, in a few words for people: `title: queue, pg-boss`, `time: last week`. */
export function explain(candidate: Candidate, query: ParsedQuery, config: RankerConfig): string[] {
  const wanted = new Set(
    query.tokens.flatMap((token) => [token.whole, ...token.parts]).filter((t) => t !== ''),
  );
  const reasons: string[] = [];
  const told = new Set<string>();
  for (const field of FIELDS) {
    const words = matchingWords(fieldText(candidate.record, field), wanted, told);
    if (words.length > 0) reasons.push(`${field}: ${words.slice(0, WORDS_SHOWN).join(', ')}`);
  }
  if (candidate.inRange) reasons.push(`time: ${query.ranges.map((range) => range.phrase).join(', ')}`);
  if (candidate.fileHit !== undefined) reasons.push(`file in play: ${candidate.fileHit}`);
  if (candidate.similarity >= config.floorSemantic)
    reasons.push(`similar: ${candidate.similarity.toFixed(2)}`);
  if (candidate.record.pinned) reasons.push('pinned');
  if (reasons.length === 0) reasons.push('beside a match in its session');
  return reasons;
}

function fieldText(record: MemoryRecord, field: Field): string {
  switch (field) {
    case 'title':
      return record.title;
    case 'summary':
      return record.summary;
    case 'facts':
      return record.facts.join('\n');
    case 'concepts':
      return record.concepts.join('\n');
    case 'files':
      return record.files_touched.join('\n');
  }
}

function matchingWords(text: string, wanted: ReadonlySet<string>, told: Set<string>): string[] {
  const words: string[] = [];
  for (const token of tokenize(text)) {
    if (token.stop) continue;
    const hit = [token.whole, ...token.parts].find((term) => wanted.has(term) && !told.has(term));
    if (hit === undefined) continue;
    told.add(hit);
    words.push(token.parts.length > 4 ? hit : token.text);
  }
  return words;
}
