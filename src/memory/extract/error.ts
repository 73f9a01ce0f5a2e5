import type { ExtractedDraft } from './extracted-draft';
import { draftFix } from './fixed-failure';
import type { ExtractionRule } from './extractor';
import { runsAgain } from './commands';
import { laterSuccess, type Failure, type TurnView } from './turn-view';
import { draftFrom, excerptAround } from './draft-builder';
import { tellingSentences } from './turn-view';
import { isTellingError } from './literals';

/** How far back a failure may lie that this turn overcame. */
const TURNS_BACK = 3;

/**
 * Failures that span turns: one of an earlier turn that this one overcame, and one that comes back unsolved.
 */
export const errorRule: ExtractionRule = {
  name: 'error',
  apply({ view, earlier, viewOf }) {
    const before = earlier.slice(-TURNS_BACK).map(viewOf);
    return [...overcome(view, before), ...persisting(view, before)];
  },
};

function overcome(view: TurnView, before: readonly TurnView[]): ExtractedDraft[] {
  const drafts: ExtractedDraft[] = [];
  for (const past of before) {
    past.failures.forEach((failure, index) => {
      const command = failure.use.command;
      if (command === undefined || failure.lines.length === 0 || laterSuccess(failure, past.uses)) return;
      const rerun = view.uses.find(
        (use) => use.command !== undefined && use.success === true && runsAgain(command, use.command),
      );
      if (rerun === undefined) return;
      const joined: TurnView = { ...view, sources: [...past.sources, ...view.sources] };
      const draft = draftFix(joined, failure, rerun, index, [...past.uses, ...view.uses]);
      if (draft) drafts.push(draft);
    });
  }
  return drafts;
}

/** The same command failed with the same words in two turns and nothing has helped so far. */
function persisting(view: TurnView, before: readonly TurnView[]): ExtractedDraft[] {
  const drafts: ExtractedDraft[] = [];
  for (const failure of view.failures) {
    if (failure.lines.length === 0 || !isTellingError(failure.lines) || laterSuccess(failure, view.uses))
      continue;
    const again = before.some((past) => past.failures.some((other) => sameFailure(other, failure)));
    if (!again) continue;
    const said = tellingSentences(view.answer, view.external).slice(0, 2);
    const draft = draftFrom(
      {
        key: failure.use.event.event_id,
        rule: 'error',
        type: 'error',
        title: failure.lines[0] ?? '',
        summary: [`\`${failure.use.command ?? failure.use.name}\` keeps failing.`, ...said].join(' '),
        facts: failure.lines.slice(1, 3),
        files: [],
        evidence: [
          { event: failure.use.event, excerpt: excerptAround(failure.use.output, failure.lines[0] ?? '') },
          ...(view.turn.summary
            ? [{ event: view.turn.summary, excerpt: said.join(' ') || view.answer }]
            : []),
        ],
        origin: 'tool_output',
        importance: 0.55,
      },
      view,
    );
    if (draft) drafts.push(draft);
  }
  return drafts;
}

function sameFailure(a: Failure, b: Failure): boolean {
  if (a.use.command === undefined || b.use.command === undefined) return false;
  return runsAgain(a.use.command, b.use.command) && a.lines[0] === b.lines[0];
}
