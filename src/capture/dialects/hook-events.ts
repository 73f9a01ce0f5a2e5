/** What an event means, whatever a host calls it. */
export type HookEvent =
  | 'session_start'
  | 'prompt'
  | 'pre_tool'
  | 'post_tool'
  | 'stop'
  | 'pre_task'
  | 'post_task'
  | 'file'
  | 'manual'
  | 'compaction'
  | 'subagent';

/** Every spelling of every host, and the short words that our own hook files may use. */
const SPELLINGS: Record<HookEvent, readonly string[]> = {
  session_start: ['SessionStart', 'sessionStart', 'agentSpawn', 'start', 'spawn'],
  prompt: ['UserPromptSubmit', 'userPromptSubmit', 'promptSubmit', 'prompt'],
  pre_tool: ['PreToolUse', 'preToolUse'],
  post_tool: ['PostToolUse', 'postToolUse', 'tool'],
  stop: ['Stop', 'stop', 'agentStop', 'SessionEnd'],
  pre_task: ['PreTaskExec', 'preTaskExecution'],
  post_task: ['PostTaskExec', 'postTaskExecution'],
  file: [
    'PostFileCreate',
    'PostFileSave',
    'PostFileDelete',
    'AfterFileEdit',
    'fileCreated',
    'fileEdited',
    'fileDeleted',
  ],
  manual: ['Manual', 'userTriggered'],
  compaction: ['PreCompact', 'preCompact'],
  subagent: ['SubagentStart', 'SubagentStop', 'subagentStart', 'subagentStop'],
};

const BY_SPELLING: ReadonlyMap<string, HookEvent> = new Map(
  Object.entries(SPELLINGS).flatMap(([event, names]) => names.map((name) => [name, event as HookEvent])),
);

/** The event behind a spelling (case counts); undefined for words no host is known to use. */
export function hookEventOf(spelling: string): HookEvent | undefined {
  return BY_SPELLING.get(spelling);
}

/** The name that VS Code and Claude Code expect in `hookSpecificOutput`. */
export function canonicalName(event: HookEvent): string {
  return SPELLINGS[event][0] ?? event;
}
