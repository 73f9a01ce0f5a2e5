import { z } from 'zod';
import { EVENT_TYPES, SEVERITIES, TASK_STATUSES, type EventType } from '../../contract/event';
import { LIMITS } from '../../contract/limits';

const ELEPHANTASM_TYPES = ['MESSAGE_IN', 'MESSAGE_OUT', 'TOOL_CALL', 'TOOL_RESULT', 'SYSTEM'] as const;
export type ElephantasmType = (typeof ELEPHANTASM_TYPES)[number];

/** Longer strings are cut: a label is no reason to refuse an event. */
const short = (most: number) =>
  z
    .string()
    .transform((text) => text.slice(0, most))
    .optional()
    .catch(undefined);
const id = z.string().min(1).max(LIMITS.idChars).optional().catch(undefined);
const time = z.union([z.string(), z.number()]).optional().catch(undefined);

/** Fields of both event dialects; either may use any of them. */
export const apiFieldsSchema = z.looseObject({
  event_id: id,
  idempotency_key: id,
  event_type: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  /** CraftBot's label, free text. */
  kind: short(500),
  message: z.string().optional().catch(undefined),
  content: z.string().optional().catch(undefined),
  display_message: short(4000),
  severity: z.enum(SEVERITIES).optional().catch('INFO'),
  session_id: id,
  anima_id: id,
  author: short(200),
  role: short(64),
  occurred_at: time,
  ts: time,
  action_id: id,
  action_name: short(200),
  action_display_name: short(200),
  action_input: z.unknown().optional(),
  action_output: z.unknown().optional(),
  task_status: z.enum(TASK_STATUSES).optional().catch(undefined),
  platform: short(200),
  repeat_count: z.number().int().min(1).optional().catch(undefined),
  importance_score: z
    .number()
    .transform((score) => Math.min(1, Math.max(0, score)))
    .optional()
    .catch(undefined),
  source_uri: short(2048),
  meta: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
export type ApiFields = z.infer<typeof apiFieldsSchema>;

export type ApiType = { craftbot: EventType } | { elephantasm: ElephantasmType };

/** The closed type that an event names: one of CraftBot's 13 or Elephantasm's five, however its client spells them. */
export function apiTypeOf({ event_type, type }: ApiFields): ApiType | undefined {
  for (const name of [event_type, type]) {
    if (name === undefined) continue;
    const craftbot = EVENT_TYPES.find((known) => known === name);
    if (craftbot) return { craftbot };
    const folded = name
      .replace(/^EventType\./, '')
      .replace('.', '_')
      .toUpperCase();
    const elephantasm = ELEPHANTASM_TYPES.find((known) => known === folded);
    // `system` is CraftBot's word, `SYSTEM` Elephantasm's; both mean a note.
    if (elephantasm) return { elephantasm };
  }
  return undefined;
}

const NAIVE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/**
 * ISO 8601 UTC of a client's time: ISO text (UTC where it names no offset), seconds or milliseconds since 1970.
 * Undefined where there is none or it can't be read.
 */
export function apiTime(...candidates: (string | number | undefined)[]): string | undefined {
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const ms =
      typeof candidate === 'number'
        ? candidate * (Math.abs(candidate) < 1e11 ? 1000 : 1)
        : Date.parse(NAIVE_TIME.test(candidate) ? `${candidate.replace(' ', 'T')}Z` : candidate);
    if (Number.isFinite(ms) && Math.abs(ms) < 8.64e15) return new Date(ms).toISOString();
  }
  return undefined;
}
