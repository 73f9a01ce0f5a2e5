import type { EventDraft } from '../../contract/event-draft';
import type { JsonObject, Surface } from '../../contract/event';
import { compact } from '../compact';
import { readProse } from '../dialects/prose-result';
import { plainResult, toolUseBody, type ToolUse } from '../tool-use';
import { joinFragments } from './say-text';
import type { SessionHeader } from './session-header';
import type { AnyRow, SessionRow } from './session-row';

/** A draft that later ones belong to. */
export interface ParentRef {
  identity: string;
  time: string;
}

/** Where a row belongs: its turn, what it hangs below there, and the delegate that wrote it. */
export interface RowPlace {
  turnId?: string;
  parent?: ParentRef;
  author?: string;
}

/** Names that Kiro's spec mode gives its folders. */
const SPEC_PATH = /(?:^|[\\/])\.kiro[\\/]specs[\\/]([^\\/]{1,100})[\\/]/;
/** An opening prompt of this form is a role that a program hands to the model (Kiro Crew), not a wish. */
const ROLE_PROMPT = /^\s*You are \p{L}/u;
const ROLE_PROMPT_CHARS = 160;

/** Turns rows of one session into drafts; holds nothing but the header. */
export class SessionDrafts {
  constructor(
    private readonly header: SessionHeader,
    private readonly surface: Surface,
  ) {}

  prompt(row: SessionRow<'user'>, place: RowPlace, opensSession: boolean): EventDraft {
    const { content, contextItems, source } = row.payload;
    const names = contextItems?.map((item) => item.uri ?? item.name).filter((name) => name !== undefined);
    const meta: JsonObject = {};
    if (names && names.length > 0) meta['context_items'] = names.slice(0, 50);
    if (source === 'steer') meta['steer'] = true;
    if (this.header.agentMode && this.header.agentMode !== 'vibe') meta['agent_mode'] = this.header.agentMode;
    const isRole = opensSession && content.length >= ROLE_PROMPT_CHARS && ROLE_PROMPT.test(content);
    return compact<EventDraft>({
      ...this.start(row, place),
      kind: 'prompt',
      type: 'user_message',
      role: isRole ? 'system' : undefined,
      body: { type: 'text', content },
      meta: Object.keys(meta).length > 0 ? meta : undefined,
    });
  }

  toolUse(
    call: SessionRow<'tool_call'>,
    result: SessionRow<'tool_result'> | undefined,
    place: RowPlace,
  ): EventDraft {
    const { toolName, args, toolCallId, kind, filePath } = call.payload;
    const response = plainResult(result?.payload.content ?? '');
    const prose = typeof response === 'string' ? readProse(toolName, response) : {};
    const spec = filePath ? SPEC_PATH.exec(filePath)?.[1] : undefined;
    const meta = compact<JsonObject>({ tool_kind: kind, file_path: filePath, spec_name: spec });
    return {
      ...this.start(call, place),
      kind: 'tool_use',
      type: result ? 'action_end' : 'action_start',
      action_id: toolCallId.slice(0, 128) || call.id,
      action_name: toolName.slice(0, 200),
      body: toolUseBody(
        compact<ToolUse>({
          name: toolName,
          input: args,
          result: response,
          success: result?.payload.success ?? (result ? prose.success : undefined),
          exitCode: prose.exit_code,
          durationMs: result?.payload.durationMs,
          path: prose.path ?? filePath,
        }),
      ),
      ...(Object.keys(meta).length > 0 ? { meta } : {}),
    };
  }

  /** A delegate's start and end are one call: no `tool_call` names the spawn. */
  delegate(
    start: SessionRow<'sub_agent_start'>,
    end: SessionRow<'sub_agent_complete'> | undefined,
    place: RowPlace,
  ): EventDraft {
    const { subAgentName, prompt, explanation, subSessionId } = start.payload;
    const name = `subagent_${subAgentName || 'unnamed'}`;
    return {
      ...this.start(start, place),
      kind: 'tool_use',
      type: end ? 'action_end' : 'action_start',
      action_id: subSessionId.slice(0, 128) || start.id,
      action_name: name.slice(0, 200),
      body: toolUseBody(
        compact<ToolUse>({
          name,
          input: explanation ? { prompt, explanation } : { prompt },
          result: end?.payload.response || end?.payload.errorMessage || '',
          success: end ? end.payload.status === 'success' : undefined,
        }),
      ),
    };
  }

  /** What the agent said in `rows`, as the answer of its turn or as a remark on the way. */
  said(rows: SessionRow<'assistant'>[], place: RowPlace, answer: boolean): EventDraft | undefined {
    const [first] = rows;
    const content = joinFragments(rows.map((row) => row.payload.content));
    if (!first || content.trim() === '') return undefined;
    return {
      ...this.start(first, place),
      kind: answer ? 'session_summary' : 'note',
      type: 'agent_message',
      body: { type: 'text', content },
      ...(answer ? { ends_turn: true } : {}),
    };
  }

  reasoning(row: SessionRow<'assistant'>, place: RowPlace): EventDraft {
    return {
      ...this.start(row, place),
      kind: 'note',
      type: 'reasoning',
      body: { type: 'text', content: row.payload.content },
      ...(place.turnId ? { action_id: place.turnId } : {}),
    };
  }

  error(row: SessionRow<'error'>, place: RowPlace): EventDraft {
    const { message, code } = row.payload;
    return {
      ...this.start(row, place),
      kind: 'note',
      type: 'error',
      severity: 'ERROR',
      body: { type: 'text', content: code ? `${message} (${code})` : message },
    };
  }

  modeChange(row: SessionRow<'mode_change'>, place: RowPlace): EventDraft {
    const { fromMode, toMode } = row.payload;
    return {
      ...this.start(row, place),
      kind: 'note',
      type: 'system',
      body: { type: 'text', content: `Mode changed from ${fromMode} to ${toMode}` },
      meta: { agent_mode: toMode },
    };
  }

  private start(row: AnyRow, place: RowPlace): Omit<EventDraft, 'kind' | 'body'> {
    const { header } = this;
    return compact<Omit<EventDraft, 'kind' | 'body'>>({
      identity: row.key,
      session_id: header.id,
      valid_time: row.time || undefined,
      surface: this.surface,
      cwd: header.workspacePaths[0],
      project_hints: compact<NonNullable<EventDraft['project_hints']>>({
        workspace_paths: header.workspacePaths,
        repositories: header.repositories.length > 0 ? header.repositories : undefined,
      }),
      branch: header.branch,
      session_title: header.title || undefined,
      turn_id: place.turnId,
      parent_identity: place.parent?.identity,
      parent_valid_time: place.parent?.time,
      author: place.author,
    });
  }
}
