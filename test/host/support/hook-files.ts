import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A hook as an agent reads it out of a file. */
export interface RegisteredHook {
  dialect: '0.x' | '1.x';
  name: string;
  /** As written: `UserPromptSubmit` (1.x), `promptSubmit` (0.x). */
  trigger: string;
  command: string;
  timeoutSeconds: number;
  enabled: boolean;
}

const kiro1Schema = z.object({
  version: z.literal('v1'),
  hooks: z
    .array(
      z.object({
        name: z.string().min(1),
        trigger: z.string(),
        matcher: z.string().optional(),
        action: z.strictObject({ type: z.literal('command'), command: z.string() }),
        timeout: z.number().min(0).default(60),
        enabled: z.boolean().default(true),
      }),
    )
    .min(1),
});

const kiro0Schema = z.object({
  enabled: z.boolean(),
  name: z.string().min(1),
  version: z.string().min(1),
  when: z.object({ type: z.string(), toolTypes: z.array(z.string()).optional() }),
  then: z.object({
    type: z.literal('runCommand'),
    command: z.string(),
    timeout: z.number().min(0).default(60),
  }),
});

/**
 * The hooks of a Kiro hook file, as strictly as the agent reads it: `*.kiro.hook` is the dialect of 0.x, `*.json` that
 * of 1.x. Throws a `ZodError` for a file that the agent would refuse.
 */
export function readHookFile(file: string): RegisteredHook[] {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!file.endsWith('.kiro.hook')) {
    return kiro1Schema.parse(parsed).hooks.map(({ name, trigger, action, timeout, enabled }) => ({
      dialect: '1.x',
      name,
      trigger,
      command: action.command,
      timeoutSeconds: timeout,
      enabled,
    }));
  }
  const { name, when, then, enabled } = kiro0Schema.parse(parsed);
  const { command, timeout } = then;
  return [{ dialect: '0.x', name, trigger: when.type, command, timeoutSeconds: timeout, enabled }];
}
