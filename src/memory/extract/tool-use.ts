import { toolUseDataSchema, type JsonValue, type MemoryEvent } from '../../contract/event';
import { jsonText } from './event-text';
import { pathsIn } from './paths';

/** What a call does to the project. */
export type ToolEffect = 'edit' | 'run' | 'read' | 'outside' | 'act' | 'delegate';

/** A `tool_use` event, taken apart once. */
export interface ToolUse {
  event: MemoryEvent;
  name: string;
  input: JsonValue;
  effect: ToolEffect;
  /** Result as text. */
  output: string;
  /** Undefined where the source did not say. */
  success?: boolean;
  /** Shell command line, where the call ran one. */
  command?: string;
  /** Files that an edit wrote, as the call spelled them. */
  files: string[];
  /** Files that a read named. */
  read: string[];
  /** Text that an edit took away and put in, where the call told. */
  removed: string;
  added: string;
}

const EDIT_NAME =
  /^(?:fs_?write|create_?file|write(?:_?file)?|str_?replace(?:_?editor|_based_edit_tool)?|fs_?append|append(?:_?file)?|delete_?file|apply_?patch|(?:multi_?)?edit(?:_?(?:file|code))?|insert(?:_?edit(?:_into_file)?)?|replace_string_in_file|notebook_?edit|move_?file|rename_?file|semantic_?rename|smart_?relocate)$/i;
const SHELL_NAME =
  /^(?:execute_?(?:bash|pwsh|cmd|command)|bash|shell|powershell|pwsh|run_?(?:command|in_terminal|shell)|terminal|control_?(?:bash|pwsh)_?process|get_?process_?output)$/i;
const READ_NAME =
  /(?:^|_)(?:read|list|search|grep|glob|find|get|view|open|ls|cat|fetch|query|show|describe|diagnostics?|lookup|status|check|count|size)(?:_|s?$)|^(?:read|list|grep|glob|search|view)/i;
const WEB_NAME = /web|fetch|browser|url|http/i;
const MCP_NAME = /^(?:mcp_|@[\w-]+\/|mcp__)/i;
const DELEGATE_NAME = /sub_?-?agent|delegate|^task$|^agent$/i;
const ACT_WORD =
  /(?:^|_)(?:set|create|update|delete|remove|add|write|send|post|publish|deploy|merge|close|assign|apply|run|execute|start|stop|restart|upload|insert|move|rename)(?:_|$)/i;

const COMMAND_KEYS = ['command', 'cmd', 'script', 'commandLine', 'command_line'];
const FILE_KEYS = [
  'path',
  'file_path',
  'filePath',
  'file',
  'target_file',
  'targetFile',
  'notebook_path',
  'filename',
  'destination',
  'new_path',
];
const ADDED_KEYS = [
  'newStr',
  'new_str',
  'new_string',
  'newString',
  'text',
  'content',
  'contents',
  'file_text',
  'fileText',
  'insert_text',
  'newText',
  'code_edit',
];
const REMOVED_KEYS = ['oldStr', 'old_str', 'old_string', 'oldString', 'oldText'];

/** What a longer command line does is data (a here document). */
const COMMAND_MAX = 2000;

/** Reads a `tool_use` event; undefined where its body is not one. */
export function readToolUse(event: MemoryEvent): ToolUse | undefined {
  if (event.body.type !== 'json') return undefined;
  const parsed = toolUseDataSchema.safeParse(event.body.data);
  if (!parsed.success) return undefined;
  const { tool_name: name, tool_response: response } = parsed.data;
  const input = (parsed.data.tool_input ?? {}) as JsonValue;
  const output = response?.result === undefined ? '' : jsonText(response.result as JsonValue);
  const command = textAt(input, COMMAND_KEYS);
  const effect = effectOf(name, command !== undefined);
  const edit = effect === 'edit';
  const use: ToolUse = {
    event,
    name,
    input,
    effect,
    output,
    files: edit ? filesAt(input) : [],
    read: effect === 'read' ? filesAt(input).filter((file) => pathsIn(file).length > 0) : [],
    removed: edit ? textsAt(input, REMOVED_KEYS) : '',
    added: edit ? textsAt(input, ADDED_KEYS) : '',
  };
  const success = outcome(response?.success, effect, output);
  if (success !== undefined) use.success = success;
  if (command !== undefined && effect === 'run') use.command = command.trim().slice(0, COMMAND_MAX);
  return use;
}

/** False for calls that failed and for calls that were cut off before they answered. */
export function wentThrough(use: ToolUse): boolean {
  return use.success !== false && use.event.type !== 'action_start';
}

function effectOf(name: string, hasCommand: boolean): ToolEffect {
  if (DELEGATE_NAME.test(name)) return 'delegate';
  if (MCP_NAME.test(name)) return ACT_WORD.test(name) ? 'act' : 'outside';
  if (SHELL_NAME.test(name)) return 'run';
  if (EDIT_NAME.test(name)) return 'edit';
  if (WEB_NAME.test(name)) return 'outside';
  if (READ_NAME.test(name)) return 'read';
  if (hasCommand) return 'run';
  return ACT_WORD.test(name) ? 'act' : 'read';
}

/** Only what the source states, and a shell's own exit line where it states nothing. */
function outcome(stated: boolean | undefined, effect: ToolEffect, output: string): boolean | undefined {
  if (stated !== undefined) return stated;
  if (effect !== 'run') return undefined;
  const code = /(?:^|\n)Exit Code: (-?\d+)\s*$/.exec(output)?.[1];
  return code === undefined ? undefined : code === '0';
}

function textAt(input: JsonValue, keys: readonly string[]): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** The texts under `keys`, also in a list of edits. */
function textsAt(input: JsonValue, keys: readonly string[]): string {
  const found: string[] = [];
  for (const part of partsOf(input)) {
    const text = textAt(part, keys);
    if (text !== undefined) found.push(text);
  }
  return found.join('\n');
}

function filesAt(input: JsonValue): string[] {
  const files = partsOf(input)
    .map((part) => textAt(part, FILE_KEYS))
    .filter((file) => file !== undefined);
  const patch = textAt(input, ['patch', 'diff', 'input']);
  for (const match of patch?.matchAll(/^(?:\+\+\+ b\/|\*\*\* (?:Add|Update|Delete) File: )(\S+)/gm) ?? []) {
    if (match[1] !== undefined) files.push(match[1]);
  }
  return [...new Set(files)];
}

function partsOf(input: JsonValue): JsonValue[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const nested = Object.values(input).filter((value) => Array.isArray(value));
  return [input, ...nested.flat()];
}
