import type { ParsedQuery } from './query';
import type { Ranking } from './ranker';
import type { RankerConfig } from './ranker-config';

/** Why nothing is returned, or undefined where something is. */
export function abstain(query: ParsedQuery, ranking: Ranking, config: RankerConfig): string | undefined {
  if (query.trivial) return 'the prompt only steers the conversation';
  const best = ranking.candidates.slice(0, 5);
  if (best.length === 0) return 'no record matches';
  if (query.ranges.length > 0 && best.some((candidate) => candidate.inRange)) return undefined;
  const supported = best.some(
    ({ coverage, similarity }) =>
      coverage >= config.floorCoverage ||
      (coverage >= config.floorCoverage / 2 && similarity >= config.floorSemantic),
  );
  return supported ? undefined : 'no record matches enough of the prompt';
}
