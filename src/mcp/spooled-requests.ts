import path from 'node:path';
import { agentRequestOf, type AgentRequest } from '../contract/saved-note';
import type { EventDraft } from '../contract/event-draft';
import { nodeFileSystem } from '../platform/file-system';
import { readPrivateFile } from '../service/private-files';
import { parseSpoolEntry } from '../service/spool-entry';
import { ENTRY_PATTERN, SPOOL_LIMITS } from '../service/spool-files';

export interface SpooledRequest {
  /** File name: what was read once is known by it. */
  name: string;
  draft: EventDraft;
  request: AgentRequest;
}

/** What agents asked for while nobody led, about this folder, oldest first. */
export async function spooledRequests(dir: string, folder: string): Promise<SpooledRequest[]> {
  const names = await nodeFileSystem.readdir(dir).catch(() => []);
  const found: SpooledRequest[] = [];
  for (const name of names.filter((candidate) => ENTRY_PATTERN.test(candidate)).sort()) {
    const bytes = await readPrivateFile(path.join(dir, name), SPOOL_LIMITS.entryBytes).catch(() => undefined);
    const draft = bytes && parseSpoolEntry(bytes)?.draft;
    const request = draft && draft.cwd === folder ? agentRequestOf(draft) : undefined;
    if (draft && request) found.push({ name, draft, request });
  }
  return found;
}
