import path from 'node:path';
import { readFolderHeader, sessionFolders, sizeOf } from '../capture/sessions/session-folders';
import type { SessionHeader } from '../capture/sessions/session-header';

export interface FoundSession {
  session_id: string;
  folder: string;
  header?: SessionHeader;
  /** Bytes of `messages.jsonl`. */
  bytes: number;
  /** Why it can't be read, where it can't. */
  refused?: string;
}

/**
 * Sessions below a `.kiro` folder, oldest first; those that can't be read too, with the reason. One session
 * may lie in several buckets, of which only one has messages (Kiro 1.0.242): that one is kept.
 */
export async function findSessions(kiroFolder: string): Promise<FoundSession[]> {
  const found = new Map<string, FoundSession>();
  for await (const folder of sessionFolders(kiroFolder)) {
    const session = await inspect(folder);
    const known = found.get(session.session_id);
    if (!known || known.bytes < session.bytes) found.set(session.session_id, session);
  }
  return [...found.values()].sort((a, b) => startOf(a).localeCompare(startOf(b)));
}

async function inspect(folder: string): Promise<FoundSession> {
  const result = await readFolderHeader(folder);
  const bytes = (await sizeOf(path.join(folder, 'messages.jsonl'))) ?? 0;
  const base = { session_id: path.basename(folder), folder, bytes };
  if ('notRead' in result) return { ...base, refused: result.notRead };
  return { ...base, header: result.header, ...(bytes === 0 ? { refused: 'no_records' } : {}) };
}

function startOf(session: FoundSession): string {
  return session.header?.createdAt ?? '';
}
