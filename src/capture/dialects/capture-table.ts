import type { EventDraft } from '../../contract/event-draft';
import { compact } from '../compact';
import { isSilentTool } from '../tool-names';
import { plainResult, toolUseBody, type ToolUse } from '../tool-use';
import type { Dialect, HookFields } from './dialect';
import type { HookCapture, HookInvocation } from './hook-capture';
import type { HookEvent } from './hook-events';

import { readProse } from './prose-result';

export interface HookContext {
  invocation: HookInvocation;
  dialect: Dialect;
  fields: HookFields;
  eventName: string;
}

/** The one table from event to capture, for every dialect. */
export const captureTable: Record<HookEvent, (context: HookContext) => HookCapture> = {
  session_start: captureSessionStart,
  prompt: capturePrompt,
  pre_tool: (context) => skip(context, 'a tool is about to run'),
  post_tool: captureTool,
  stop: captureStop,
  pre_task: (context) => captureTask(context, 'task_start'),
  post_task: (context) => captureTask(context, 'task_end'),
  file: (context) => skip(context, 'file events are not captured'),
  manual: (context) => skip(context, 'started by hand'),
  compaction: captureCompaction,
  subagent: (context) => skip(context, 'a delegate starts or stops'),
};

function skip(context: HookContext, reason: string): HookCapture {
  return { outcome: 'skip', dialect: context.dialect.name, reason };
}

function event(context: HookContext, draft: EventDraft, retrieve = false): HookCapture {
  const { dialect, eventName } = context;
  return { outcome: 'event', dialect: dialect.name, eventName, draft, retrieve, output: dialect.output };
}

type DraftStart = Omit<EventDraft, 'kind' | 'body'>;

/** `hostId`: an id of the host's own, so that a hook that is registered twice stores once. */
function startDraft({ invocation, dialect, fields }: HookContext, hostId?: string): DraftStart {
  const { frame } = invocation;
  const ownId = hostId && fields.sessionId ? `${fields.sessionId}:${hostId}` : frame.idempotencyKey;
  return compact<DraftStart>({
    identity: `hook:${dialect.name}:${ownId}`,
    session_id: fields.sessionId,
    valid_time: fields.time ?? new Date(invocation.receivedAt).toISOString(),
    surface: dialect.surface(frame),
    cwd: fields.cwd || frame.cwd,
    author: fields.agent,
  });
}

function captureSessionStart(context: HookContext): HookCapture {
  const { source } = context.fields;
  if (source === 'compact' || source === 'clear') return captureCompaction(context);
  const body = { type: 'text', content: 'Session started' } as const;
  return event(context, { ...startDraft(context), kind: 'note', type: 'system', body });
}

function capturePrompt(context: HookContext): HookCapture {
  const { fields, dialect } = context;
  if (fields.promptMalformed) return skip(context, 'the prompt is not text');
  const text = fields.prompt ?? '';
  const start = startDraft(context, fields.promptId);
  const draft: EventDraft = {
    ...start,
    kind: 'prompt',
    type: 'user_message',
    body: { type: 'text', content: text },
  };
  if (text.trim() !== '') return event(context, draft, true);
  if (!dialect.promptInSessionFile || !fields.sessionId) return skip(context, 'the prompt is empty');
  return {
    outcome: 'prompt_in_session_file',
    dialect: dialect.name,
    eventName: context.eventName,
    sessionId: fields.sessionId,
    draft: { ...draft, body: { type: 'text', content: '' } },
    output: dialect.output,
  };
}

function captureTool(context: HookContext): HookCapture {
  const { fields } = context;
  const name = fields.toolName?.trim();
  if (!name) return skip(context, 'the tool has no name');
  if (isSilentTool(name)) return skip(context, 'the tool is not captured');
  const result = plainResult(fields.toolResponse);
  const prose = typeof result === 'string' ? readProse(name, result) : {};
  const use = compact<ToolUse>({
    name,
    input: fields.toolInput,
    result: result ?? '',
    success: fields.success ?? prose.success,
    exitCode: prose.exit_code,
    path: prose.path,
  });
  return event(context, {
    ...startDraft(context, fields.toolUseId && `tool:${fields.toolUseId}`),
    kind: 'tool_use',
    type: 'action_end',
    action_name: name.slice(0, 200),
    body: toolUseBody(use),
  });
}

/** An empty `turn_id` in the signal means the session's open turn. */
function captureStop(context: HookContext): HookCapture {
  const { fields, dialect } = context;
  const text = fields.answer ?? '';
  if (text.trim() !== '') {
    return event(context, {
      ...startDraft(context),
      kind: 'session_summary',
      type: 'agent_message',
      body: { type: 'text', content: text },
      ends_turn: true,
    });
  }
  if (!fields.sessionId) return skip(context, 'the turn ended without text');
  return {
    outcome: 'signal',
    dialect: dialect.name,
    signal: { signal: 'turn_end', session_id: fields.sessionId, turn_id: '', stop_reason: 'end_turn' },
  };
}

function captureTask(context: HookContext, type: 'task_start' | 'task_end'): HookCapture {
  const { specName, taskName, taskSuccess } = context.fields;
  if (!taskName) return skip(context, 'the task has no name');
  const status = type === 'task_start' ? 'started' : taskSuccess === false ? 'failed' : 'done';
  const content = `Task ${taskName}${specName ? ` of spec ${specName}` : ''}: ${status}`;
  const draft: EventDraft = {
    ...startDraft(context),
    kind: 'note',
    type,
    body: { type: 'text', content },
    meta: { task_name: taskName, ...(specName ? { spec_name: specName } : {}) },
  };
  if (type === 'task_end') draft.task_status = taskSuccess === false ? 'error' : 'completed';
  return event(context, draft);
}

function captureCompaction(context: HookContext): HookCapture {
  const { fields, dialect } = context;
  if (!fields.sessionId) return skip(context, 'the session is unknown');
  return {
    outcome: 'signal',
    dialect: dialect.name,
    signal: { signal: 'compaction', session_id: fields.sessionId },
  };
}
