import type { ExtractionRule } from './extractor';
import { statementsIn } from './statements';
import { draftOfStatement } from './user-statement';

/** Standing rules in the user's own words: "always", "from now on", "remember: …", in four languages. */
export const preferenceRule: ExtractionRule = {
  name: 'preference',
  apply(context) {
    return statementsIn(context.view)
      .filter((statement) => statement.kind === 'preference')
      .map((statement, index) =>
        draftOfStatement(statement, context, {
          rule: 'preference',
          type: 'preference',
          importance: 0.8,
          index,
        }),
      )
      .filter((draft) => draft !== undefined);
  },
};
