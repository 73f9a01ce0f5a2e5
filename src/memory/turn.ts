import type { MemoryEvent } from '../contract/event';

/** One exchange: what the user typed, what the agent did about it, and what it answered. */
export interface Turn {
  namespace: string;
  session_id: string;
  session_title?: string;
  turn_id: string;
  branch?: string;
  /** Absent where the agent started the turn by itself. */
  prompt?: MemoryEvent;
  /** What the user typed while the turn ran, in order. */
  steers: MemoryEvent[];
  /** Calls of the agent and of its delegates, in order. */
  tool_uses: MemoryEvent[];
  /** The agent's final answer. */
  summary?: MemoryEvent;
  /** Everything else that is distilled: errors, task marks. */
  notes: MemoryEvent[];
  first_of_session: boolean;
  ended: boolean;
}

/** What the events of a turn can't tell themselves. */
export interface TurnFrame {
  turn_id: string;
  session_title?: string;
  /** Nothing of the session came before. */
  first_of_session: boolean;
  /** Absent: a turn with an answer has ended. */
  ended?: boolean;
}

/**
 * Builds a turn from its events, which must be of one session and in order. The first prompt opens the turn,
 * later ones were typed while it ran; the agent's last answer is the summary, all else are notes. No events
 * give an empty turn.
 */
export function assembleTurn(events: readonly MemoryEvent[], frame: TurnFrame): Turn {
  const turn: Turn = {
    namespace: events[0]?.namespace ?? '',
    session_id: events[0]?.session_id ?? '',
    turn_id: frame.turn_id,
    steers: [],
    tool_uses: [],
    notes: [],
    first_of_session: frame.first_of_session,
    ended: false,
  };
  if (frame.session_title) turn.session_title = frame.session_title;
  for (const event of events) {
    if (event.source.branch) turn.branch = event.source.branch;
    place(turn, event);
  }
  turn.ended = frame.ended ?? turn.summary !== undefined;
  return turn;
}

function place(turn: Turn, event: MemoryEvent): void {
  switch (event.kind) {
    case 'prompt':
      if (turn.prompt === undefined && event.meta?.['steer'] !== true) turn.prompt = event;
      else turn.steers.push(event);
      return;
    case 'tool_use':
      turn.tool_uses.push(event);
      return;
    case 'session_summary':
      placeSummary(turn, event);
      return;
    case 'note':
      turn.notes.push(event);
  }
}

/** A delegate's answer never hides the agent's own. */
function placeSummary(turn: Turn, event: MemoryEvent): void {
  const known = turn.summary;
  if (known !== undefined && event.author !== undefined && known.author === undefined) {
    turn.notes.push(event);
    return;
  }
  if (known !== undefined) turn.notes.push(known);
  turn.summary = event;
}

/** The events of a turn, prompt first. */
export function turnEvents(turn: Turn): MemoryEvent[] {
  return [
    ...(turn.prompt ? [turn.prompt] : []),
    ...turn.steers,
    ...turn.tool_uses,
    ...turn.notes,
    ...(turn.summary ? [turn.summary] : []),
  ];
}

/** When the turn began: the time of its first event, ISO 8601. */
export function turnTime(turn: Turn): string {
  return turnEvents(turn)[0]?.valid_time ?? '1970-01-01T00:00:00.000Z';
}
