import { compact } from '../compact';
import type { HookFields, JsonDialect } from './dialect';
import { commonFields, stringField } from './payload';

const EVENTS = new Set(['agentSpawn', 'userPromptSubmit', 'preToolUse', 'postToolUse', 'stop']);

/** kiro-cli's V1 and V2 engines: hooks of an agent's own configuration, camelCase event names. */
export const kiroCliV2: JsonDialect = {
  name: 'kiro-cli-v2',
  output: 'text',
  promptInSessionFile: false,
  surface: () => 'kiro-cli',
  matches: (payload) => EVENTS.has(stringField(payload, 'hook_event_name') ?? ''),
  read: (payload) =>
    compact<HookFields>({
      ...commonFields(payload),
      answer: stringField(payload, 'assistant_response'),
    }),
};
