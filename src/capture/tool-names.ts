/** MCP tools of ours, however a host spells server and tool: `mcp_kiro_learn_…`, `@kiro-learn-ide/…`. */
const OWN_TOOL = /^(?:mcp_{1,2}|@)kiro[-_]?learn/i;

/**
 * Tools that are no work on the project: Kiro's own memory, thinking aloud, and the empty shell that
 * precedes a delegate's answer (`subagent_response`, "Response recorded.").
 */
const SILENT_TOOLS = new Set(['memory', 'thinking', 'think', 'subagent_response']);

/** True for calls that must never be captured: our own recall would feed back (pain 75). */
export function isSilentTool(name: string): boolean {
  return OWN_TOOL.test(name) || SILENT_TOOLS.has(name);
}

const WRITE_TOOLS = new Set([
  'fs_write',
  'create_file',
  'str_replace',
  'fs_append',
  'delete_file',
  'apply_patch',
  'edit_file',
  'write',
  'fswrite',
  'createfile',
  'strreplace',
  'fsappend',
  'deletefile',
]);
const SHELL_TOOLS = new Set(['execute_bash', 'execute_pwsh', 'shell', 'executebash', 'executepwsh']);

/** What a tool of Kiro does, as far as its prose result can be read; 0.x spells names in camel case. */
export function toolClass(name: string): 'write' | 'shell' | 'other' {
  const folded = name.toLowerCase();
  if (WRITE_TOOLS.has(folded)) return 'write';
  return SHELL_TOOLS.has(folded) ? 'shell' : 'other';
}
