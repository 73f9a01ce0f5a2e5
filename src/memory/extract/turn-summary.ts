import { draftFrom } from './draft-builder';
import type { ExtractionRule, RuleContext } from './extractor';
import { commandKey, purpose } from './commands';
import { eventText } from './event-text';
import { fileName } from './paths';
import { changedValue, replacementsIn, retiredFiles } from './replacements';
import { clip, joinSentences, sentences } from './sentences';
import { matchesAny, phrasesFor, withoutFillers } from './speech';
import { statementsIn } from './statements';
import { laterSuccess, requestOf, tellingSentences, type TurnView } from './turn-view';

const OUTCOME_MAX = 420;
const PRIVATE_MARK = /\[REDACTED:private\]/g;
/** What remains of a request beside a statement must be longer to name the turn ("Bitte konsequent."). */
const LEFTOVER_MIN = 16;

/** A turn that changed or tried something: what was asked, what came of it, which files and commands. */
export const turnSummaryRule: ExtractionRule = {
  name: 'turn-summary',
  apply(context) {
    const { view } = context;
    if (!view.changed && view.failures.length === 0) return [];
    // More is to come: the whole turn is read again at its end.
    if (!view.turn.ended && view.answer === '') return [];
    const request = requestOf(view);
    const outcome = clip(joinSentences(tellingSentences(view.answer, view.external)), OUTCOME_MAX);
    const facts = factsOf(view, `${request}\n${outcome}`);
    if (outcome === '' && facts.length === 0) return [];
    const prompt = view.prompts[0];
    const [first = '', ...others] = sentences(outcome);
    const named = titleOf(view);
    const title = named || clip(first, 180) || clip(request, 180);
    const rest = named === '' && others.length > 0 ? clip(joinSentences(others), OUTCOME_MAX) : outcome;
    const draft = draftFrom(
      {
        key: 'summary',
        rule: 'turn-summary',
        type: 'session_summary',
        title,
        summary: rest || (wasCut(view) ? 'Stopped before an answer.' : joinSentences(facts.map(asSentence))),
        facts: rest === '' && !wasCut(view) ? [] : facts,
        files: view.edited,
        concepts: purposesOf(view),
        evidence: [
          ...(prompt ? [{ event: prompt.event, excerpt: request }] : []),
          ...(view.turn.summary ? [{ event: view.turn.summary, excerpt: outcome }] : []),
        ],
        origin: view.external ? 'external' : 'agent_words',
        importance: view.edited.length > 0 ? 0.5 : 0.45,
        replaces: [
          ...tellingSentences(view.answer, view.external).flatMap(replacementsIn),
          ...view.uses.map(changedValue).filter((change) => change !== undefined),
        ],
        retiredFiles: retiredFiles(view.uses),
        corrects: corrected(context),
      },
      view,
    );
    return draft ? [draft] : [];
  },
};

/** Ended in the middle of a call, or by an error; a capture without answers knows of no end. */
function wasCut(view: TurnView): boolean {
  return (
    view.uses.some((use) => use.event.type === 'action_start') ||
    view.turn.notes.some((note) => note.type === 'error')
  );
}

function asSentence(fact: string): string {
  return /[.!?]$/.test(fact) ? fact : `${fact}.`;
}

/** The request, without what the user laid down: that has a record of its own. */
function titleOf(view: TurnView): string {
  const laidDown = new Set(
    statementsIn(view)
      .filter((statement) => statement.kind !== 'approval')
      .flatMap((statement) => statement.sentences),
  );
  const typed = view.prompts[0]?.words.sentences.map((sentence) => sentence.text) ?? [];
  const request =
    typed.length === 0 ? requestOf(view) : joinSentences(typed.filter((text) => !laidDown.has(text)));
  const title = clip(withoutFillers(request.replace(PRIVATE_MARK, ' ').replace(/\s+/g, ' ')), 180);
  return laidDown.size > 0 && title.length < LEFTOVER_MIN ? '' : title;
}

/** What the answer leaves out: words typed meanwhile, delegates' reports, commands, files, open failures. */
function factsOf(view: TurnView, said: string): string[] {
  const steers = view.prompts.slice(1).map((prompt) => clip(prompt.words.text, 240));
  const delegates = view.uses
    .filter((use) => use.effect === 'delegate')
    .map((use) => clip(tellingSentences(use.output, false).join(' '), 240));
  const commands = view.ran
    .map((use) => commandKey(use.command ?? ''))
    .filter(
      (command) =>
        command !== '' && command.length <= 200 && !said.includes(command) && !isHousekeeping(command),
    )
    .slice(-2)
    .map((command) => `ran \`${command}\``);
  const files = view.edited.filter((file) => !said.includes(file)).slice(0, 4);
  const open = view.failures
    .filter((failure) => failure.lines[0] !== undefined && laterSuccess(failure, view.uses) === undefined)
    .slice(-1)
    .map(
      (failure) =>
        `\`${clip(failure.use.command ?? failure.use.name, 120)}\` failed: ${failure.lines[0] ?? ''}`,
    );
  return [
    ...steers,
    ...delegates.slice(0, 3),
    ...(files.length > 0 ? [`changed ${files.map(shown(said)).join(', ')}`] : []),
    ...commands,
    ...open,
  ].filter(Boolean);
}

/** What the turn's commands are for; nearly every turn runs tests, so that says nothing. */
function purposesOf(view: TurnView): string[] {
  const found = view.ran.map((use) => purpose(commandKey(use.command ?? '')));
  return [...new Set(found)].filter((aim) => aim !== undefined && aim !== 'tests') as string[];
}

/** The answer may name a file without its folder: the whole path is still worth its characters once. */
function shown(said: string): (file: string) => string {
  return (file) => (said.includes(file) ? fileName(file) : file);
}

function isHousekeeping(command: string): boolean {
  return /^(?:git (?:add|commit|push|checkout|stash|fetch|pull|switch)|mkdir|cp|mv|rm|touch|chmod|echo)\b/.test(
    command,
  );
}

/** The summary of the turn before, where the user corrected it and the agent did the same files over again. */
function corrected({ view, previous }: RuleContext): string[] {
  const summary = previous?.turn.summary;
  if (!previous || !summary) return [];
  const corrections = statementsIn(view).filter((statement) => statement.kind === 'correction');
  if (corrections.length === 0) return [];
  // What the correction turns down does not stand in the answer before: the work was wrong, not what it says.
  const turnedDown = corrections.flatMap((statement) => statement.sentences.flatMap(replacementsIn));
  const said = `${requestOf(previous)}\n${previous.answer}`.toLowerCase();
  if (turnedDown.length > 0 && !turnedDown.some(({ old }) => said.includes(old.toLowerCase()))) return [];
  const rejectedAtOnce = view.prompts.some((prompt) => {
    const text = eventText(prompt.event);
    return matchesAny(phrasesFor(text).correction, text.trim().toLowerCase());
  });
  const again = view.edited.some((file) => previous.edited.includes(file));
  return rejectedAtOnce && again ? [summary.event_id] : [];
}
