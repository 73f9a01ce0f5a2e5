import type { ParsedQuery } from './query';
import type { Candidate, Ranking } from './ranker';
import type { RankerConfig } from './ranker-config';

/** Only what could be injected decides whether anything is. */
const LEADERS = 5;

/** Among these some word must match before likeness of meaning counts. */
const MATCHING = 30;

/**
 * Why nothing is returned, or undefined where something is. No answer beats a wrong one: one common word in
 * common is an accident, in twenty records as in twenty thousand, and likeness of meaning alone is no
 * evidence either (pain 84).
 */
export function abstain(query: ParsedQuery, ranking: Ranking, config: RankerConfig): string | undefined {
  if (query.trivial) return 'the prompt only steers the conversation';
  const leaders = ranking.candidates.slice(0, LEADERS);
  if (leaders.length === 0) return 'no record matches';
  if (query.dateOnly) return undefined;
  if (leaders.some((candidate) => isSupported(candidate, config))) return undefined;
  const matched = ranking.candidates.slice(0, MATCHING).some(({ coverage }) => coverage >= config.floorMatch);
  const alike = likenessFloor(query, config);
  if (matched && leaders.some(({ similarity }) => similarity >= alike)) return undefined;
  return 'no record matches enough of the prompt';
}

/** A sentence that is like a record is less of an accident than two words that are. */
function likenessFloor(query: ParsedQuery, config: RankerConfig): number {
  const words = Math.min(8, Math.max(4, query.tokens.length));
  const german = query.german ? config.floorGerman : 0;
  return config.floorSemantic + german - config.floorSemanticPerWord * (words - 4);
}

function isSupported(candidate: Candidate, config: RankerConfig): boolean {
  const { coverage, looked, inRange } = candidate;
  if (candidate.exact) return true;
  if (inRange && (looked.totalMass < looked.rarest || coverage >= config.floorInRange)) return true;
  if (coverage >= config.floorCoverage) return true;
  const rareWords = (coverage * looked.totalMass) / looked.rarest;
  return rareWords >= config.floorRareWords;
}
