import type { MemoryEvent } from '../../contract/event';
import { draftFrom, excerptAround } from './draft-builder';
import type { ExtractedDraft } from './extracted-draft';
import type { ExtractionRule } from './extractor';
import { eventText } from './event-text';
import { holdsLiteral, isSpecific, literalsIn } from './literals';
import { hasExtension, pathsIn } from './paths';
import { clip, joinSentences } from './sentences';
import { isIdle, tellingSentences, type TurnView } from './turn-view';
import type { ToolUse } from './tool-use';

const REPORT_MAX = 420;
const REPORT_MIN = 40;
const TASK_MAX = 160;

/** What a sub-agent reported, in its words; of one that stopped also why, and what the agent tells of it. */
export const delegateRule: ExtractionRule = {
  name: 'delegate',
  apply({ view }) {
    return view.uses
      .filter((use) => use.effect === 'delegate' && use.event.type !== 'action_start')
      .map((use) => reported(use, view))
      .filter((draft) => draft !== undefined);
  },
};

function reported(use: ToolUse, view: TurnView): ExtractedDraft | undefined {
  const failed = use.success === false;
  const name = nameOf(use);
  const task = taskOf(use);
  const report = clip(joinSentences(tellingSentences(use.output, view.external)), REPORT_MAX);
  const told = failed ? toldOf(name, task, view) : [];
  const said = joinSentences([ended(report), ...told]);
  if (said.length < REPORT_MIN || !isSpecific(said)) return undefined;
  if (!failed && (isIdle(use.output) || isPassedOn(report, view.answer))) return undefined;
  const evidence = [{ event: use.event, excerpt: excerptAround(use.output, report.slice(0, 40)) }];
  const last = failed ? lastWords(use, view) : undefined;
  if (last) evidence.push({ event: last, excerpt: eventText(last) });
  if (told.length > 0 && view.turn.summary) {
    evidence.push({ event: view.turn.summary, excerpt: joinSentences(told) });
  }
  return draftFrom(
    {
      key: use.event.event_id,
      rule: 'delegate',
      type: 'discovery',
      title: clip(`${name}: ${task}`, TASK_MAX),
      summary: clip(said, REPORT_MAX * 1.5),
      facts: last && failed ? [clip(eventText(last), 240)] : [],
      files: [...pathsIn(said), ...pathsIn(task)].filter(hasExtension),
      concepts: [`${name} helper`, 'sub-agent'],
      evidence,
      origin: view.external ? 'external' : 'agent_words',
      importance: 0.5,
    },
    view,
  );
}

/** The agent's own answer says it all: every path, command, number and quote of the report. */
function isPassedOn(report: string, answer: string): boolean {
  return literalsIn(report).every((literal) => holdsLiteral(answer, literal));
}

function ended(text: string): string {
  return text === '' || /[.!?。！？]$/.test(text) ? text : `${text}.`;
}

function nameOf(use: ToolUse): string {
  const given = textAt(use, ['subagent_type', 'agent', 'agent_name', 'agentName', 'name']);
  return given || use.name.replace(/^(?:subagent_|invoke_?sub_?agent_?)/i, '') || use.name;
}

function taskOf(use: ToolUse): string {
  return clip(textAt(use, ['prompt', 'task', 'query', 'description', 'explanation']), TASK_MAX);
}

function textAt({ input }: ToolUse, keys: readonly string[]): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value.trim() !== '') return value.replace(/\s+/g, ' ').trim();
  }
  return '';
}

/** What the delegate said last before it stopped. */
function lastWords(use: ToolUse, view: TurnView): MemoryEvent | undefined {
  return view.turn.notes.findLast(
    (note) => note.parent_event_id === use.event.event_id && note.type === 'agent_message',
  );
}

/** The agent's sentences about a delegate: they share a part of its name or a file of its task. */
function toldOf(name: string, task: string, view: TurnView): string[] {
  const parts = name.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  const files = pathsIn(task);
  return tellingSentences(view.answer, view.external)
    .filter((sentence) => {
      const words: string[] = sentence.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
      return parts.some((part) => words.includes(part)) || files.some((file) => sentence.includes(file));
    })
    .slice(0, 3);
}
