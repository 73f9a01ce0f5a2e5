import { compact } from '../compact';
import { isObject } from '../json-value';
import type { Dialect, HookFields } from './dialect';
import { hookEventOf } from './hook-events';
import { booleanField, parseJson, stringField } from './payload';

/**
 * Kiro IDE before 1.0: the payload is the text of `USER_PROMPT`, names no event and no session, and is the
 * prompt itself, a camelCase JSON object, or empty.
 */
export const kiro0x: Dialect & { read(text: string, event: string): HookFields } = {
  name: 'kiro-0x',
  output: 'text',
  promptInSessionFile: false,
  surface: () => 'kiro-ide',
  read(text, event) {
    const object = objectOf(text);
    const known = hookEventOf(event) ? event : event === '' && isToolObject(object) ? 'postToolUse' : event;
    switch (hookEventOf(known)) {
      case 'prompt':
        return { event: known, ...readPrompt(text, object) };
      case 'post_tool':
        return { event: known, ...readTool(text, object) };
      case 'stop':
        return { event: known, answer: object && Object.keys(object).length === 0 ? '' : text };
      default:
        return { event: known };
    }
  },
};

function objectOf(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  const value = parseJson(text)?.value;
  return isObject(value) ? value : undefined;
}

function isToolObject(object: Record<string, unknown> | undefined): boolean {
  return object !== undefined && typeof object['toolName'] === 'string' && 'toolResult' in object;
}

/** A wrapper with `prompt` is unwrapped; any other JSON document is what the person typed. */
function readPrompt(text: string, object: Record<string, unknown> | undefined): HookFields {
  const wrapped = object && stringField(object, 'prompt');
  if (wrapped !== undefined) return { prompt: wrapped };
  const isEnvelope = object && stringField(object, 'hookEventName', 'hook_event_name') !== undefined;
  return isEnvelope ? {} : { prompt: text };
}

const TOOL_NAME = /^\s*\{\s*"toolName"\s*:\s*"([^"\\]{1,200})"/;

/** A payload that the environment's size limit cut (pain 58) still tells the tool and some of its result. */
function readTool(text: string, object: Record<string, unknown> | undefined): HookFields {
  if (!object) return { toolName: TOOL_NAME.exec(text)?.[1] ?? 'unknown', toolResponse: text };
  return compact<HookFields>({
    toolName: stringField(object, 'toolName'),
    toolInput: object['toolArgs'] ?? undefined,
    toolResponse: object['toolResult'] ?? undefined,
    success: booleanField(object, 'toolSuccess'),
  });
}
