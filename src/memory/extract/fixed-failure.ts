import { draftFrom, excerptAround } from './draft-builder';
import type { ExtractedDraft } from './extracted-draft';
import type { ExtractionRule } from './extractor';
import { isTellingError } from './literals';
import { clip } from './sentences';
import { laterSuccess, tellingSentences, type Failure, type TurnView } from './turn-view';
import { wentThrough, type ToolUse } from './tool-use';
import { onlyLooks } from './commands';

const CAUSE =
  /\b(?:because|cause[ds]?|came from|due to|since|root|was (?:registered|missing|a|the|not|set|taken)|needs?|insist|requires?|fix(?:ed|es)|solved|gone|broke|weil|ursache|kam vo[nm]|lag an|behob(?:en)?|behebt|fehlte|grund)\b|(?:原因|ため|ので|修正|解決|因为|由于|修复)/i;

/** Pairs a failure with what was changed before the same thing ran through (pain 76: no restated logs). */
export const fixedFailureRule: ExtractionRule = {
  name: 'fixed-failure',
  apply({ view }) {
    const drafts: ExtractedDraft[] = [];
    const seen = new Set<string>();
    view.failures.forEach((failure, index) => {
      const rerun = laterSuccess(failure, view.uses);
      const key = failure.lines.join('\n');
      if (rerun === undefined || failure.lines.length === 0 || seen.has(key)) return;
      seen.add(key);
      const draft = draftFix(view, failure, rerun, index, view.uses);
      if (draft) drafts.push(draft);
    });
    return drafts;
  },
};

/**
 * The record of a failure that was overcome: its error text, the steps between it and the run that went
 * through, and the agent's sentence that explains it. Undefined where the output only
 * compares two values: that says nothing without the code of the moment.
 */
export function draftFix(
  view: TurnView,
  failure: Failure,
  rerun: ToolUse,
  index: number,
  uses: readonly ToolUse[],
): ExtractedDraft | undefined {
  const steps = between(failure.use, rerun, uses);
  const explained = explanation(view, failure);
  if (!isTellingError(failure.lines)) return undefined;
  const headline = headlineOf(failure.lines);
  const fixes = steps.slice(-3).map(describe).filter(Boolean);
  const sameCommand = rerun.command === failure.use.command;
  return draftFrom(
    {
      key: `${failure.use.event.event_id}`,
      rule: 'fixed-failure',
      type: 'error',
      title: headline,
      summary: clip([`\`${clip(failure.use.command ?? '', 160)}\` failed.`, ...explained].join(' '), 420),
      facts: [
        ...failure.lines.filter((line) => line !== headline && !/^FAIL/.test(line)).slice(0, 2),
        ...fixes,
        ...(sameCommand ? [] : [`went through: \`${clip(rerun.command ?? '', 200)}\``]),
      ],
      files: steps.flatMap((step) => step.files),
      evidence: [
        { event: failure.use.event, excerpt: excerptAround(failure.use.output, failure.lines[0] ?? '') },
        ...(explained.length > 0 && view.turn.summary
          ? [{ event: view.turn.summary, excerpt: explained.join(' ') }]
          : []),
        ...steps.slice(-1).map((step) => ({ event: step.event, excerpt: describe(step) })),
      ],
      origin: view.external ? 'external' : 'tool_output',
      importance: 0.6 + (index === 0 ? 0.05 : 0),
    },
    view,
  );
}

/** The edits and commands after the failure, up to the run that went through. */
function between(failed: ToolUse, rerun: ToolUse, uses: readonly ToolUse[]): ToolUse[] {
  const from = uses.indexOf(failed) + 1;
  const to = uses.indexOf(rerun);
  return uses
    .slice(from, to < 0 ? undefined : to)
    .filter(
      (use) =>
        wentThrough(use) &&
        (use.effect === 'edit' ||
          use.effect === 'act' ||
          (use.command !== undefined && !onlyLooks(use.command))),
    );
}

/** What a step did, with its own words: the command, or the file and what was put into it. */
function describe(use: ToolUse): string {
  if (use.command !== undefined) return `ran \`${clip(use.command, 220)}\``;
  const file = use.files[0] ?? '';
  if (file === '') return '';
  const added = clip(newPart(use), 140).replace(/\s+/g, ' ');
  return added === '' ? `edited ${file}` : `edited ${file}: ${added}`;
}

/** The lines that an edit put in and that were not there before. */
function newPart(use: ToolUse): string {
  const old = new Set(use.removed.split('\n').map((line) => line.trim()));
  return use.added
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !old.has(line))
    .slice(0, 3)
    .join(' ');
}

/** The line that tells most; where it only announces the next one, both. */
function headlineOf(lines: readonly string[]): string {
  const at = lines.findIndex((line) => isTellingError([line]));
  const line = lines[at] ?? lines[0] ?? '';
  return line.endsWith(':') ? `${line} ${lines[at + 1] ?? ''}`.trim() : line;
}

/**
 * The sentences of the answer that speak of this failure: they share its words, its codes above all, or tell a
 * cause. Where it was the turn's only failure, the answer's first sentence otherwise.
 */
function explanation(view: TurnView, failure: Failure): string[] {
  const words = new Set(wordsOf(failure.lines.join(' ')));
  const telling = tellingSentences(view.answer, view.external);
  const scored = telling.map((sentence, index) => {
    const shared = wordsOf(sentence).filter((word) => words.has(word));
    const weight = shared.reduce((sum, word) => sum + (isCode(word) ? 2 : 1), 0);
    return { sentence, index, score: Math.min(weight, 4) + (CAUSE.test(sentence) ? 1.5 : 0) };
  });
  const best = scored
    .filter((entry) => entry.score >= 1.5)
    .sort((a, b) => b.score - a.score || a.index - b.index);
  if (best.length === 0) return view.failures.length === 1 ? telling.slice(0, 1) : [];
  return best
    .slice(0, 2)
    .sort((a, b) => a.index - b.index)
    .map((entry) => entry.sentence);
}

function wordsOf(text: string): string[] {
  const found = text.match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  return [...new Set(found.map((word) => (isCode(word) ? word : word.toLowerCase())))];
}

/** Spelled like a code or an identifier: no word of prose. */
function isCode(word: string): boolean {
  return /\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}|_|^\p{Lu}{3,}$/u.test(word);
}
