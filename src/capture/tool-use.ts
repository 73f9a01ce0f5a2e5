import type { EventBody, JsonObject, JsonValue } from '../contract/event';
import { isEmptyValue, isObject, toJsonValue } from './json-value';

export interface ToolUse {
  name: string;
  input: unknown;
  /** What came back, in whatever form the source has it. */
  result: unknown;
  success?: boolean;
  exitCode?: number;
  durationMs?: number;
  /** Path that only the result told; used where the call's own arguments are empty. */
  path?: string;
}

/** Body of a `tool_use` event: `{tool_name, tool_input, tool_response {result, success?}, duration_ms?}`. */
export function toolUseBody(use: ToolUse): EventBody {
  const response: JsonObject = { result: toJsonValue(use.result ?? '') };
  if (use.success !== undefined) response['success'] = use.success;
  if (use.exitCode !== undefined) response['exit_code'] = use.exitCode;
  const data: JsonObject = {
    tool_name: use.name,
    tool_input: toolInput(use),
    tool_response: response,
  };
  if (use.durationMs !== undefined && Number.isFinite(use.durationMs)) data['duration_ms'] = use.durationMs;
  return { type: 'json', data };
}

function toolInput(use: ToolUse): JsonValue {
  if (!isEmptyValue(use.input)) return toJsonValue(use.input);
  return use.path === undefined ? {} : { path: use.path };
}

/**
 * The text of a structured result where it has one: `{success, result: [text]}` (kiro-cli V2),
 * `{stdout, stderr}` and content blocks (Claude Code). Everything else stays as it is.
 */
export function plainResult(response: unknown): unknown {
  if (Array.isArray(response)) return joinTexts(response) ?? response;
  if (!isObject(response)) return response;
  const { stdout, stderr, result, content } = response;
  if (typeof stdout === 'string') {
    return typeof stderr === 'string' && stderr !== '' ? `${stdout}\n${stderr}` : stdout;
  }
  if ('success' in response && result !== undefined) return plainResult(result);
  if (Array.isArray(content)) return joinTexts(content) ?? response;
  return response;
}

function joinTexts(parts: unknown[]): string | undefined {
  const texts = parts.map((part) =>
    typeof part === 'string'
      ? part
      : isObject(part) && typeof part['text'] === 'string'
        ? part['text']
        : undefined,
  );
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join('\n') : undefined;
}
