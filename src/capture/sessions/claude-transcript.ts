import path from 'node:path';
import { z } from 'zod';
import type { Captured } from '../../contract/event-draft';
import { plainResult } from '../tool-use';
import {
  readForeignSession,
  row,
  TurnMarker,
  type ForeignSessionDeps,
  type Translate,
} from './foreign-session';
import { readLines } from './line-reader';
import { listNames, sizeOf, type FoundSession } from './session-folders';
import type { SessionHeader } from './session-header';
import { rowKey, type AnyRow } from './session-row';

const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

const blockSchema = z.looseObject({
  type: z.string(),
  text,
  id: text,
  name: text,
  input: z.unknown().optional(),
  tool_use_id: text,
  content: z.unknown().optional(),
  is_error: flag,
});
type Block = z.infer<typeof blockSchema>;

const lineSchema = z.looseObject({
  type: z.string(),
  uuid: text,
  timestamp: text,
  sessionId: text,
  cwd: text,
  gitBranch: text,
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
  isApiErrorMessage: flag,
  summary: text,
  message: z
    .looseObject({ content: z.union([z.string(), z.array(blockSchema)]).catch('') })
    .optional()
    .catch(undefined),
});
type Line = z.infer<typeof lineSchema>;

const HEAD_LINES = 200;
/** Commands, their output and reminders stand in user rows, but nobody typed them as a prompt. */
const MACHINE_TEXT =
  /^\s*<(?:command-|local-command-|bash-|system-reminder|task-notification|user-prompt-submit-hook)/;
const INTERRUPTED = /^\[Request interrupted by user/;
const REMINDER = /<system-reminder>[^]*?<\/system-reminder>/g;

/**
 * Transcripts of Claude Code, `<home>/.claude/projects/<folder>/<session>.jsonl`, oldest first by first time. A few
 * lines of each are opened, for its working directory.
 */
export async function findClaudeTranscripts(home: string): Promise<FoundSession[]> {
  const root = path.join(home, '.claude', 'projects');
  const found: FoundSession[] = [];
  for (const project of await listNames(root)) {
    for (const name of await listNames(path.join(root, project))) {
      const id = /^([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(name)?.[1];
      if (id === undefined) continue;
      const file = path.join(root, project, name);
      const bytes = (await sizeOf(file)) ?? 0;
      const header = await readTranscriptHeader(file);
      found.push({
        session_id: id,
        folder: file,
        bytes,
        ...(header ? { header } : { refused: 'no_records' }),
      });
    }
  }
  const created = (session: FoundSession) => session.header?.createdAt ?? '';
  return found.sort((a, b) => (created(a) < created(b) ? -1 : created(a) > created(b) ? 1 : 0));
}

/** What the first lines tell: session, folder, branch, title. Undefined where no line names a session. */
async function readTranscriptHeader(file: string): Promise<SessionHeader | undefined> {
  const known: Partial<Record<'cwd' | 'branch' | 'title' | 'at', string | undefined>> = {};
  let lines = 0;
  try {
    for await (const { bytes } of readLines(file)) {
      const line = parseLine(bytes);
      known.title ??= line?.summary;
      known.at ??= line?.timestamp;
      known.cwd ??= line?.cwd;
      known.branch ??= line?.gitBranch;
      if (known.cwd !== undefined || ++lines >= HEAD_LINES) break;
    }
  } catch {
    return undefined;
  }
  if (known.cwd === undefined) return undefined;
  return {
    id: path.basename(file, '.jsonl'),
    title: known.title?.slice(0, 200) ?? '',
    agentMode: '',
    workspacePaths: [known.cwd],
    createdAt: known.at ?? '',
    lastModifiedAt: known.at ?? '',
    repositories: [],
    ...(known.branch ? { branch: known.branch.slice(0, 255) } : {}),
  };
}

/** Reads one transcript; rows of delegates (`isSidechain`) are passed over, their answer is their call's result. */
export async function* readClaudeTranscript(
  file: string,
  deps: ForeignSessionDeps,
): AsyncGenerator<Captured> {
  const header = await readTranscriptHeader(file);
  if (header) yield* readForeignSession(file, header, 'claude-code', claudeTranslator(), deps);
}

function claudeTranslator(): Translate {
  const turns = new TurnMarker();
  return (bytes) => {
    const line = parseLine(bytes);
    if (!line || line.isSidechain || line.isMeta || !line.uuid) return [];
    const id = line.uuid;
    const place: Place = { id, key: rowKey('claude', id, bytes), time: isoTime(line.timestamp), turns };
    switch (line.type) {
      case 'user':
        return line.isCompactSummary ? compacted(place) : userRows(line, place);
      case 'assistant':
        return assistantRows(line, place);
      case 'system':
        return line['subtype'] === 'compact_boundary' ? compacted(place) : [];
      default:
        return [];
    }
  };
}

interface Place {
  id: string;
  key: string;
  time: string;
  turns: TurnMarker;
}

function compacted({ id, key, time }: Place): AnyRow[] {
  return [row('tombstone', id, key, time, { kind: 'summarization', effectiveFromMessageId: '' })];
}

function userRows(line: Line, { id, key, time, turns }: Place): AnyRow[] {
  const blocks = blocksOf(line);
  const rows = blocks.flatMap((block, index) =>
    resultRow(block, `${id}.${index}`, `${key}.${index}`, time, turns),
  );
  const typed = blocks
    .filter((block) => block.type === 'text' && block.text !== undefined && !MACHINE_TEXT.test(block.text))
    .map((block) => block.text?.replace(REMINDER, '') ?? '')
    .join('\n');
  if (typed.trim() === '') return rows;
  if (INTERRUPTED.test(typed)) return [...rows, ...turns.end(id, time, 'cancelled')];
  return [...rows, ...turns.prompt(id, key, time, typed)];
}

function resultRow(block: Block, id: string, key: string, time: string, turns: TurnMarker): AnyRow[] {
  if (block.type !== 'tool_result' || block.tool_use_id === undefined) return [];
  return [
    row('tool_result', id, key, time, {
      toolCallId: block.tool_use_id,
      content: plainResult(block.content ?? ''),
      success: block.is_error !== true,
      durationMs: undefined,
      executionId: turns.current,
    }),
  ];
}

function assistantRows(line: Line, { id, key, time, turns }: Place): AnyRow[] {
  const executionId = turns.current;
  return blocksOf(line).flatMap((block, index) => {
    const [ownId, ownKey] = [`${id}.${index}`, `${key}.${index}`];
    if (block.type === 'text' && block.text) {
      if (line.isApiErrorMessage) {
        return [row('error', ownId, ownKey, time, { message: block.text, code: undefined, executionId })];
      }
      return [
        row('assistant', ownId, ownKey, time, { content: block.text, operationType: 'Say', executionId }),
      ];
    }
    if (block.type !== 'tool_use' || block.id === undefined) return [];
    const call = { toolCallId: block.id, toolName: block.name ?? 'unknown', args: block.input };
    return [
      row('tool_call', ownId, ownKey, time, { ...call, kind: undefined, filePath: undefined, executionId }),
    ];
  });
}

function blocksOf(line: Line): Block[] {
  const content = line.message?.content ?? '';
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function parseLine(bytes: Buffer): Line | undefined {
  try {
    return lineSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

function isoTime(timestamp: string | undefined): string {
  const ms = Date.parse(timestamp ?? '');
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}
