import type { MemoryRecord, ObservationType } from '../contract/memory-record';
import type { Collection } from './collection';
import type { Embedder } from './embedding/embedder';
import { lookUp, type LookUp, type ParsedQuery } from './query';
import type { RankerConfig } from './ranker-config';

const DAY = 86_400_000;

/** What is known beside the words of the prompt. */
export interface Situation {
  now: number;
  filesInPlay: readonly string[];
  branch?: string | undefined;
  sessionId?: string | undefined;
  includeStale: boolean;
}

/** A record that might answer, with what speaks for it. */
export interface Candidate {
  record: MemoryRecord;
  collection: Collection;
  /** Terms of the prompt that were searched for. */
  looked: LookUp;
  slot: number;
  score: number;
  /** Lexical score of its own words. */
  lexical: number;
  /** Share of the prompt's informative mass that it matches, 0 to 1. */
  coverage: number;
  /** Cosine with the prompt, 0 where there is no table. */
  similarity: number;
  /** The same, blended with what stands beside the record in its session. */
  setting: number;
  /** Holds an identifier of the prompt whole. */
  exact: boolean;
  inRange: boolean;
  fileHit?: string | undefined;
  reasons: string[];
}

export interface Ranking {
  candidates: Candidate[];
  looked: LookUp;
}

/** Scores the records of one collection against a prompt. */
export function rank(
  query: ParsedQuery,
  collection: Collection,
  situation: Situation,
  config: RankerConfig,
  embedder?: Embedder,
): Ranking {
  const looked = lookUp(query, collection, config);
  const slots = collection.records.length;
  const scores = new Float32Array(slots);
  const cover = new Float32Array(slots);
  const gain = new Float32Array(256);
  const exact = new Set<number>();
  for (const { term, weight, idf, mass, exact: isExact } of looked.terms) {
    if (isExact) collection.postings.visit(term, (slot) => exact.add(slot));
    for (let impact = 0; impact < 256; impact++) gain[impact] = (weight * idf * impact) / 255;
    collection.postings.accumulate(term, gain, scores, mass, cover);
  }
  const similarities =
    embedder === undefined
      ? undefined
      : collection.similarities(embedder, query.text, config.vectorsPerSearch);
  const own = scores.slice();
  passToSuccessors(collection, own, scores, cover, config);
  spreadInSessions(collection, own, scores, config);
  const chosen = choose(query, collection, scores, similarities, situation, config);
  let best = 0;
  for (const slot of chosen) best = Math.max(best, scores[slot] as number);
  const intent = intentOf(query);
  const unsure = uncertainty(chosen, cover, exact, looked, config);
  const candidates: Candidate[] = [];
  for (const slot of chosen) {
    const record = collection.records[slot];
    if (record === undefined) continue;
    const candidate: Candidate = {
      record,
      collection,
      looked,
      slot,
      score: 0,
      lexical: own[slot] as number,
      coverage: looked.totalMass > 0 ? Math.min(1, (cover[slot] as number) / looked.totalMass) : 0,
      similarity: similarities?.[slot] ?? 0,
      setting: similarities === undefined ? 0 : settingOf(collection, slot, similarities, config),
      exact: exact.has(slot),
      inRange: inRanges(query, collection.times[slot] as number),
      reasons: [],
    };
    candidate.score = fuse(candidate, scores[slot] as number, best, unsure, query, intent, situation, config);
    candidates.push(candidate);
  }
  candidates.sort(byScore);
  return { candidates, looked };
}

/**
 * 0 where some record matches much of the prompt, up to 1 where none has more than a word of it: then words
 * in common are accidents, and likeness of meaning decides the order.
 */
function uncertainty(
  chosen: ReadonlySet<number>,
  cover: Float32Array,
  exact: ReadonlySet<number>,
  looked: LookUp,
  config: RankerConfig,
): number {
  let most = 0;
  for (const slot of chosen) {
    if (exact.has(slot)) return 0;
    most = Math.max(most, cover[slot] as number);
  }
  const share = most / Math.max(looked.totalMass, 1e-9) / config.sureCoverage;
  const rareWords = most / Math.max(looked.rarest, 1e-9) / config.sureRareWords;
  return 1 - Math.min(1, Math.max(share, rareWords)) ** 4;
}

function byScore(a: Candidate, b: Candidate): number {
  return (
    b.score - a.score ||
    Date.parse(b.record.created_at) - Date.parse(a.record.created_at) ||
    (a.record.record_id < b.record.record_id ? -1 : 1)
  );
}

/** What a stale record would have scored speaks for the one that replaced it. */
function passToSuccessors(
  collection: Collection,
  own: Float32Array,
  scores: Float32Array,
  cover: Float32Array,
  config: RankerConfig,
): void {
  for (const [slot, successor] of collection.successors) {
    const score = own[slot] as number;
    if (score <= 0) continue;
    const heir = collection.heir(successor);
    if (heir === undefined) continue;
    scores[heir] = Math.max(
      scores[heir] as number,
      config.successorShare * score + 0.2 * (own[heir] as number),
    );
    cover[heir] = Math.max(cover[heir] as number, cover[slot] as number);
  }
}

/** Records beside a hit in its session gain. */
function spreadInSessions(
  collection: Collection,
  own: Float32Array,
  scores: Float32Array,
  config: RankerConfig,
): void {
  const sources = strongest(own, config.candidates);
  const base = Float32Array.from(sources, (slot) => own[slot] as number);
  const gains = new Map<number, number>();
  sources.forEach((slot, i) => {
    const members = collection.sessionOf(slot);
    if (members === undefined || members.length < 2) return;
    const at = members.indexOf(slot);
    for (let reach = 1; reach <= config.adjacencyReach; reach++) {
      const share = config.adjacency * config.adjacencyDecay ** (reach - 1) * (base[i] as number);
      const before = members[at - reach];
      const after = members[at + reach];
      if (before !== undefined) {
        gains.set(before, (gains.get(before) ?? 0) + share * near(collection, slot, before, config));
      }
      if (after !== undefined) {
        const gain = share * config.adjacencyForward * near(collection, slot, after, config);
        gains.set(after, (gains.get(after) ?? 0) + gain);
      }
    }
  });
  for (const [slot, amount] of gains) scores[slot] = (scores[slot] as number) + amount;
}

/** Cosine of a record, blended with its neighbours' by how close they are in time. */
function settingOf(
  collection: Collection,
  slot: number,
  similarities: Float32Array,
  config: RankerConfig,
): number {
  const members = collection.sessionOf(slot);
  let sum = similarities[slot] as number;
  if (members === undefined || members.length < 2) return sum;
  let weight = 1;
  const at = members.indexOf(slot);
  for (const neighbour of [members[at - 1], members[at + 1]]) {
    if (neighbour === undefined) continue;
    const share = config.semanticAdjacency * near(collection, slot, neighbour, config);
    sum += share * (similarities[neighbour] as number);
    weight += share;
  }
  return sum / weight;
}

/** 1 for records of the same moment, less the longer the pause between them. */
function near(collection: Collection, a: number, b: number, config: RankerConfig): number {
  const minutes = Math.abs((collection.times[a] as number) - (collection.times[b] as number)) / 60_000;
  return Math.exp(-minutes / config.adjacencyMinutes);
}

/** Slots of the highest values above zero, best first. */
export function strongest(values: Float32Array, count: number): number[] {
  let floor = 0;
  let picked: number[] = [];
  for (let slot = 0; slot < values.length; slot++) {
    if ((values[slot] as number) <= floor) continue;
    picked.push(slot);
    if (picked.length >= count * 2) {
      picked.sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
      picked = picked.slice(0, count);
      floor = values[picked[count - 1] as number] as number;
    }
  }
  return picked.sort((a, b) => (values[b] as number) - (values[a] as number) || a - b).slice(0, count);
}

function choose(
  query: ParsedQuery,
  collection: Collection,
  scores: Float32Array,
  similarities: Float32Array | undefined,
  situation: Situation,
  config: RankerConfig,
): Set<number> {
  const chosen = new Set(strongest(scores, config.candidates));
  if (similarities !== undefined)
    for (const slot of strongest(similarities, config.candidates / 4)) chosen.add(slot);
  if (query.ranges.length > 0) {
    let left = config.candidates;
    for (let slot = collection.times.length - 1; slot >= 0 && left > 0; slot--) {
      if (!inRanges(query, collection.times[slot] as number)) continue;
      chosen.add(slot);
      left--;
    }
  }
  if (query.dateOnly) {
    for (const slot of chosen) if (!inRanges(query, collection.times[slot] as number)) chosen.delete(slot);
  }
  for (const slot of chosen) {
    const dated = askedByDate(query, collection.times[slot] as number, situation.now);
    if (!isVisible(collection.records[slot], situation.includeStale || dated)) chosen.delete(slot);
  }
  return chosen;
}

function isVisible(record: MemoryRecord | undefined, stale: boolean): boolean {
  return record?.status === 'current' || (record?.status === 'superseded' && stale);
}

/** What held at a time that is over is told as it was then. */
function askedByDate(query: ParsedQuery, time: number, now: number): boolean {
  return query.ranges.some(({ from, to }) => to <= now && time >= from && time < to);
}

function inRanges(query: ParsedQuery, time: number): boolean {
  return query.ranges.some(({ from, to }) => time >= from && time < to);
}

type Intent = ReadonlySet<ObservationType | 'task'>;

const INTENTS: readonly (readonly [RegExp, ObservationType | 'task'])[] = [
  [
    /\b(?:why|decid\w*|decisions?|agreed|entsch(?:ied|eid)\w*|beschl(?:oss|uss)\w*|warum|reason\w*|chose|choose|chosen|rationale|instead of|rather than|argument\w*)\b|なぜ|理由|为什么|為什麼|决定|決定|決め/i,
    'decision',
  ],
  [
    /\b(?:error|errors|fail\w*|bug\w*|broke\w*|crash\w*|exception|problem\w*|issue\w*|fix\w*)\b|エラー|错误|报错|不具合|故障/i,
    'error',
  ],
  [
    /\b(?:prefer\w*|style|convention\w*|how should i|the way i like|which .* do i)\b|好み|规范/i,
    'preference',
  ],
  [/\b(?:session|summar\w*|wrap[- ]up|still open|left off|end of the day)\b/i, 'session_summary'],
];

const TASK =
  /^(?:\W|ok|okay|great|now|then|and|please|so|can you|could you|just|let's|let us|also|next|,|\s)*\b(?:add|create|make|write|implement|rename|move|refactor|run|push|commit|format|fix|update|install|remove|delete|replace|style|show|generate|build|convert|migrate|extract|split|change|finish|open|edit|use|set up|introduce|wrap|put|document|test|extend|bump|deploy|release|draft|prepare|merge|new)\b/i;

function intentOf(query: ParsedQuery): Intent {
  const intent = new Set<ObservationType | 'task'>();
  const head = query.text.slice(0, 400);
  for (const [pattern, type] of INTENTS) if (pattern.test(head)) intent.add(type);
  if (TASK.test(head)) intent.add('task');
  return intent;
}

function fuse(
  candidate: Candidate,
  score: number,
  best: number,
  unsure: number,
  query: ParsedQuery,
  intent: Intent,
  situation: Situation,
  config: RankerConfig,
): number {
  const { record, setting } = candidate;
  if (query.dateOnly) return scoreByDate(candidate, intent);
  const lexical = best > 0 ? (score / best) * (1 - config.lexicalDoubt * unsure) : 0;
  // The mean of a long text points nowhere in particular.
  const focus = Math.min(1, config.semanticWords / Math.max(1, query.wordCount));
  const meaning = (config.semantic + config.semanticUnsure * unsure) * focus;
  const semantic = Math.max(0, setting - config.semanticFloor) / (1 - config.semanticFloor);
  let relevance = lexical + meaning * semantic + (candidate.exact ? config.exact : 0);
  if (query.ranges.length > 0) {
    if (candidate.inRange) relevance = relevance * (1 + config.inRangeBoost) + config.rangeEvidence;
    else relevance *= config.outOfRange;
  }
  let prior = 1;
  if (intent.has(record.observation_type)) prior += config.typeIntent;
  if (record.observation_type === 'preference' && intent.has('task')) prior += config.preferenceForTasks;
  const age = Math.max(0, situation.now - Date.parse(record.valid_from)) / DAY;
  prior += config.recency * Math.exp(-age / config.recencyDays);
  prior += config.importance * (record.importance - 0.5);
  if (record.pinned) prior += config.pinned;
  if (record.branch !== undefined && record.branch === situation.branch) prior += config.branch;
  candidate.fileHit = situation.filesInPlay.find((file) =>
    record.files_touched.some((own) => samePath(own, file)),
  );
  if (candidate.fileHit !== undefined) prior += config.filesInPlay;
  if (record.status === 'superseded') prior *= 0.8;
  return relevance * prior;
}

const TELLING: Readonly<Record<ObservationType, number>> = {
  decision: 1,
  session_summary: 0.95,
  error: 0.9,
  discovery: 0.85,
  pattern: 0.8,
  preference: 0.8,
  tool_use: 0.65,
};

/** Where a time alone is asked for: what was decided then, or whatever tells most. */
function scoreByDate({ record, inRange }: Candidate, intent: Intent): number {
  if (!inRange) return 0;
  const telling = TELLING[record.observation_type] + 0.1 * record.importance;
  return intent.has('decision') && record.observation_type !== 'decision' ? telling / 2 : telling;
}

function samePath(a: string, b: string): boolean {
  const left = a.replaceAll('\\', '/').toLowerCase();
  const right = b.replaceAll('\\', '/').toLowerCase();
  return left === right || left.endsWith(`/${right}`) || right.endsWith(`/${left}`);
}
