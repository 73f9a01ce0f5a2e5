import type { EventKind, EventType } from '../src/contract/event';
import type { EventRow } from '../src/contract/local-api';
import type { StringKey } from './strings';

export type Tone = 'user' | 'agent' | 'tool' | 'system' | 'error' | 'reasoning' | 'task' | 'waiting';

/** How one event is drawn. */
export interface Rendering {
  tone: Tone;
  /** Name of a codicon. */
  icon: string;
  /** What it is, as a word of the page's language; `name` stands beside it, as the source gave it. */
  label: StringKey;
  name?: string;
  failed: boolean;
  /** A call that was started and has not ended. */
  open: boolean;
  /** Consecutive events of one key are drawn as one. */
  groupKey?: string;
}

type Rule = (row: EventRow) => Rendering | undefined;

/** Control flow of an agent, not work that a person wants to see. */
const INTERNAL_ACTIONS = new Set(['task_start', 'ignore']);

const failedAction = (row: EventRow) => row.success === false || row.task_status === 'error';

const action =
  (open: boolean): Rule =>
  (row) => {
    if (row.action_name !== undefined && INTERNAL_ACTIONS.has(row.action_name)) return undefined;
    return {
      tone: 'tool',
      icon: toolIcon(row.tool_name ?? row.action_name ?? ''),
      label: 'event.tool',
      name: actionTitle(row),
      failed: !open && failedAction(row),
      open,
    };
  };

const fixed =
  (tone: Tone, icon: string, label: StringKey, failed = false): Rule =>
  () => ({ tone, icon, label, failed, open: false });

const hidden: Rule = () => undefined;

/** The one table that says how each type is drawn. Nothing here looks at an event's text. */
export const EVENT_RENDERING: Record<EventType, Rule> = {
  user_message: fixed('user', 'account', 'event.prompt'),
  agent_message: (row) =>
    row.kind === 'session_summary'
      ? { tone: 'agent', icon: 'comment-discussion', label: 'event.summary', failed: false, open: false }
      : { tone: 'agent', icon: 'comment', label: 'event.message', failed: false, open: false },
  system: fixed('system', 'info', 'event.note'),
  error: fixed('error', 'error', 'event.error', true),
  reasoning: (row) => ({
    tone: 'reasoning',
    icon: 'lightbulb',
    label: 'event.reasoning',
    failed: false,
    open: false,
    groupKey: `${row.session_id}/${row.turn_id ?? row.parent_event_id ?? ''}/${row.action_id ?? ''}`,
  }),
  action_start: action(true),
  action_end: action(false),
  task_start: fixed('task', 'play-circle', 'event.taskStart'),
  task_end: (row) => ({ ...taskEnd(row.task_status), open: false }),
  waiting_for_user: fixed('waiting', 'watch', 'event.waiting'),
  relevant_memories: hidden,
  todos: hidden,
  internal: hidden,
};

function taskEnd(status: string | undefined): Omit<Rendering, 'open'> {
  if (status === 'error') return { tone: 'task', icon: 'error', label: 'event.taskFailed', failed: true };
  if (status === 'cancelled') {
    return { tone: 'task', icon: 'circle-slash', label: 'event.taskCancelled', failed: false };
  }
  return { tone: 'task', icon: 'pass', label: 'event.taskEnd', failed: false };
}

/** Events of our own dialects come without a type where their kind says it all. */
const TYPE_OF_KIND: Record<EventKind, EventType> = {
  prompt: 'user_message',
  tool_use: 'action_end',
  session_summary: 'agent_message',
  note: 'system',
};

export type Drawn = { drawn: Rendering } | { drawn: undefined; why: 'hidden' | 'untyped' };

/**
 * How `row` is drawn, or why not. An event of the CraftBot dialect (it carries that dialect's free-text label)
 * without a type is drawn as nothing: its producer must be mended, and the caller logs it.
 */
export function renderEvent(row: EventRow): Drawn {
  if (row.type === undefined && row.label !== undefined) return { drawn: undefined, why: 'untyped' };
  const rendering = EVENT_RENDERING[row.type ?? TYPE_OF_KIND[row.kind]](row);
  return rendering === undefined ? { drawn: undefined, why: 'hidden' } : { drawn: rendering };
}

/** The action's own display name, else its name in title case, else the tool's name. */
export function actionTitle(row: EventRow): string {
  if (row.action_display_name !== undefined) return row.action_display_name;
  if (row.action_name !== undefined) return titleCase(row.action_name);
  return row.tool_name ?? '';
}

function titleCase(name: string): string {
  return name
    .split(/[_\s-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

const TOOL_ICONS: [RegExp, string][] = [
  [/bash|shell|pwsh|command|terminal|exec/i, 'terminal'],
  [/write|edit|create|replace|append|patch|delete/i, 'edit'],
  [/grep|search|glob|find/i, 'search'],
  [/read|list|view/i, 'file'],
  [/web|fetch|http/i, 'globe'],
  [/agent/i, 'organization'],
  [/mcp|^@/i, 'plug'],
];

/** A hint by the tool's name, for the eye only. */
function toolIcon(name: string): string {
  return TOOL_ICONS.find(([pattern]) => pattern.test(name))?.[1] ?? 'tools';
}
