import { opendir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isSessionId, parseHeader, type SessionHeader } from './session-header';

export interface SessionFolder {
  folder: string;
  header: SessionHeader;
  /** Bytes of messages and delegates' files. */
  bytes: number;
}

/** Why sessions that are there were not read. */
export interface NotRead {
  schema_version: number;
  no_records: number;
  unreadable: number;
  /** Sessions of kiro-cli's V2 engine, which lie elsewhere in another form. */
  v2_engine: number;
}

export interface SessionCatalog {
  /** Oldest first. */
  sessions: SessionFolder[];
  not_read: NotRead;
}

/** Names in a folder; a folder that is missing or forbidden is empty. At most `limit` of them. */
export async function listNames(folder: string, limit = 20_000): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      names.push(entry.name);
      if (names.length >= limit) break;
    }
  } catch {
    return names;
  }
  return names;
}

/** Size of a file in bytes; undefined where there is none. */
export async function sizeOf(file: string): Promise<number | undefined> {
  try {
    const found = await stat(file);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}

const HEADER_BYTES = 4 * 1024 * 1024;

/** Header of a session folder, or why it is not read. */
export async function readFolderHeader(folder: string) {
  const file = path.join(folder, 'session.json');
  const size = await sizeOf(file);
  if (size === undefined || size > HEADER_BYTES) return { notRead: 'unreadable' as const };
  try {
    return parseHeader(await readFile(file, 'utf8'));
  } catch {
    return { notRead: 'unreadable' as const };
  }
}

/** `<.kiro>/sessions/<bucket>/sess_<id>` folders; buckets are digests and never computed. */
export async function* sessionFolders(kiroFolder: string): AsyncGenerator<string> {
  const root = path.join(kiroFolder, 'sessions');
  for (const bucket of await listNames(root)) {
    if (bucket === 'cli') continue;
    for (const name of await listNames(path.join(root, bucket))) {
      if (isSessionId(name)) yield path.join(root, bucket, name);
    }
  }
}

/** Finds what can be read below a `.kiro` folder, and counts what can't. */
export async function listSessions(kiroFolder: string): Promise<SessionCatalog> {
  const notRead: NotRead = { schema_version: 0, no_records: 0, unreadable: 0, v2_engine: 0 };
  const found = new Map<string, SessionFolder>();
  const empty = new Set<string>();
  for await (const folder of sessionFolders(kiroFolder)) {
    const result = await readFolderHeader(folder);
    if ('notRead' in result) {
      notRead[result.notRead] += 1;
      continue;
    }
    const { header } = result;
    const bytes = (await sizeOf(path.join(folder, 'messages.jsonl'))) ?? 0;
    // One session may lie in several buckets, of which only one has messages (Kiro 1.0.242).
    if (bytes === 0) empty.add(header.id);
    else if ((found.get(header.id)?.bytes ?? 0) < bytes) found.set(header.id, { folder, header, bytes });
  }
  notRead.no_records = [...empty].filter((id) => !found.has(id)).length;
  notRead.v2_engine = (await listNames(path.join(kiroFolder, 'sessions', 'cli'))).filter((name) =>
    name.endsWith('.jsonl'),
  ).length;
  const sessions = [...found.values()].sort((a, b) => (a.header.createdAt < b.header.createdAt ? -1 : 1));
  return { sessions, not_read: notRead };
}
