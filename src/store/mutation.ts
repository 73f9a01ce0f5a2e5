import type { MemoryEvent } from '../contract/event';
import type { MemoryRecord } from '../contract/memory-record';
import type { Injection, InjectionVerdict } from '../contract/injection';

/** Why a record changed; shown in its history and named by Undo. */
export const RECORD_CHANGES = [
  'created',
  'reinforced',
  'superseded',
  'withdrawn',
  'edited',
  'pinned',
  'unpinned',
  'forgotten',
  'restored',
  'undone',
  'recalled',
] as const;
export type RecordChange = (typeof RECORD_CHANGES)[number];

export interface StoredProject {
  namespace: string;
  project_id: string;
  root: string;
  display_name: string;
}

/**
 * Every change of the store. Applying one is deterministic: whatever depends on time or chance is in the
 * mutation.
 */
export type Mutation =
  | {
      op: 'event';
      event: MemoryEvent;
      /** Whether the buffer waits for it. */
      distil: 'pending' | 'never';
      turn_id?: string;
      ends_turn?: boolean;
      session_title?: string;
      /** False for tool calls read from session files: they never collapse into a repeat. */
      may_collapse: boolean;
      /** Identity of the same happening seen by another source (hook and session file): the richer stays. */
      same_as?: string;
    }
  | { op: 'turn_end'; namespace: string; session_id: string; turn_id: string }
  /** The rules have seen these events: they leave the buffer. */
  | { op: 'distilled'; event_ids: string[] }
  | { op: 'record'; record: MemoryRecord; change: RecordChange; at: string; change_id: string }
  | { op: 'recalled'; record_ids: string[]; at: string }
  | { op: 'injection'; injection: Injection }
  | { op: 'injection_verdict'; injection_id: string; record_id: string; verdict: InjectionVerdict | null }
  /** The model's context of a session was compacted or reverted: what was injected before counts as unseen. */
  | { op: 'session_epoch'; session_id: string; at: string }
  /** The model's context was compacted: what was injected into the session may be injected again. */
  | { op: 'context_compacted'; session_id: string }
  | { op: 'cursor'; key: string; value: string }
  | { op: 'project'; project: StoredProject; paths: string[] }
  | { op: 'erase_records'; record_ids: string[]; keyed_hashes: string[] }
  | { op: 'erase_events'; event_ids: string[] }
  | { op: 'meta'; key: string; value: string | null };

/** What became of one mutation. */
export type Outcome =
  | { outcome: 'applied' }
  /** Seen before, by id, for ever. */
  | { outcome: 'duplicate'; event_id: string }
  /** The same content again in a row: `repeat_count` of the surviving event rose. */
  | { outcome: 'repeat'; event_id: string; repeat_count: number };
