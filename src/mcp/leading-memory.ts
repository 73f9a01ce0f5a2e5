import { ApiError } from '../contract/local-api';
import { readLeaderInfo } from '../service/leader-info';
import type { AgentRequestFrame, SavedObservation } from '../contract/saved-note';
import type { Timeline, TimelineQuestion } from '../pipeline/timeline';
import type { Forgotten, FoundMemory, MemoryDetails, ProjectMemory, SavedMemory } from './project-memory';

interface LeadingMemoryDeps {
  storageDir: string;
  online: ProjectMemory;
  offline: ProjectMemory;
  now(): number;
}

/** How long a leader that did not answer is not asked again. */
const PATIENCE_MS = 10_000;

/**
 * Asks whoever leads, and does without where nobody does. A request that was cut off is made again offline under
 * the same key: the window that takes it out of the spool knows it where the first try got through.
 */
export class LeadingMemory implements ProjectMemory {
  private silent: { key: string; until: number } | undefined;

  constructor(private readonly deps: LeadingMemoryDeps) {}

  search(query: string, limit: number): Promise<FoundMemory[]> {
    return this.ask((memory) => memory.search(query, limit));
  }

  get(recordId: string): Promise<MemoryDetails | undefined> {
    return this.ask((memory) => memory.get(recordId));
  }

  timeline(question: TimelineQuestion): Promise<Timeline> {
    return this.ask((memory) => memory.timeline(question));
  }

  save(observation: SavedObservation, frame: AgentRequestFrame): Promise<SavedMemory> {
    return this.ask((memory) => memory.save(observation, frame));
  }

  forget(recordId: string, frame: AgentRequestFrame): Promise<Forgotten> {
    return this.ask((memory) => memory.forget(recordId, frame));
  }

  private async ask<T>(question: (memory: ProjectMemory) => Promise<T>): Promise<T> {
    const { online, offline, storageDir, now } = this.deps;
    const leader = await readLeaderInfo(storageDir);
    const given = this.silent;
    if (!leader || leader.released || (given?.key === leader.key && now() < given.until)) {
      return question(offline);
    }
    try {
      return await question(online);
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== 'unavailable' && error.code !== 'read_only')) {
        throw error;
      }
      const after = await readLeaderInfo(storageDir);
      if (after) this.silent = { key: after.key, until: now() + PATIENCE_MS };
      return question(offline);
    }
  }
}
