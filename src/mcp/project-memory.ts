import type { EventRow, HistoryEntry } from '../contract/local-api';
import type { MemoryRecord } from '../contract/memory-record';
import type { AgentRequestFrame, SavedObservation } from '../contract/saved-note';
import type { Timeline, TimelineQuestion } from '../pipeline/timeline';

export interface FoundMemory {
  record: MemoryRecord;
  score: number;
  reasons: string[];
}

export interface MemoryDetails {
  record: MemoryRecord;
  /** Newest first. */
  history: HistoryEntry[];
  evidence: EventRow[];
}

export interface SavedMemory {
  /** The id under which it is found, now and once a window has taken it in. */
  record_id: string;
  outcome: 'created' | 'reinforced' | 'known';
  /** It waits in the spool for a window. */
  waits: boolean;
}

export type Forgotten = 'forgotten' | 'waits' | 'pinned' | 'already' | 'not_found';

/** The memory of the one project that this server was started for. */
export interface ProjectMemory {
  search(query: string, limit: number): Promise<FoundMemory[]>;
  get(recordId: string): Promise<MemoryDetails | undefined>;
  timeline(question: TimelineQuestion): Promise<Timeline>;
  save(observation: SavedObservation, frame: AgentRequestFrame): Promise<SavedMemory>;
  forget(recordId: string, frame: AgentRequestFrame): Promise<Forgotten>;
}

/** Memory is paused, off, or the folder is not trusted: nothing is read or kept. */
export class MemoryOffError extends Error {
  constructor(readonly reason: 'paused' | 'untrusted' | 'excluded') {
    super(reason === 'paused' ? 'The user paused memory.' : 'Memory is off for this folder.');
    this.name = 'MemoryOffError';
  }
}
