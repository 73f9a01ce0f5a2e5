import type { MemoryRecord } from '../contract/memory-record';
import type { ParsedQuery } from './query';
import type { Candidate } from './ranker';
import { FIELDS, type Field, type RankerConfig } from './ranker-config';

const WORDS_SHOWN = 4;

/** Why a record came, in a few words for people: `title: queue, pg-boss`, `time: last week`. */
export function explain(candidate: Candidate, query: ParsedQuery, config: RankerConfig): string[] {
  const { record, looked, collection } = candidate;
  const wanted = new Set(looked.terms.map(({ term }) => term));
  const reasons: string[] = [];
  for (const field of FIELDS) {
    const words = collection.lexicon.matches(fieldText(record, field), wanted, WORDS_SHOWN);
    if (words.length > 0) reasons.push(`${field}: ${words.join(', ')}`);
  }
  if (candidate.inRange) reasons.push(`time: ${query.ranges.map((range) => range.phrase).join(', ')}`);
  if (candidate.fileHit !== undefined) reasons.push(`file in play: ${candidate.fileHit}`);
  if (candidate.similarity >= config.floorSemantic)
    reasons.push(`similar: ${candidate.similarity.toFixed(2)}`);
  if (record.pinned) reasons.push('pinned');
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
