import { compact } from '../compact';
import type { HookFields, JsonDialect } from './dialect';
import { commonFields, idField, stringField } from './payload';
import { isKiroSessionId } from './kiro-1x';

/** Fields that Claude Code sends and Kiro's engine never does. */
const MARKS = [
  'transcript_path',
  'permission_mode',
  'tool_use_id',
  'stop_hook_active',
  'last_assistant_message',
  'prompt_id',
  'source',
  'agent_id',
];

/** Claude Code: snake_case on standard input, PascalCase events. */
export const claudeCode: JsonDialect = {
  name: 'claude-code',
  output: 'claude-json',
  promptInSessionFile: false,
  surface: () => 'claude-code',
  matches: (payload) => !isKiroSessionId(payload['session_id']) && MARKS.some((mark) => mark in payload),
  read: (payload) =>
    compact<HookFields>({
      ...commonFields(payload),
      promptId: idField(payload, 'prompt_id'),
      toolUseId: idField(payload, 'tool_use_id'),
      answer: stringField(payload, 'last_assistant_message'),
      agent: stringField(payload, 'agent_type'),
      source: stringField(payload, 'source'),
    }),
};
