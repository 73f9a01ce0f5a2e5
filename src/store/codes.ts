import type { EventKind, EventType } from '../contract/event';
import type { ObservationType, Origin, RecordStatus, Strategy } from '../contract/memory-record';
import type { RecordChange } from './mutation';

/**
 * Numbers under which the image keeps names of closed sets. They are written to disk: a number is never
 * changed or used again.
 */
export class CodeTable<T extends string> {
  private readonly byCode = new Map<number, T>();

  constructor(private readonly codes: Readonly<Record<T, number>>) {
    for (const name of Object.keys(codes) as T[]) this.byCode.set(codes[name], name);
  }

  code(name: T): number {
    return this.codes[name];
  }

  /** The name, or undefined for a number of a later version. */
  name(code: unknown): T | undefined {
    return typeof code === 'number' ? this.byCode.get(code) : undefined;
  }
}

export const KINDS = new CodeTable<EventKind>({ prompt: 1, tool_use: 2, session_summary: 3, note: 4 });

export const TYPES = new CodeTable<EventType>({
  user_message: 1,
  agent_message: 2,
  system: 3,
  error: 4,
  reasoning: 5,
  action_start: 6,
  action_end: 7,
  task_start: 8,
  task_end: 9,
  waiting_for_user: 10,
  relevant_memories: 11,
  todos: 12,
  internal: 13,
});

export type DistilState = 'pending' | 'done' | 'never';
export const DISTIL = new CodeTable<DistilState>({ never: 0, pending: 1, done: 2 });

export const OBSERVATIONS = new CodeTable<ObservationType>({
  decision: 1,
  error: 2,
  discovery: 3,
  pattern: 4,
  preference: 5,
  tool_use: 6,
  session_summary: 7,
});

export const STATUSES = new CodeTable<RecordStatus>({
  current: 1,
  superseded: 2,
  withdrawn: 3,
  forgotten: 4,
});

export const STRATEGY_CODES = new CodeTable<Strategy>({ rules: 1, llm: 2, user: 3, mcp: 4, import: 5 });

export const ORIGIN_CODES = new CodeTable<Origin>({
  user_words: 1,
  agent_words: 2,
  tool_output: 3,
  mcp: 4,
  api: 5,
  import: 6,
  external: 7,
});

export const CHANGES = new CodeTable<RecordChange>({
  created: 1,
  reinforced: 2,
  superseded: 3,
  withdrawn: 4,
  edited: 5,
  pinned: 6,
  unpinned: 7,
  forgotten: 8,
  restored: 9,
  undone: 10,
  recalled: 11,
});

/** What the daily counters count. */
export const COUNTERS = {
  events: 1,
  toolUsed: 2,
  toolFailed: 3,
  recordsCreated: 4,
  tokensInjected: 5,
  injections: 6,
  abstentions: 7,
} as const;

/** Kinds of files in the table `segments`. */
export const SEGMENT_KINDS = { bodies: 1, archive: 2 } as const;
