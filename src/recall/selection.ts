import type { Candidate } from './ranker';
import type { RankerConfig } from './ranker-config';

interface Wanted {
  alreadyShown: ReadonlyMap<string, string>;
  neverAgain: ReadonlySet<string>;
  notUseful?: ReadonlySet<string>;
  maxRecords: number;
  config: RankerConfig;
}

/**
 * The few records that are worth the agent's attention: near the best in score, unlike each other (maximal
 * marginal relevance), not shown in this session before unless they changed since.
 */
export function selectForInjection(
  candidates: readonly Candidate[],
  wanted: Wanted,
): { picked: Candidate[]; passed: Candidate[] } {
  const { alreadyShown, neverAgain, notUseful, maxRecords, config } = wanted;
  const best = candidates[0]?.score ?? 0;
  const open: Candidate[] = [];
  const passed: Candidate[] = [];
  for (const candidate of candidates.slice(0, 20)) {
    const { record_id: id, updated_at: updated } = candidate.record;
    if (neverAgain.has(id) || alreadyShown.get(id) === updated) continue;
    const bar = notUseful?.has(id) ? 1 : config.injectShare;
    (candidate.score >= best * bar ? open : passed).push(candidate);
  }
  const picked: Candidate[] = [];
  const words = new Map(open.map((candidate) => [candidate, wordsOf(candidate)]));
  while (open.length > 0 && picked.length < maxRecords) {
    let choice = 0;
    let choiceValue = -Infinity;
    open.forEach((candidate, i) => {
      const alike = picked.reduce(
        (most, other) => Math.max(most, overlap(words.get(candidate), words.get(other))),
        0,
      );
      const value = config.diversity * candidate.score - (1 - config.diversity) * alike * best;
      if (value > choiceValue) [choice, choiceValue] = [i, value];
    });
    const [next] = open.splice(choice, 1);
    if (next === undefined) break;
    const alike = picked.reduce(
      (most, other) => Math.max(most, overlap(words.get(next), words.get(other))),
      0,
    );
    (alike > 0.8 ? passed : picked).push(next);
  }
  return { picked, passed: [...open, ...passed].sort((a, b) => b.score - a.score) };
}

function wordsOf({ record, collection }: Candidate): Set<number> {
  return collection.lexicon.idsOf([record.title, record.summary, ...record.facts].join('\n'));
}

/** Jaccard overlap of two sets of words. */
function overlap(a: ReadonlySet<number> | undefined, b: ReadonlySet<number> | undefined): number {
  if (a === undefined || b === undefined || a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / (a.size + b.size - shared);
}
