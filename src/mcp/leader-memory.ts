import type { LocalApi } from '../contract/local-api';
import type { AgentRequestFrame, SavedObservation } from '../contract/saved-note';
import { mayForget } from '../pipeline/agent-requests';
import type { Timeline, TimelineQuestion } from '../pipeline/timeline';
import {
  MemoryOffError,
  type Forgotten,
  type FoundMemory,
  type MemoryDetails,
  type ProjectMemory,
  type SavedMemory,
} from './project-memory';

/** Asks the window that leads. @throws ApiError; `unavailable` where it went away */
export class LeaderMemory implements ProjectMemory {
  constructor(
    private readonly api: Pick<LocalApi, 'call'>,
    private readonly folder: string,
  ) {}

  async search(query: string, limit: number): Promise<FoundMemory[]> {
    await this.namespace();
    return (await this.api.call('search', { query, limit, workspace: this.folder })).items;
  }

  async get(recordId: string): Promise<MemoryDetails | undefined> {
    const namespace = await this.namespace();
    const { record, history, evidence } = await this.api.call('getMemory', { record_id: recordId });
    return record?.namespace === namespace ? { record, history, evidence } : undefined;
  }

  async timeline(question: TimelineQuestion): Promise<Timeline> {
    await this.namespace();
    const { record_id, at, before, after } = question;
    const { items, anchor } = await this.api.call('timeline', {
      workspace: this.folder,
      before,
      after,
      ...(record_id === undefined ? {} : { record_id }),
      ...(at === undefined ? {} : { at }),
    });
    return { items, ...(anchor === undefined ? {} : { anchor }) };
  }

  async save(observation: SavedObservation, frame: AgentRequestFrame): Promise<SavedMemory> {
    await this.namespace();
    const { key, session_id, client } = frame;
    const saved = await this.api.call('saveObservation', {
      workspace: this.folder,
      key,
      session_id,
      ...(client ? { client } : {}),
      observation,
    });
    return { ...saved, waits: false };
  }

  async forget(recordId: string): Promise<Forgotten> {
    const found = await this.get(recordId);
    if (!found) return 'not_found';
    if (!mayForget(found.record)) return found.record.pinned ? 'pinned' : 'already';
    await this.api.call('forgetMemories', { record_ids: [recordId] });
    return 'forgotten';
  }

  /** The project of the folder, where memory is on for it. @throws MemoryOffError */
  private async namespace(): Promise<string> {
    const { namespace, allowed } = await this.api.call('resolveProject', { path: this.folder });
    if (allowed !== undefined && allowed !== 'yes') throw new MemoryOffError(allowed);
    return namespace;
  }
}
