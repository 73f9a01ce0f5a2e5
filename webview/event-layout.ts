import type { EventRow } from '../src/contract/local-api';
import { renderEvent, type Rendering } from './event-rendering';

/** One line of the tail. */
export type TailLine =
  | {
      line: 'session';
      key: string;
      session_id: string;
      title: string | undefined;
      surface: string;
      at: string;
    }
  | {
      line: 'event';
      key: string;
      row: EventRow;
      rendering: Rendering;
      /** 0 for a prompt, 1 for what its turn did, 2 and more inside a delegate. */
      depth: number;
      /** Events drawn as this one line: repeats of a group such as reasoning. */
      grouped: number;
      startsTurn: boolean;
    };

export interface TailLayout {
  lines: TailLine[];
  /** Events that were passed over because their producer gave no type. */
  untyped: number;
}

const maxDepth = 4;

/**
 * Turns rows (any order) into lines: sessions under their own headings, tool uses under their prompt, delegates
 * under their start, a start and an end of one action as one line, repeated reasoning as one.
 */
export function layoutEvents(rows: readonly EventRow[]): TailLayout {
  const sorted = [...rows].sort(byTime);
  const ended = new Set<string>();
  const byId = new Map<string, EventRow>();
  for (const row of sorted) {
    byId.set(row.event_id, row);
    if (row.type === 'action_end' && row.action_id !== undefined) ended.add(actionKey(row, row.action_id));
  }
  const lines: TailLine[] = [];
  let untyped = 0;
  for (const row of sorted) {
    const result = renderEvent(row);
    if (result.drawn === undefined) {
      if (result.why === 'untyped') untyped += 1;
      continue;
    }
    if (
      row.type === 'action_start' &&
      row.action_id !== undefined &&
      ended.has(actionKey(row, row.action_id))
    ) {
      continue;
    }
    append(lines, row, result.drawn, byId);
  }
  return { lines, untyped };
}

function append(lines: TailLine[], row: EventRow, rendering: Rendering, byId: Map<string, EventRow>): void {
  const last = lines.at(-1);
  const sameSession = sessionOf(last) === row.session_id;
  if (!sameSession) {
    lines.push({
      line: 'session',
      key: `session:${row.event_id}`,
      session_id: row.session_id,
      title: row.session_title,
      surface: row.surface,
      at: row.valid_time,
    });
  } else if (
    last?.line === 'event' &&
    rendering.groupKey !== undefined &&
    last.rendering.groupKey === rendering.groupKey
  ) {
    lines[lines.length - 1] = { ...last, row, grouped: last.grouped + 1 };
    return;
  }
  lines.push({
    line: 'event',
    key: row.event_id,
    row,
    rendering,
    depth: depthOf(row, byId),
    grouped: 1,
    startsTurn: row.kind === 'prompt',
  });
}

function sessionOf(line: TailLine | undefined): string | undefined {
  if (line === undefined) return undefined;
  return line.line === 'session' ? line.session_id : line.row.session_id;
}

/** Parents that are not loaded count as a prompt, so that a cut-off turn is indented as usual. */
function depthOf(row: EventRow, byId: Map<string, EventRow>): number {
  let depth = 0;
  let current: EventRow | undefined = row;
  while (current?.parent_event_id !== undefined && depth < maxDepth) {
    depth += 1;
    current = byId.get(current.parent_event_id);
  }
  return depth;
}

function actionKey(row: EventRow, actionId: string): string {
  return `${row.session_id}\n${actionId}`;
}

/** An event's id begins with its time, so the order of ids is the order of events. */
function byTime(a: EventRow, b: EventRow): number {
  return a.event_id < b.event_id ? -1 : a.event_id > b.event_id ? 1 : 0;
}
