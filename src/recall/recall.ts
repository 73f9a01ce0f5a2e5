import type { Clock } from '../contract/clock';
import type { InjectedRecord } from '../contract/injection';
import { LIMITS } from '../contract/limits';
import type { MemoryRecord } from '../contract/memory-record';
import { abstain } from './abstention';
import { contextBlock, recordLine, sizeOf } from './context';
import type { Embedder } from './embedding/embedder';
import { parseQuery, type ParsedQuery } from './query';
import { rank, type Candidate, type Ranking, type Situation } from './ranker';
import { DEFAULT_RANKER, rankerHash, type RankerConfig } from './ranker-config';
import type { RecordIndex } from './record-index';
import { explain } from './reasons';
import { selectForInjection } from './selection';

export interface SearchQuery {
  namespaces: string[];
  text: string;
  limit: number;
  filesInPlay?: string[];
  branch?: string;
  sessionId?: string;
  /** Milliseconds since 1970; the clock's time where absent. */
  now?: number;
  /** Superseded records too, marked by their status. */
  includeStale?: boolean;
  /** Give nothing rather than weak matches. */
  floor?: boolean;
}

export interface RankedRecord {
  record: MemoryRecord;
  score: number;
  /** Short, for people. */
  reasons: string[];
}

export interface RecallRequest {
  namespaces: string[];
  prompt: string;
  sessionId: string;
  filesInPlay?: string[];
  branch?: string;
  now?: number;
  /** The installation's fence key. */
  key: string;
  /** `record_id` to the `updated_at` that this session has seen. */
  alreadyShown: ReadonlyMap<string, string>;
  neverAgain: ReadonlySet<string>;
  notUseful?: ReadonlySet<string>;
  budget?: { tokens?: number; bytes?: number; records?: number };
}

export interface RecallAnswer {
  /** What the agent is given; empty where nothing is. */
  context: string;
  records: InjectedRecord[];
  left_out: InjectedRecord[];
  abstained?: string;
  bytes: number;
  tokens: number;
}

interface RecallDeps {
  index: RecordIndex;
  embedder?: Embedder;
  clock: Clock;
  /** IANA name; the system's where absent. */
  timeZone?: string;
  config?: Partial<RankerConfig>;
}

const MAX_INJECTED = 4;

/** Finds the records that answer a prompt, and makes the block that the agent reads. */
export class Recall {
  readonly config: RankerConfig;
  /** Changes with any number that ranking depends on. */
  readonly ranker: string;
  private readonly timeZone: string;

  constructor(private readonly deps: RecallDeps) {
    this.config = { ...DEFAULT_RANKER, ...deps.config };
    this.ranker = rankerHash(this.config);
    this.timeZone = deps.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  }

  /**
   * Makes up to `most` vectors that are missing, for idle moments between searches: 1,000 take some tens of
   * milliseconds. True when none is missing any more.
   */
  prepare(most: number): boolean {
    const { embedder, index } = this.deps;
    return embedder === undefined || index.fillVectors(embedder, most) < most;
  }

  /** The best `limit` records of the namespaces, best first. Any text is a valid query. */
  search(query: SearchQuery): RankedRecord[] {
    const now = query.now ?? this.deps.clock.now();
    const parsed = parseQuery(query.text, now, this.timeZone);
    const ranking = this.rankAll(parsed, query.namespaces, this.situation(query, now));
    if (query.floor && abstain(parsed, ranking, this.config) !== undefined) return [];
    return ranking.candidates.slice(0, query.limit).map((candidate) => ({
      record: candidate.record,
      score: round(candidate.score),
      reasons: explain(candidate, parsed, this.config),
    }));
  }

  /** What to tell the agent before it reads the prompt. */
  recall(request: RecallRequest): RecallAnswer {
    const now = request.now ?? this.deps.clock.now();
    const parsed = parseQuery(request.prompt, now, this.timeZone);
    const ranking = this.rankAll(parsed, request.namespaces, this.situation(request, now));
    const abstained = abstain(parsed, ranking, this.config);
    if (abstained !== undefined) return nothing(abstained);
    const { picked, passed } = selectForInjection(ranking.candidates, {
      ...request,
      maxRecords: request.budget?.records ?? MAX_INJECTED,
      config: this.config,
    });
    if (picked.length === 0) return { ...nothing('everything that matches was shown already'), left_out: [] };
    return this.assemble(picked, passed, parsed, request);
  }

  private assemble(
    picked: readonly Candidate[],
    passed: readonly Candidate[],
    parsed: ParsedQuery,
    request: RecallRequest,
  ): RecallAnswer {
    const maxBytes = request.budget?.bytes ?? LIMITS.injectionBytes;
    const maxTokens = request.budget?.tokens ?? LIMITS.injectionTokens;
    const lines: string[] = [];
    const kept: Candidate[] = [];
    const left = [...passed];
    for (const candidate of picked) {
      const size = sizeOf(contextBlock([...lines, recordLine(candidate.record)], request.key));
      if (size.bytes > maxBytes || size.tokens > maxTokens) {
        left.unshift(candidate);
        continue;
      }
      lines.push(recordLine(candidate.record));
      kept.push(candidate);
    }
    const context = contextBlock(lines, request.key);
    const describe = (candidate: Candidate): InjectedRecord => ({
      record_id: candidate.record.record_id,
      title: candidate.record.title,
      score: round(candidate.score),
      reasons: explain(candidate, parsed, this.config),
    });
    const answer = {
      context,
      records: kept.map(describe),
      left_out: left.slice(0, 10).map(describe),
      ...sizeOf(context),
    };
    return kept.length === 0 ? { ...answer, abstained: 'what matches does not fit the budget' } : answer;
  }

  private situation(
    from: { filesInPlay?: string[]; branch?: string; sessionId?: string; includeStale?: boolean },
    now: number,
  ): Situation {
    return {
      now,
      filesInPlay: from.filesInPlay ?? [],
      branch: from.branch,
      sessionId: from.sessionId,
      includeStale: from.includeStale ?? false,
    };
  }

  private rankAll(parsed: ParsedQuery, namespaces: readonly string[], situation: Situation): Ranking {
    const rankings = namespaces.flatMap((namespace) => {
      const collection = this.deps.index.collection(namespace);
      return collection === undefined
        ? []
        : [rank(parsed, collection, situation, this.config, this.deps.embedder)];
    });
    const [first = { candidates: [], looked: { terms: [], totalMass: 0, ideal: 0, rarest: 0 } }, ...others] =
      rankings;
    if (others.length === 0) return first;
    const candidates = rankings.flatMap((ranking) => ranking.candidates);
    candidates.sort((a, b) => b.score - a.score || (a.record.record_id < b.record.record_id ? -1 : 1));
    return { candidates, looked: first.looked };
  }
}

function nothing(abstained: string): RecallAnswer {
  return { context: '', records: [], left_out: [], abstained, bytes: 0, tokens: 0 };
}

function round(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
