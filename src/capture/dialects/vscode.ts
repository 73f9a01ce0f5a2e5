import { compact } from '../compact';
import type { HookFields, JsonDialect } from './dialect';
import { commonFields, idField, stringField, timeField } from './payload';
import { isKiroSessionId } from './kiro-1x';

/** VS Code agent hooks: camelCase envelope around snake_case tool fields, a timestamp in each payload. */
export const vscode: JsonDialect = {
  name: 'vscode',
  output: 'vscode-json',
  promptInSessionFile: false,
  surface: () => 'vscode',
  matches: (payload) =>
    !isKiroSessionId(payload['session_id']) &&
    (typeof payload['hookEventName'] === 'string' ||
      typeof payload['sessionId'] === 'string' ||
      (typeof payload['timestamp'] === 'string' && 'hook_event_name' in payload)),
  read: (payload) =>
    compact<HookFields>({
      ...commonFields(payload),
      time: timeField(payload, 'timestamp'),
      toolUseId: idField(payload, 'tool_use_id', 'toolUseId'),
      agent: stringField(payload, 'agent_type', 'agentType'),
      source: stringField(payload, 'source'),
    }),
};
