import type { ExtractionRule } from './extractor';
import { statementsIn } from './statements';
import { draftOfStatement, requestLine } from './user-statement';

/** "No, …": what the user put right, beside the request that had gone wrong. */
export const correctionRule: ExtractionRule = {
  name: 'correction',
  apply(context) {
    const { previous } = context;
    return statementsIn(context.view)
      .filter((statement) => statement.kind === 'correction')
      .map((statement, index) =>
        draftOfStatement(statement, context, {
          rule: 'correction',
          type: 'preference',
          importance: 0.85,
          index,
          ...(previous && !statement.selfContained
            ? { about: { text: `(about the request: ${requestLine(previous)})`, view: previous } }
            : {}),
        }),
      )
      .filter((draft) => draft !== undefined);
  },
};
