import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Captured } from '../../contract/event-draft';
import { isObject } from '../json-value';
import { plainResult } from '../tool-use';
import {
  readForeignSession,
  row,
  TurnMarker,
  type ForeignSessionDeps,
  type Translate,
} from './foreign-session';
import { listNames, sizeOf, type FoundSession } from './session-folders';
import type { SessionHeader } from './session-header';
import { rowKey, type AnyRow } from './session-row';

const headerSchema = z.looseObject({
  session_id: z.string().optional().catch(undefined),
  cwd: z.string().catch(''),
  title: z.string().nullable().catch(null),
  created_at: z.string().catch(''),
  updated_at: z.string().catch(''),
  parent_session_id: z.string().optional().catch(undefined),
});

const lineSchema = z.looseObject({
  kind: z.string(),
  data: z.looseObject({
    message_id: z.string().optional().catch(undefined),
    content: z.array(z.looseObject({ kind: z.string(), data: z.unknown().optional() })).catch([]),
    meta: z
      .looseObject({ timestamp: z.number().optional().catch(undefined) })
      .optional()
      .catch(undefined),
  }),
});

const HEADER_BYTES = 64 * 1024 * 1024;

/** Sessions of kiro-cli's V2 engine, `<.kiro>/sessions/cli/<uuid>.jsonl` with a header beside it, oldest first. */
export async function findV2Sessions(home: string): Promise<FoundSession[]> {
  const folder = path.join(home, '.kiro', 'sessions', 'cli');
  const found: FoundSession[] = [];
  for (const name of await listNames(folder)) {
    const id = /^([0-9a-f-]{8,64})\.jsonl$/.exec(name)?.[1];
    if (id === undefined) continue;
    const file = path.join(folder, name);
    const bytes = (await sizeOf(file)) ?? 0;
    const header = await readV2Header(file);
    if (!header) found.push({ session_id: id, folder: file, bytes, refused: 'unreadable' });
    else if (bytes === 0) found.push({ session_id: id, folder: file, bytes, header, refused: 'no_records' });
    else found.push({ session_id: id, folder: file, bytes, header });
  }
  const created = (session: FoundSession) => session.header?.createdAt ?? '';
  return found.sort((a, b) => (created(a) < created(b) ? -1 : created(a) > created(b) ? 1 : 0));
}

async function readV2Header(file: string): Promise<SessionHeader | undefined> {
  const beside = file.replace(/\.jsonl$/, '.json');
  if (((await sizeOf(beside)) ?? Infinity) > HEADER_BYTES) return undefined;
  try {
    const parsed = headerSchema.parse(JSON.parse(await readFile(beside, 'utf8')));
    return {
      id: parsed.session_id ?? path.basename(file, '.jsonl'),
      title: parsed.title?.slice(0, 200) ?? '',
      agentMode: '',
      workspacePaths: parsed.cwd === '' ? [] : [parsed.cwd],
      createdAt: parsed.created_at,
      lastModifiedAt: parsed.updated_at,
      repositories: [],
      ...(parsed.parent_session_id ? { parentSessionId: parsed.parent_session_id } : {}),
    };
  } catch {
    return undefined;
  }
}

/**
 * Reads one session of the V2 engine. Its rows are `Prompt`, `AssistantMessage` and `ToolResults`; only prompts
 * are stamped, in seconds. What hooks added to a prompt lies in its `meta` and is not the person's.
 */
export async function* readV2Session(file: string, deps: ForeignSessionDeps): AsyncGenerator<Captured> {
  const header = await readV2Header(file);
  if (header) yield* readForeignSession(file, header, 'kiro-cli', v2Translator(header), deps);
}

function v2Translator(header: SessionHeader): Translate {
  const turns = new TurnMarker();
  let time = Number.isNaN(Date.parse(header.createdAt)) ? '' : new Date(header.createdAt).toISOString();
  return (line) => {
    const parsed = parseLine(line);
    if (!parsed) return [];
    const { kind, data } = parsed;
    if (data.meta?.timestamp !== undefined) time = secondsToIso(data.meta.timestamp) ?? time;
    const id = data.message_id ?? rowKey('', '', line).slice(2);
    const key = rowKey('kiro-v2', id, line);
    switch (kind) {
      case 'Prompt': {
        const text = data.content.filter((part) => part.kind === 'text' && typeof part.data === 'string');
        return turns.prompt(id, key, time, text.map((part) => part.data).join('\n'));
      }
      case 'AssistantMessage':
      case 'ToolResults':
        return data.content.flatMap((part, index) =>
          partRow(part, `${id}.${index}`, `${key}.${index}`, time, turns.current),
        );
      default:
        return [];
    }
  };
}

function partRow(
  part: { kind: string; data?: unknown },
  id: string,
  key: string,
  time: string,
  executionId: string | undefined,
): AnyRow[] {
  const { kind, data } = part;
  if (kind === 'text' && typeof data === 'string') {
    return [row('assistant', id, key, time, { content: data, operationType: 'Say', executionId })];
  }
  if (!isObject(data)) return [];
  const toolCallId = typeof data['toolUseId'] === 'string' ? data['toolUseId'] : '';
  if (kind === 'toolUse' && toolCallId !== '') {
    const toolName = typeof data['name'] === 'string' ? data['name'] : 'unknown';
    const args = withoutPurpose(data['input']);
    const common = { kind: undefined, filePath: undefined, executionId };
    return [row('tool_call', id, key, time, { toolCallId, toolName, args, ...common })];
  }
  if (kind === 'toolResult' && toolCallId !== '') {
    const success = typeof data['status'] === 'string' ? data['status'] === 'success' : undefined;
    const { text, exitCode } = resultOf(data['content']);
    const ran = exitCode === undefined ? success : exitCode === 0;
    return [
      row('tool_result', id, key, time, {
        toolCallId,
        content: text,
        success: ran,
        durationMs: undefined,
        executionId,
      }),
    ];
  }
  return [];
}

/** The engine lets the model say why it calls a tool, among the arguments. */
function withoutPurpose(input: unknown): unknown {
  if (!isObject(input)) return input;
  const { __tool_use_purpose: _purpose, ...args } = input;
  return args;
}

const EXIT_STATUS = /exit status: (-?\d{1,10})/;

function resultOf(content: unknown): { text: unknown; exitCode?: number } {
  if (!Array.isArray(content)) return { text: content };
  const parts = content.filter(isObject).map((part) => part['data']);
  const [only] = parts;
  if (parts.length === 1 && isObject(only)) {
    const status = only['exit_status'];
    const code = typeof status === 'string' ? EXIT_STATUS.exec(status)?.[1] : undefined;
    return { text: plainResult(only), ...(code === undefined ? {} : { exitCode: Number(code) }) };
  }
  return { text: plainResult(parts) };
}

function parseLine(line: Buffer): z.infer<typeof lineSchema> | undefined {
  try {
    return lineSchema.parse(JSON.parse(line.toString('utf8')));
  } catch {
    return undefined;
  }
}

function secondsToIso(seconds: number): string | undefined {
  const ms = seconds * 1000;
  return Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : undefined;
}
