import type { Turn } from '../turn';
import type { ExtractedDraft } from './extracted-draft';
import { correctionRule } from './correction';
import { decisionRule } from './decision';
import { delegateRule } from './delegate';
import { discoveryRule } from './discovery';
import { errorRule } from './error';
import { fixedFailureRule } from './fixed-failure';
import { patternRule } from './pattern';
import { preferenceRule } from './preference';
import { turnSummaryRule } from './turn-summary';
import { viewTurn, type TurnView } from './turn-view';

/** What recurs: a command line (its key), or files that are edited together (their paths, sorted). */
export type RecurrenceKind = 'command' | 'files';

export interface ExtractContext {
  /** Earlier turns of the session, newest last, bounded by the caller. */
  earlier: readonly Turn[];
  /** In how many earlier turns of the project something was seen; see `RecurrenceCounter`. */
  recurrence(kind: RecurrenceKind, key: string): number;
  /** ISO 8601. */
  now: string;
}

/** What a rule gets to see. */
export interface RuleContext extends ExtractContext {
  view: TurnView;
  /** Reads an earlier turn, each once. */
  viewOf(turn: Turn): TurnView;
  /** The turn before, where the session has one. */
  previous?: TurnView;
}

/** One way in which a turn teaches something. Pure and deterministic. */
export interface ExtractionRule {
  readonly name: string;
  apply(context: RuleContext): ExtractedDraft[];
}

const RULES: readonly ExtractionRule[] = [
  correctionRule,
  preferenceRule,
  decisionRule,
  fixedFailureRule,
  errorRule,
  turnSummaryRule,
  discoveryRule,
  delegateRule,
  patternRule,
];

/** Makes record drafts from turns without any model (pains 65 to 68: no call, no cost, no quota). */
export class Extractor {
  /** Turns that were read already; they go with their turns. */
  private readonly views = new WeakMap<Turn, TurnView>();

  constructor(private readonly rules: readonly ExtractionRule[] = RULES) {}

  /** Drafts of one turn, oldest evidence first in each; the same turn gives the same drafts. */
  extract(turn: Turn, context: ExtractContext): ExtractedDraft[] {
    const before = context.earlier.at(-1);
    const viewOf = (read: Turn): TurnView => this.viewOf(read);
    const shared: RuleContext = { ...context, view: viewOf(turn), viewOf };
    if (before) shared.previous = viewOf(before);
    return this.rules.flatMap((rule) => rule.apply(shared));
  }

  private viewOf(turn: Turn): TurnView {
    const known = this.views.get(turn);
    if (known) return known;
    const view = viewTurn(turn);
    this.views.set(turn, view);
    return view;
  }
}
