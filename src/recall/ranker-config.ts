import { createHash } from 'node:crypto';

export const FIELDS = ['title', 'summary', 'facts', 'concepts', 'files'] as const;
export type Field = (typeof FIELDS)[number];

/** Every number that ranking depends on. Tuned on data, the same for every data set. */
export interface RankerConfig {
  /** How much a word counts in each field. */
  fieldWeight: Record<Field, number>;
  /** Lengths in terms at which a field is neither favoured nor penalised. */
  fieldPivot: Record<Field, number>;
  lengthPenalty: number;
  saturation: number;
  /** Records are never thought rarer than in a collection of this size, so that few behave like many. */
  minCollection: number;
  identifierBoost: number;
  partWeight: number;
  pairWeight: number;
  requestWordWeight: number;
  joinedBoost: number;
  /** For a record that holds an identifier of the prompt whole. */
  exact: number;
  /** The most terms of a prompt that are searched for; the most informative ones stay ... */
  maxTerms: number;
  /** ... and up to four times as many where their records number no more than this. */
  maxPostings: number;
  /** Power of a sentence's cue in the weight of its words. */
  passageCue: number;
  candidates: number;
  adjacency: number;
  adjacencyDecay: number;
  adjacencyReach: number;
  /** How much more the record after a hit gains than the one before. */
  adjacencyForward: number;
  /** A pause of this length lets the gain fall to a third. */
  adjacencyMinutes: number;
  successorShare: number;
  inRangeBoost: number;
  outOfRange: number;
  rangeEvidence: number;
  recency: number;
  recencyDays: number;
  importance: number;
  pinned: number;
  typeIntent: number;
  preferenceForTasks: number;
  filesInPlay: number;
  branch: number;
  sameSession: number;
  /** The most missing vectors that one search makes; the rest is made between searches. */
  vectorsPerSearch: number;
  /** A record that matches this share of the prompt's mass, or so many rare words, makes words reliable. */
  sureCoverage: number;
  sureRareWords: number;
  /** Share that words in common lose where they are not reliable. */
  lexicalDoubt: number;
  /** Weight of meaning beside words, and what is added to it where words are not reliable. */
  semantic: number;
  semanticUnsure: number;
  /** Prompts of more words than this have less of a meaning of their own. */
  semanticWords: number;
  /** Share of a neighbour's likeness that counts for a record. */
  semanticAdjacency: number;
  /** Cosine below which two texts are strangers. */
  semanticFloor: number;
  /** Share of the prompt's informative words that one record must match ... */
  floorCoverage: number;
  /** ... or as many rare words' worth of them ... */
  floorRareWords: number;
  /** ... or this cosine, together with some match in words. */
  floorSemantic: number;
  /** How much lower that cosine may be for each word beyond four, up to eight. */
  floorSemanticPerWord: number;
  /** What is added to it for German prompts, whose words all seem alike to an English table. */
  floorGerman: number;
  floorMatch: number;
  floorInRange: number;

  /** Records below this share of the best are not injected. */
  injectShare: number;
  diversity: number;
}

export const DEFAULT_RANKER: Readonly<RankerConfig> = {
  fieldWeight: { title: 2.2, summary: 1, facts: 1, concepts: 1.6, files: 1.2 },
  fieldPivot: { title: 10, summary: 24, facts: 16, concepts: 4, files: 8 },
  lengthPenalty: 0.5,
  saturation: 1.2,
  minCollection: 400,
  identifierBoost: 1.4,
  partWeight: 0.5,
  pairWeight: 1,
  requestWordWeight: 0.6,
  joinedBoost: 1,
  exact: 0.1,
  maxTerms: 40,
  maxPostings: 20_000,
  passageCue: 0.7,
  candidates: 200,
  adjacency: 0.45,
  adjacencyDecay: 0.5,
  adjacencyReach: 2,
  adjacencyForward: 1.5,
  adjacencyMinutes: 30,
  successorShare: 0.8,
  inRangeBoost: 0.8,
  outOfRange: 0.4,
  rangeEvidence: 0.15,
  recency: 0.02,
  recencyDays: 60,
  importance: 0.05,
  pinned: 0.05,
  typeIntent: 0.12,
  preferenceForTasks: 0.28,
  filesInPlay: 0.3,
  branch: 0.05,
  sameSession: 0.05,
  vectorsPerSearch: 500,
  sureCoverage: 0.5,
  sureRareWords: 3,
  lexicalDoubt: 1,
  semantic: 0.45,
  semanticUnsure: 1.3,
  semanticWords: 40,
  semanticAdjacency: 0.25,
  semanticFloor: 0.1,
  floorCoverage: 0.4,
  floorRareWords: 1.6,
  floorSemantic: 0.42,
  floorSemanticPerWord: 0.03,
  floorGerman: 0.25,
  floorMatch: 0.05,
  floorInRange: 0.2,
  injectShare: 0.55,
  diversity: 0.7,
};

/** Twelve hex digits that change with any number of the configuration. */
export function rankerHash(config: RankerConfig): string {
  return createHash('sha256').update(JSON.stringify(config, sortedKeys)).digest('hex').slice(0, 12);
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
