import { stem } from '../text/stems';
import {
  ACTIVITY_WORDS,
  CJK_ACTIVITY,
  CJK_CONVERSATION,
  CONVERSATION_WORDS,
  REQUEST_WORDS,
} from '../text/stop-words';
import { isGerman } from '../text/german';
import { findTimeRanges, type TimeRange } from '../text/time-words';
import { squash, tokenize, type Token } from '../text/tokenizer';
import type { Collection } from './collection';
import { germanSpellings, type Spellings } from './german-spellings';
import { pruneLog } from './log-lines';
import { passagesOf, type Passage } from './passages';
import type { RankerConfig } from './ranker-config';

/** Prompts longer than this many words tell a story: time words in them seldom ask for a time. */
const STORY_WORDS = 60;

/** A term to look up, with its weight in this query. */
export interface QueryTerm {
  term: number;
  text: string;
  weight: number;
  idf: number;
  /** Share of the prompt's informative mass that a match accounts for. */
  mass: number;
  /** A whole identifier or code, as the user wrote it. */
  exact: boolean;
}

/** What a prompt asks for, as far as its words tell. */
export interface ParsedQuery {
  text: string;
  tokens: Token[];
  ranges: TimeRange[];
  /** Nothing but steering of the conversation ("yes", "continue", 好的). */
  trivial: boolean;
  /** A question about a time and nothing else: what that time holds is the answer. */
  dateOnly: boolean;
  /** Sentences of a long prompt; none where it is short, or a log. */
  passages: Passage[];
  german: boolean;
  wordCount: number;
}

/** Terms of a parsed query against one collection. */
export interface LookUp {
  terms: QueryTerm[];
  /** Informative mass of the prompt's terms, known or not. */
  totalMass: number;
  /** Best score that a record could reach. */
  ideal: number;
  /** Weight of a word that one record alone has. */
  rarest: number;
}

/** Reads a prompt: what it names, which time it means, whether it asks for anything at all. */
export function parseQuery(text: string, now: number, timeZone: string): ParsedQuery {
  const pruned = pruneLog(text);
  const wordCount = tokenize(pruned).length;
  const ranges = wordCount <= STORY_WORDS ? findTimeRanges(pruned, now, timeZone) : [];
  const rest = blankOut(pruned, ranges);
  const tokens = tokenize(rest).filter((token) => !token.stop);
  const dateOnly = ranges.length > 0 && asksForTimeAlone(rest, tokens);
  return {
    text: pruned,
    tokens: dateOnly ? [] : tokens,
    ranges,
    trivial: !dateOnly && isTrivial(pruned, tokens),
    dateOnly,
    passages: wordCount > STORY_WORDS ? passagesOf(pruned) : [],
    german: isGerman(pruned),
    wordCount,
  };
}

const ASKS =
  /\b(?:what|which|anything|show|list|recap|summar\w*|tell|remind|was|woran|welche[rsn]?|zeige?|wie|wof.r)\b|何|なに|什么|什麼|甚麼|哪些|教えて|[?？]/i;

function asksForTimeAlone(rest: string, tokens: readonly Token[]): boolean {
  if (!ASKS.test(rest)) return false;
  return tokens.every(
    (token) =>
      ACTIVITY_WORDS.has(token.text.toLowerCase()) ||
      (token.pairs && token.text.replace(CJK_ACTIVITY, '') === ''),
  );
}

function blankOut(text: string, ranges: readonly TimeRange[]): string {
  let rest = text;
  for (const { start, end } of ranges)
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  return rest;
}

function isTrivial(text: string, tokens: readonly Token[]): boolean {
  if (tokens.length === 0) return true;
  if (tokens.length > 12) return false;
  let rest = text;
  for (const phrase of CJK_CONVERSATION) {
    if (/[^\p{ASCII}]/u.test(rest)) rest = rest.replaceAll(phrase, ' ');
  }
  const left = rest === text ? tokens : tokenize(rest).filter((token) => !token.stop);
  return left.every(
    (token) => CONVERSATION_WORDS.has(token.text.toLowerCase()) || /^\d{1,2}$/.test(token.text),
  );
}

function passageAt(passages: readonly Passage[], at: number): number {
  return passages.findIndex(({ start, end }) => at >= start && at < end);
}

const NONE: Spellings = { forms: [], parts: [] };

interface Draft {
  exact: boolean;
  weight: number;
  mass: number;
  id: number;
  idf: number;
}

/** Finds the terms of a query in a collection and weighs them. */
export function lookUp(query: ParsedQuery, collection: Collection, config: RankerConfig): LookUp {
  const size = Math.max(collection.size, config.minCollection);
  const idfOf = (id: number): number => {
    const frequency = id < 0 ? 0 : collection.postings.frequency(id);
    return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
  };
  const isKnown = (term: string): boolean => {
    const id = collection.lexicon.idOf(term);
    return id >= 0 && collection.postings.frequency(id) > 0;
  };
  const drafts = new Map<string, Draft>();
  const add = (term: string, weight: number, mass: number, exact = false): void => {
    const known = drafts.get(term);
    if (known !== undefined) {
      known.weight += weight * 0.3;
      return;
    }
    const id = collection.lexicon.idOf(term);
    drafts.set(term, { weight, mass, id, idf: idfOf(id), exact });
  };
  let unknown = 0;
  const seen = new Set<string>();
  for (const token of query.tokens) {
    const at = passageAt(query.passages, token.start);
    const cue = (query.passages[at]?.cue ?? 1) ** config.passageCue;
    const share = wordShare(token, config) * cue;
    const boost = token.identifier ? config.identifierBoost : 1;
    const spellings = spellingsOf(token).filter((term) => isKnown(term));
    const wholeKnown = spellings.length > 0;
    const fresh = !seen.has(token.whole + token.text);
    seen.add(token.whole + token.text);
    if (token.parts.length === 0) {
      spellings.forEach((term, i) => add(term, share * boost, i === 0 ? share : 0, token.identifier));
      if (wholeKnown) continue;
      const others = query.german ? germanSpellings(token.text, isKnown) : NONE;
      others.forms.forEach((term, i) => add(term, share, i === 0 ? share : 0));
      for (const term of others.parts) add(term, share, share / others.parts.length);
      if (others.forms.length + others.parts.length === 0 && fresh && !looksRandom(token.text))
        unknown += share * idfOf(-1);
      continue;
    }
    spellings.forEach((term, i) => add(term, share * boost, i === 0 ? share : 0, token.identifier));
    const partShare = share * partWeight(token, wholeKnown, config);
    for (const part of token.parts) {
      if (isKnown(part)) add(part, partShare, wholeKnown ? 0 : partShare);
      else if (fresh && !wholeKnown && !looksRandom(part)) unknown += partShare * idfOf(-1);
    }
  }
  for (const joined of joinedWords(query.tokens)) {
    const id = collection.lexicon.idOf(joined);
    if (id >= 0 && collection.postings.frequency(id) > 0 && !drafts.has(joined))
      add(joined, config.joinedBoost, 0);
  }
  return finish(drafts, collection, unknown, Math.log(1 + (size - 0.5) / 1.5), config);
}

/** `pg-bouncer` is also looked up as a word would be, and `pgbouncer` as an identifier would be. */
function spellingsOf(token: Token): string[] {
  if (token.whole === '') return [];
  const other = token.parts.length > 0 ? stem(token.whole) : squash(token.text);
  return other === '' || other === token.whole ? [token.whole] : [token.whole, other];
}

/** Parts of a known identifier add little; those of an unknown one, or pairs of characters, are all there is. */
function partWeight(token: Token, wholeKnown: boolean, config: RankerConfig): number {
  if (token.pairs) return config.pairWeight;
  return wholeKnown ? config.partWeight : Math.max(config.partWeight, 1 / Math.sqrt(token.parts.length));
}

function finish(
  drafts: ReadonlyMap<string, Draft>,
  collection: Collection,
  unknown: number,
  rarest: number,
  config: RankerConfig,
): LookUp {
  const terms = [...drafts]
    .map(([text, { weight, mass, id, idf, exact }]) => ({
      term: id,
      text,
      weight,
      idf,
      mass: mass * idf,
      exact,
    }))
    .filter(({ term }) => term >= 0)
    .sort((a, b) => b.weight * b.idf - a.weight * a.idf || (a.text < b.text ? -1 : 1));
  terms.length = affordable(terms, collection, config);
  let totalMass = unknown;
  let ideal = 0;
  for (const term of terms) {
    totalMass += term.mass;
    ideal += term.weight * term.idf;
  }
  return { terms, totalMass, ideal, rarest };
}

/** How many terms, best first, are searched for: more than `maxTerms` only while their lists are short. */
function affordable(terms: readonly QueryTerm[], collection: Collection, config: RankerConfig): number {
  let postings = 0;
  for (let n = 0; n < terms.length; n++) {
    postings += collection.postings.frequency((terms[n] as QueryTerm).term);
    if (n >= config.maxTerms && (postings > config.maxPostings || n >= 4 * config.maxTerms)) return n;
  }
  return terms.length;
}

function wordShare(token: Token, config: RankerConfig): number {
  const lower = token.text.toLowerCase();
  if (REQUEST_WORDS.has(lower) || CONVERSATION_WORDS.has(lower)) return config.requestWordWeight;
  if (/^\d{1,2}$/.test(lower)) return 0.5;
  return 1;
}

/** Hashes, addresses and counters of a paste are no words: missing them says nothing. */
function looksRandom(text: string): boolean {
  return /^[0-9a-f-]{12,}$/i.test(text) || /^\d{4,}$/.test(text) || text.length > 40;
}

/** Neighbouring words written as one: `parse order lines` finds `parseOrderLines`. */
function joinedWords(tokens: readonly Token[]): Set<string> {
  const joined = new Set<string>();
  for (let i = 0; i + 1 < tokens.length && i < 80; i++) {
    let text = '';
    for (let n = 0; n < 4 && i + n < tokens.length; n++) {
      const piece = tokens[i + n]?.text.toLowerCase() ?? '';
      if (!/^[a-z0-9]+$/.test(piece)) break;
      text += piece;
      if (n > 0) joined.add(squash(text));
      if (n === 1) joined.add(stem(text));
    }
  }
  return joined;
}
