import { applyEdits, modify, parse, type JSONPath, type ParseError } from 'jsonc-parser';
import { OWN_NAME, runsLauncher } from './hook-files';

/** How our server is started; `env` is absent where nothing is needed. */
export interface McpCommand {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

export type Merge = { text: string; ours: string } | { blocked: 'not_json' };

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

/**
 * Sets our server in an `mcp.json`. Comments, order, other servers and the user's own `disabled` and
 * `autoApprove` of ours stay; a file that can't be parsed is left alone.
 */
export function mergeMcpServer(text: string | undefined, server: McpCommand): Merge {
  const root = readObject(text);
  if (root === undefined) return { blocked: 'not_json' };
  const existing = property(property(root, 'mcpServers'), OWN_NAME);
  const kept: Record<string, unknown> = {};
  for (const key of ['disabled', 'autoApprove', 'disabledTools', 'timeout']) {
    const value = property(existing, key);
    if (value !== undefined) kept[key] = value;
  }
  const entry = { ...server, ...kept };
  const ours = JSON.stringify({ mcpServers: { [OWN_NAME]: entry } }, null, 2);
  return { text: edit(text, ['mcpServers', OWN_NAME], entry), ours };
}

/** Takes our server out of an `mcp.json`; undefined where it is not in there or the file can't be parsed. */
export function withoutMcpServer(text: string): string | undefined {
  const root = readObject(text);
  if (property(property(root, 'mcpServers'), OWN_NAME) === undefined) return undefined;
  return edit(text, ['mcpServers', OWN_NAME], undefined);
}

/** Adds our entries to the `hooks` of a Claude Code settings file, in place of older ones of ours. */
export function mergeClaudeHooks(text: string | undefined, entries: Record<string, object>): Merge {
  if (readObject(text) === undefined) return { blocked: 'not_json' };
  let merged = text ?? '';
  for (const [event, entry] of Object.entries(entries)) {
    const others = claudeEntries(merged, event).filter((other) => !isOurs(other));
    merged = edit(merged, ['hooks', event], [...others, entry]);
  }
  const ours = Object.fromEntries(Object.entries(entries).map(([event, entry]) => [event, [entry]]));
  return { text: merged, ours: JSON.stringify({ hooks: ours }, null, 2) };
}

/** Takes our entries out of Claude Code's settings; undefined where there are none. */
export function withoutClaudeHooks(text: string): string | undefined {
  const hooks = property(readObject(text), 'hooks');
  if (typeof hooks !== 'object' || hooks === null) return undefined;
  let result = text;
  let found = false;
  for (const event of Object.keys(hooks)) {
    const entries = claudeEntries(result, event);
    const others = entries.filter((entry) => !isOurs(entry));
    if (others.length === entries.length) continue;
    found = true;
    result = edit(result, ['hooks', event], others.length > 0 ? others : undefined);
  }
  if (!found) return undefined;
  const left = property(readObject(result), 'hooks');
  const empty = typeof left === 'object' && left !== null && Object.keys(left).length === 0;
  return empty ? edit(result, ['hooks'], undefined) : result;
}

function isOurs(entry: unknown): boolean {
  return runsLauncher(JSON.stringify(entry) ?? '');
}

function claudeEntries(text: string, event: string): unknown[] {
  const entries = property(property(readObject(text), 'hooks'), event);
  return Array.isArray(entries) ? (entries as unknown[]) : [];
}

/** The root object; an empty or absent file counts as `{}`. */
function readObject(text: string | undefined): object | undefined {
  if (text === undefined || text.trim() === '') return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return undefined;
  return value;
}

function property(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function edit(text: string | undefined, path: JSONPath, value: unknown): string {
  const base = text === undefined || text.trim() === '' ? '{}\n' : text;
  const edited = applyEdits(base, modify(base, path, value, { formattingOptions }));
  return edited.endsWith('\n') ? edited : `${edited}\n`;
}
