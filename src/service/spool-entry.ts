import { z } from 'zod';
import { EVENT_KINDS, eventBodySchema, eventDetailSchema, SURFACES } from '../contract/event';
import type { EventDraft } from '../contract/event-draft';
import { LIMITS } from '../contract/limits';
import type { SpoolEntry } from './spool-files';

const pathSchema = z.string().max(LIMITS.projectPathChars);
const timeSchema = z.iso.datetime({ offset: true });

const draftSchema = z.object({
  ...eventDetailSchema.shape,
  kind: z.enum(EVENT_KINDS),
  body: eventBodySchema,
  session_id: z.string().max(LIMITS.idChars).optional(),
  valid_time: timeSchema.optional(),
  identity: z.string().min(1).max(1024),
  parent_identity: z.string().max(1024).optional(),
  parent_valid_time: timeSchema.optional(),
  surface: z.enum(SURFACES),
  client_id: z.string().max(LIMITS.idChars).optional(),
  branch: z.string().max(255).optional(),
  cwd: pathSchema.optional(),
  project_hints: z
    .object({
      workspace_paths: z.array(pathSchema).max(100).optional(),
      repositories: z.array(pathSchema).max(100).optional(),
    })
    .optional(),
  turn_id: z.string().max(LIMITS.idChars).optional(),
  ends_turn: z.boolean().optional(),
  session_title: z.string().max(LIMITS.titleChars).optional(),
});

const entrySchema = z.object({
  v: z.literal(1),
  key: z.string().min(1).max(128),
  spooled_at: timeSchema,
  draft: draftSchema,
});

/** Reads what a spool file holds; undefined where it is not an entry. Fields that a draft lacks are dropped. */
export function parseSpoolEntry(bytes: Uint8Array): SpoolEntry | undefined {
  try {
    const parsed = entrySchema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    if (!parsed.success) return undefined;
    return { ...parsed.data, draft: parsed.data.draft as EventDraft };
  } catch {
    return undefined;
  }
}
