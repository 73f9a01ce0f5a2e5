import type { MemoryEvent } from '../../contract/event';
import { estimateTokens } from '../../recall/context';
import { repairText } from '../../text/unicode';
import { eventText } from '../extract/event-text';
import { readToolUse } from '../extract/tool-use';
import { turnEvents, type Turn } from '../turn';

/** One line of a batch: the number that a model names it by. */
export interface BatchEntry {
  n: number;
  event: MemoryEvent;
  turn: Turn;
}

/** What a model is shown at once, and what its numbers mean. */
export interface ModelBatch {
  prompt: string;
  entries: BatchEntry[];
  /** The turns that fitted, in order. */
  turns: Turn[];
}

/** Characters that an entry may have, by what it is; halved until the batch fits. */
const SHARES = { prompt: 3000, answer: 3000, tool: 1400, note: 800 } as const;
const SCALES = [1, 0.5, 0.25, 0.12, 0.06];
const LEAST = 80;
/** A turn with more entries loses calls that went through and only looked, from the middle. */
const MOST_ENTRIES = 120;

/**
 * Turns of one session as numbered lines: `[n] timestamp | role (author): content`. Cut to `tokens`: first the
 * entries become shorter, then a turn waits for the next batch; the first turn always comes along.
 */
export function frameBatch(turns: readonly Turn[], tokens: number): ModelBatch {
  for (let count = turns.length; count > 1; count--) {
    const batch = frame(turns.slice(0, count), SCALES[0] ?? 1, MOST_ENTRIES);
    if (estimateTokens(batch.prompt) <= tokens) return batch;
  }
  const first = turns.slice(0, 1);
  for (const scale of SCALES) {
    const batch = frame(first, scale, MOST_ENTRIES);
    if (estimateTokens(batch.prompt) <= tokens) return batch;
  }
  const smallest = SCALES.at(-1) ?? 1;
  let most = MOST_ENTRIES;
  for (;;) {
    const batch = frame(first, smallest, most);
    if (estimateTokens(batch.prompt) <= tokens || most <= 2) return batch;
    most = Math.max(2, Math.floor(most / 2));
  }
}

function frame(turns: readonly Turn[], scale: number, most: number): ModelBatch {
  const lines: string[] = [];
  const entries: BatchEntry[] = [];
  const [first] = turns;
  if (first) lines.push(`session ${oneLine(first.session_title ?? first.session_id)}`);
  turns.forEach((turn, index) => {
    lines.push(`turn ${index + 1}${turn.branch ? ` on branch ${oneLine(turn.branch)}` : ''}`);
    for (const event of chosen(turn, most)) {
      const n = entries.length + 1;
      entries.push({ n, event, turn });
      lines.push(`[${n}] ${event.valid_time} | ${roleOf(event)}: ${contentOf(event, scale)}`);
    }
  });
  return { prompt: lines.join('\n'), entries, turns: [...turns] };
}

/** Prompts, failures, changes and the answer stay; of the rest the beginning and the end. */
function chosen(turn: Turn, most: number): MemoryEvent[] {
  const events = [...turnEvents(turn)].sort(byTime);
  if (events.length <= most) return events;
  const keeps = (event: MemoryEvent) => event.kind !== 'tool_use' || matters(event);
  const important = events.filter(keeps);
  const kept = new Set(important.length <= most ? important : ends(important, most));
  for (const event of ends(
    events.filter((candidate) => !kept.has(candidate)),
    most - kept.size,
  )) {
    kept.add(event);
  }
  return events.filter((event) => kept.has(event));
}

function ends<T>(items: readonly T[], count: number): T[] {
  if (count <= 0) return [];
  if (items.length <= count) return [...items];
  const head = Math.ceil(count / 2);
  return [...items.slice(0, head), ...items.slice(items.length - (count - head))];
}

function matters(event: MemoryEvent): boolean {
  const use = readToolUse(event);
  return use !== undefined && (use.success === false || use.effect === 'edit' || use.effect === 'act');
}

function byTime(a: MemoryEvent, b: MemoryEvent): number {
  return Date.parse(a.valid_time) - Date.parse(b.valid_time);
}

/** Kind and author, so that a model can tell the user's words from a tool's. */
function roleOf(event: MemoryEvent): string {
  const author = event.author ? ` (${oneLine(event.author)})` : '';
  switch (event.kind) {
    case 'prompt':
      return `user${author}`;
    case 'tool_use': {
      const use = readToolUse(event);
      const outcome = use?.success === undefined ? '' : use.success ? ' ok' : ' failed';
      return `tool ${oneLine(use?.name ?? 'call')}${outcome}${author}`;
    }
    case 'session_summary':
      return `agent${author}`;
    case 'note':
      return `note ${event.type ?? 'system'}${author}`;
  }
}

function contentOf(event: MemoryEvent, scale: number): string {
  if (event.kind !== 'tool_use') {
    const share =
      event.kind === 'prompt' ? SHARES.prompt : event.kind === 'note' ? SHARES.note : SHARES.answer;
    return indent(middleCut(eventText(event), share * scale));
  }
  const use = readToolUse(event);
  if (!use) return indent(middleCut(eventText(event), SHARES.tool * scale));
  const asked = use.command ?? (use.files.length > 0 ? use.files.join(', ') : eventText(event));
  const half = (SHARES.tool * scale) / 2;
  return indent(`${middleCut(asked, half)}\n=> ${middleCut(use.output, half)}`);
}

/** The beginning and the end: a failure is told at the end of an output. */
function middleCut(text: string, max: number): string {
  const limit = Math.max(LEAST, Math.floor(max));
  const clean = text.trim();
  if (clean.length <= limit) return clean;
  const head = repairText(clean.slice(0, Math.floor(limit * 0.6)));
  const tail = repairText(clean.slice(clean.length - Math.floor(limit * 0.4)));
  return `${head} […] ${tail}`;
}

/** Later lines are set in, so that no content looks like the beginning of an entry. */
function indent(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\n+/g, '\n    ');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 120);
}
