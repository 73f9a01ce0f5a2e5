import { z } from 'zod';
import type { EventDraft } from './event-draft';
import { LIMITS } from './limits';
import { OBSERVATION_TYPES, recordIdSchema } from './memory-record';

const list = (items: number, chars: number) => z.array(z.string().max(chars)).max(items);

/** What an agent asks to be kept. It can set neither origin, importance, time nor pin. */
export const savedObservationSchema = z.object({
  observation_type: z.enum(OBSERVATION_TYPES),
  title: z.string().min(1).max(LIMITS.titleChars),
  summary: z.string().max(LIMITS.summaryChars),
  facts: list(LIMITS.facts, LIMITS.factChars),
  concepts: list(LIMITS.concepts, LIMITS.conceptChars),
  files_touched: list(LIMITS.files, LIMITS.fileChars),
});
export type SavedObservation = z.infer<typeof savedObservationSchema>;

/** The same after scrubbing, which may have made a text longer: whoever makes a record of it cuts it again. */
const scrubbedObservationSchema = z.object({
  observation_type: z.enum(OBSERVATION_TYPES),
  title: z.string(),
  summary: z.string(),
  facts: z.array(z.string()),
  concepts: z.array(z.string()),
  files_touched: z.array(z.string()),
});

/** Body of a draft that an agent's program left in the spool because nobody led. */
export const agentRequestSchema = z.discriminatedUnion('request', [
  z.object({ request: z.literal('save_observation'), observation: scrubbedObservationSchema }),
  z.object({ request: z.literal('forget_memory'), record_id: recordIdSchema }),
]);
export type AgentRequest = z.infer<typeof agentRequestSchema>;

/** Who asks, about which folder, and the key that makes it one request however often it arrives. */
export interface AgentRequestFrame {
  /** Of `platform/launcher-key.ts`. */
  key: string;
  /** Milliseconds since 1970: the time in the key. */
  at: number;
  /** Root of the project, absolute. */
  workspace: string;
  session_id: string;
  /** Name of the agent's program, as it calls itself. */
  client?: string;
}

/** The draft of a request: the same request gives the same draft, online and in the spool. */
export function agentRequestDraft(request: AgentRequest, frame: AgentRequestFrame): EventDraft {
  const draft: EventDraft = {
    kind: 'note',
    type: 'system',
    body: { type: 'json', data: request },
    session_id: frame.session_id,
    valid_time: new Date(frame.at).toISOString(),
    identity: `mcp:${frame.key}`,
    surface: 'mcp',
    cwd: frame.workspace,
    label: request.request,
  };
  if (request.request === 'save_observation') draft.display_message = request.observation.title;
  if (frame.client) {
    draft.author = frame.client;
    draft.session_title = `Notes of ${frame.client}`.slice(0, LIMITS.titleChars);
  }
  return draft;
}

/** The request that a draft or an event of surface `mcp` carries; undefined for any other. */
export function agentRequestOf(carrier: {
  surface: string;
  kind: string;
  body: EventDraft['body'];
}): AgentRequest | undefined {
  if (carrier.surface !== 'mcp' || carrier.kind !== 'note' || carrier.body.type !== 'json') return undefined;
  return agentRequestSchema.safeParse(carrier.body.data).data;
}
