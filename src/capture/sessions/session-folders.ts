import { opendir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isSessionId, parseHeader, type SessionHeader } from './session-header';

/**
 * Why a session that is there is not read: another schema than ours, a header only, no header that can be read,
 * or a session of kiro-cli's V2 engine (start kiro-cli with `--v3`, or set `chat.agentEngine` to `v3`).
 */
export type RefusedReason = 'schema_version' | 'no_records' | 'unreadable' | 'v2_engine';

export interface FoundSession {
  session_id: string;
  folder: string;
  /** Bytes of its messages. */
  bytes: number;
  header?: SessionHeader;
  refused?: RefusedReason;
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

/** The folder of the buckets, for a home folder, a `.kiro` folder or itself. */
async function sessionsRoot(root: string): Promise<string> {
  for (const candidate of [path.join(root, '.kiro', 'sessions'), path.join(root, 'sessions')]) {
    if (await isFolder(candidate)) return candidate;
  }
  return root;
}

async function isFolder(name: string): Promise<boolean> {
  try {
    return (await stat(name)).isDirectory();
  } catch {
    return false;
  }
}

/** `sessions/<bucket>/sess_<id>` folders; a bucket's name is a digest and never computed. */
export async function* sessionFolders(sessions: string): AsyncGenerator<string> {
  for (const bucket of await listNames(sessions)) {
    if (bucket === 'cli') continue;
    for (const name of await listNames(path.join(sessions, bucket))) {
      if (isSessionId(name)) yield path.join(sessions, bucket, name);
    }
  }
}

/**
 * Every session below a home folder, a `.kiro` folder or its `sessions`, oldest first, with the reason where one
 * is not read. Only headers are opened.
 */
export async function findSessionFolders(root: string): Promise<FoundSession[]> {
  const sessions = await sessionsRoot(root);
  const found = new Map<string, FoundSession>();
  for await (const folder of sessionFolders(sessions)) {
    const session = await inspect(folder);
    const known = found.get(session.session_id);
    // One session may lie in several buckets, of which only one has messages (Kiro 1.0.242).
    if (!known || known.bytes < session.bytes) found.set(session.session_id, session);
  }
  for (const name of await listNames(path.join(sessions, 'cli'))) {
    if (!name.endsWith('.jsonl')) continue;
    const folder = path.join(sessions, 'cli', name);
    const id = name.slice(0, -'.jsonl'.length);
    found.set(id, { session_id: id, folder, bytes: (await sizeOf(folder)) ?? 0, refused: 'v2_engine' });
  }
  return [...found.values()].sort(
    (a, b) => compare(createdAt(a), createdAt(b)) || compare(a.session_id, b.session_id),
  );
}

async function inspect(folder: string): Promise<FoundSession> {
  const bytes = (await sizeOf(path.join(folder, 'messages.jsonl'))) ?? 0;
  const base = { session_id: path.basename(folder), folder, bytes };
  const result = await readFolderHeader(folder);
  if ('notRead' in result) return { ...base, refused: result.notRead };
  return bytes === 0
    ? { ...base, header: result.header, refused: 'no_records' }
    : { ...base, header: result.header };
}

function createdAt(session: FoundSession): string {
  return session.header?.createdAt ?? '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
