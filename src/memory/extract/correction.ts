import type { ExtractionRule, RuleContext } from './extractor';
import { statementsIn, type Statement } from './statements';
import { draftOfStatement, isShort, requestLine, type StatementDraft } from './user-statement';

/** "No, …": what the user put right; where it is too short to stand alone, beside the request that went wrong. */
export const correctionRule: ExtractionRule = {
  name: 'correction',
  apply(context) {
    return statementsIn(context.view)
      .filter((statement) => statement.kind === 'correction')
      .map((statement, index) =>
        draftOfStatement(statement, context, {
          rule: 'correction',
          type: 'preference',
          importance: 0.85,
          index,
          ...wentWrong(statement, context),
        }),
      )
      .filter((draft) => draft !== undefined);
  },
};

function wentWrong(
  statement: Statement,
  { previous }: RuleContext,
): Pick<StatementDraft, 'about' | 'subject'> {
  if (!previous || statement.selfContained) return {};
  const request = requestLine(previous);
  if (!isShort(statement)) return { subject: request };
  return { about: { text: `(about the request: ${request})`, view: previous } };
}
