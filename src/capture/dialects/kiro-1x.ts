import { compact } from '../compact';
import type { HookFields, JsonDialect } from './dialect';
import { booleanField, commonFields, stringField } from './payload';

/** Kiro IDE 1.x and kiro-cli V3: one engine, snake_case on standard input, PascalCase events. */
export const kiro1x: JsonDialect = {
  name: 'kiro-1x',
  output: 'text',
  promptInSessionFile: true,
  surface: (frame) => (/\bcli\b/i.test(frame.host) ? 'kiro-cli' : 'kiro-ide'),
  matches: () => true,
  read: (payload) =>
    compact<HookFields>({
      ...commonFields(payload),
      specName: stringField(payload, 'spec_name'),
      taskName: stringField(payload, 'task_name'),
      taskSuccess: booleanField(payload, 'task_success'),
    }),
};

/** Session ids of this engine; no other host makes them. */
export function isKiroSessionId(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('sess_');
}
