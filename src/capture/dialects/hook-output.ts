import { canonicalName, hookEventOf, type HookEvent } from './hook-events';

/** `text`: plain standard output (Kiro). The others: `hookSpecificOutput.additionalContext`. */
export type HookOutput = 'text' | 'vscode-json' | 'claude-json';

/** Events whose output the host hands to its model; elsewhere printing would be noise or a parse error. */
const DELIVERED: Record<HookOutput, readonly HookEvent[]> = {
  text: ['prompt', 'session_start'],
  'vscode-json': ['session_start', 'post_tool'],
  'claude-json': ['session_start', 'prompt', 'post_tool'],
};

/** True where a host delivers what a hook prints at this event (Kiro#10571; VS Code has no prompt output). */
export function deliversContext(output: HookOutput, eventName: string): boolean {
  const event = hookEventOf(eventName);
  return event !== undefined && DELIVERED[output].includes(event);
}

/**
 * What a hook prints so that `context` reaches the model.
 * @param eventName any spelling of the event that is answered
 * @returns the bytes for standard output, or '' where there is nothing to say or the host would drop it
 */
export function formatHookOutput(output: HookOutput, eventName: string, context: string): string {
  const event = hookEventOf(eventName);
  if (context === '' || event === undefined || !DELIVERED[output].includes(event)) return '';
  if (output === 'text') return context;
  const hookSpecificOutput = { hookEventName: canonicalName(event), additionalContext: context };
  return JSON.stringify({ hookSpecificOutput });
}
