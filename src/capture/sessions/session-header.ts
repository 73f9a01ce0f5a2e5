import { z } from 'zod';
import { LIMITS } from '../../contract/limits';

/** The one schema that was ever measured; any other is counted and left. */
export const READ_SCHEMA = '1.0.0';

const repositorySchema = z
  .union([
    z.string(),
    z.looseObject({
      root: z.string().optional(),
      worktree: z.string().optional(),
      branch: z.string().optional(),
    }),
  ])
  .catch('');

const headerSchema = z.looseObject({
  schemaVersion: z.string(),
  id: z.string(),
  title: z.string().catch(''),
  agentMode: z.string().catch(''),
  workspacePaths: z.array(z.string()).catch([]),
  createdAt: z.string().catch(''),
  lastModifiedAt: z.string().catch(''),
  createdReason: z.string().optional().catch(undefined),
  parentSessionId: z.string().optional().catch(undefined),
  repositories: z.array(repositorySchema).optional().catch(undefined),
});

/** What is used of `session.json`; keys that are unknown or of the wrong type don't matter. */
export interface SessionHeader {
  id: string;
  /** '' for a session that was not named yet. */
  title: string;
  agentMode: string;
  workspacePaths: string[];
  /** ISO 8601, may be ''. */
  createdAt: string;
  lastModifiedAt: string;
  parentSessionId?: string;
  /** Roots of the repositories that the session worked in. */
  repositories: string[];
  branch?: string;
}

export type HeaderResult =
  | { header: SessionHeader }
  /** `schema_version`: another schema than 1.0.0. `unreadable`: no header at all. */
  | { notRead: 'schema_version' | 'unreadable' };

/** Ids become path segments, so nothing else than what the engine writes is accepted. */
export function isSessionId(id: string): boolean {
  return /^sess_[0-9a-f][0-9a-f-]{7,63}$/.test(id);
}

const UNTITLED = 'New Session';

/** Reads the text of a `session.json`. Never throws. */
export function parseHeader(text: string): HeaderResult {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { notRead: 'unreadable' };
  }
  const parsed = headerSchema.safeParse(value);
  if (!parsed.success || !isSessionId(parsed.data.id)) return { notRead: 'unreadable' };
  const { data } = parsed;
  if (data.schemaVersion !== READ_SCHEMA) return { notRead: 'schema_version' };
  const entries = (data.repositories ?? []).filter((entry) => entry !== '');
  const roots = entries.map((entry) => (typeof entry === 'string' ? entry : (entry.root ?? '')));
  const branch = entries.map((entry) => (typeof entry === 'string' ? undefined : entry.branch)).find(Boolean);
  return {
    header: {
      id: data.id,
      title: data.title === UNTITLED ? '' : data.title.slice(0, LIMITS.titleChars),
      agentMode: data.agentMode,
      workspacePaths: data.workspacePaths.slice(0, 64),
      createdAt: data.createdAt,
      lastModifiedAt: data.lastModifiedAt,
      repositories: roots.filter((root) => root !== '').slice(0, 64),
      ...(data.parentSessionId ? { parentSessionId: data.parentSessionId } : {}),
      ...(branch ? { branch: branch.slice(0, 255) } : {}),
    },
  };
}
