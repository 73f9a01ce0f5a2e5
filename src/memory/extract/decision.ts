import { draftFrom } from './draft-builder';
import type { ExtractedDraft } from './extracted-draft';
import type { ExtractionRule, RuleContext } from './extractor';
import { replacementsIn } from './replacements';
import { clip, joinSentences } from './sentences';
import { matchesAny, phrasesFor } from './speech';
import { statementsIn, type Statement } from './statements';
import { tellingSentences, type TurnView } from './turn-view';
import { draftOfStatement, isShort, replacementsOf, requestLine } from './user-statement';

/** What was chosen and why, by the user's words or by the user's consent to a proposal of the agent. */
export const decisionRule: ExtractionRule = {
  name: 'decision',
  apply(context) {
    const drafts = statementsIn(context.view).map((statement, index) => {
      if (statement.kind === 'decision') return decided(statement, context, index);
      if (statement.kind === 'approval') return approved(statement, context, index);
      return undefined;
    });
    return drafts.filter((draft) => draft !== undefined);
  },
};

function decided(statement: Statement, context: RuleContext, index: number): ExtractedDraft | undefined {
  const { previous } = context;
  // A short decision names no subject: it is kept beside the question that it answers.
  const asked =
    previous && isShort(statement)
      ? clip(`${requestLine(previous)} ${firstTelling(previous)}`.trim(), 300)
      : '';
  return draftOfStatement(statement, context, {
    rule: 'decision',
    type: 'decision',
    importance: 0.75,
    index,
    ...(previous && asked !== '' ? { about: { text: `(in answer to: ${asked})`, view: previous } } : {}),
  });
}

/**
 * The agent's proposal that the user took. The content is the agent's, so the origin is too; the consent is
 * cited.
 */
function approved(statement: Statement, context: RuleContext, index: number): ExtractedDraft | undefined {
  const { previous, view } = context;
  const proposed = previous?.turn.summary;
  if (!previous || !proposed || hasSummary(previous)) return undefined;
  const proposals = tellingSentences(previous.answer, previous.external).filter((sentence) =>
    matchesAny(phrasesFor(sentence).proposal, sentence.toLowerCase()),
  );
  const [lead] = proposals;
  if (lead === undefined) return undefined;
  const words = joinSentences(statement.sentences);
  return draftFrom(
    {
      key: `${statement.event.event_id}:${index}`,
      rule: 'decision',
      type: 'decision',
      title: lead,
      summary: joinSentences(proposals.slice(0, 2)),
      facts: [words],
      files: [...previous.edited, ...view.edited],
      evidence: [
        { event: proposed, excerpt: joinSentences(proposals.slice(0, 2)) },
        { event: statement.event, excerpt: words },
      ],
      origin: previous.external ? 'external' : 'agent_words',
      importance: 0.65,
      validFrom: statement.event.valid_time,
      replaces: [...proposals.flatMap(replacementsIn), ...replacementsOf(statement, view)],
    },
    view,
    [previous],
  );
}

/** The turn of the proposal acted on it: what was chosen stands in its summary. */
function hasSummary(view: TurnView): boolean {
  return view.changed || view.failures.length > 0;
}

function firstTelling(view: TurnView): string {
  return tellingSentences(view.answer, view.external)[0] ?? '';
}
