import { draftFrom } from './draft-builder';
import type { ExtractedDraft } from './extracted-draft';
import type { ExtractionRule, RuleContext } from './extractor';
import { commandKey, purpose } from './commands';
import { filesKey } from './recurrence';
import { projectPath } from './paths';
import { wentThrough } from './tool-use';

/** Turns after which something counts as a habit, and after which it is learned again. */
const HABIT = new Set([3, 10, 30, 100]);
const COMMAND_MAX = 160;

/** Commands, and groups of files, that come back turn after turn. */
export const patternRule: ExtractionRule = {
  name: 'pattern',
  apply(context) {
    return [...commands(context), ...files(context)];
  },
};

function commands({ view, recurrence }: RuleContext): ExtractedDraft[] {
  const drafts: ExtractedDraft[] = [];
  for (const use of view.ran) {
    const command = commandKey(use.command ?? '');
    const seen = recurrence('command', command) + 1;
    const aim = purpose(command);
    if (!HABIT.has(seen) || aim === undefined || command.length > COMMAND_MAX || use.success !== true)
      continue;
    const draft = draftFrom(
      {
        key: command,
        identity: `pattern:command:${command}`,
        rule: 'pattern',
        type: 'pattern',
        title: `Command for ${aim}: ${command}`,
        summary: `\`${command}\``,
        facts: [],
        files: [],
        concepts: [aim],
        evidence: [{ event: use.event, excerpt: use.command ?? '' }],
        origin: 'tool_output',
        importance: Math.min(0.6, 0.4 + seen / 50),
      },
      view,
    );
    if (draft) drafts.push(draft);
  }
  return drafts;
}

function files({ view, recurrence }: RuleContext): ExtractedDraft[] {
  const root = view.turn.prompt?.source.project_path;
  const edited = view.edited.map((file) => projectPath(file, root));
  const key = filesKey(edited);
  if (key === undefined || !HABIT.has(recurrence('files', key) + 1)) return [];
  const draft = draftFrom(
    {
      key,
      identity: `pattern:files:${key}`,
      rule: 'pattern',
      type: 'pattern',
      title: `Changed together: ${edited.join(', ')}`,
      summary: view.edited.join(', '),
      facts: [],
      files: view.edited,
      evidence: view.uses
        .filter((use) => use.effect === 'edit' && wentThrough(use))
        .slice(0, 3)
        .map((use) => ({ event: use.event, excerpt: use.files.join(', ') })),
      origin: 'tool_output',
      importance: 0.4,
    },
    view,
  );
  return draft ? [draft] : [];
}
