import { LIMITS } from '../../contract/limits';
import type { ObservationType } from '../../contract/memory-record';
import { draftFrom, type Finding } from './draft-builder';
import type { ExtractedDraft, Replacement } from './extracted-draft';
import type { RuleContext } from './extractor';
import { changedValue, replacementsIn } from './replacements';
import type { Statement } from './statements';
import { requestOf, type TurnView } from './turn-view';
import { eventText } from './event-text';
import { clip, joinSentences } from './sentences';
import { commandGist, purpose } from './commands';
import { wentThrough } from './tool-use';

/** Longer statements are titled by their leading sentence. */
const TITLE_WHOLE = 160;

export interface StatementDraft {
  rule: string;
  type: ObservationType;
  importance: number;
  index: number;
  /** Names what the statement answers; its event is cited. */
  about?: { text: string; view: TurnView };
  /** What it is about, for finding it only: the text may not hold any more. */
  subject?: string;
}

/** Shorter statements name no subject. */
const SHORT_WORDS = 8;

/** Too short to be understood without what it answers. */
export function isShort({ sentences }: Statement): boolean {
  const words = joinSentences(sentences);
  return words.split(/\s+/).length <= SHORT_WORDS && !/[\u3040-\u9fff]{8}/.test(words);
}

/** A record of what the user laid down, in the user's own words. */
export function draftOfStatement(
  statement: Statement,
  context: RuleContext,
  draft: StatementDraft,
): ExtractedDraft | undefined {
  const { view } = context;
  const words = joinSentences(statement.sentences);
  const finding: Finding = {
    key: `${statement.event.event_id}:${draft.index}`,
    rule: draft.rule,
    type: draft.type,
    title: words.length <= TITLE_WHOLE ? words : clip(statement.lead, 200),
    summary: words,
    facts: [],
    files: view.edited,
    concepts: [...(draft.subject ? [clip(draft.subject, LIMITS.conceptChars)] : []), ...commandNames(view)],
    evidence: [{ event: statement.event, excerpt: words }],
    origin: 'user_words',
    importance: draft.importance,
    replaces: replacementsOf(statement, view),
  };
  const about = draft.about;
  const aboutEvent = about?.view.prompts[0]?.event ?? about?.view.turn.summary;
  if (about && aboutEvent && about.text !== '') {
    finding.facts.push(about.text);
    finding.evidence.push({ event: aboutEvent, excerpt: eventText(aboutEvent) });
  }
  return draftFrom(finding, view, about ? [about.view] : []);
}

/** What the turn's commands are for and how they are called: the words of a later question. */
function commandNames(view: TurnView): string[] {
  const commands = view.ran.map((use) => use.command ?? '');
  const aims = commands.map(purpose).filter((aim) => aim !== undefined && aim !== 'tests') as string[];
  return [...new Set(aims)].slice(0, 2).concat([...new Set(commands.map(commandGist))].slice(0, 2));
}

/** What the words, and the edits made at the user's word, say gave way. */
export function replacementsOf(statement: Statement, view: TurnView): Replacement[] {
  const edits = view.uses
    .filter((use) => use.effect === 'edit' && wentThrough(use))
    .map(changedValue)
    .filter((change) => change !== undefined);
  return [...statement.sentences.flatMap(replacementsIn), ...edits];
}

/** The request before, in one line, for statements that only make sense beside it. */
export function requestLine(view: TurnView | undefined): string {
  return view ? clip(requestOf(view), 180) : '';
}
