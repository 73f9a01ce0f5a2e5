import { watch, type FSWatcher } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { listNames, sizeOf } from './session-folders';
import { isSessionId } from './session-header';
import { parseRow, userRowKind, type AnyRow } from './session-row';

/** The row is written before the hook runs, by all that was observed; so this is for a slow disk. */
const PATIENCE_MS = 300;
/** A folder that is not there yet can't be watched; it is looked for again after this. */
const LOOK_AGAIN_MS = 75;
const TAIL_BYTES = [64 * 1024, 4 * 1024 * 1024];

export interface NewestPrompt {
  text: string;
  /** `synthetic`: the engine's own words, such as a workflow's brief. */
  kind: 'real' | 'steer' | 'synthetic';
}

/**
 * What the person typed last in a session, for builds whose hook leaves the prompt out (Kiro#10346). Waits up to
 * 300 ms for it; undefined where there is none, or where the engine prompted itself.
 * @param home folder that holds `.kiro`
 * @param sessionId from a payload: it becomes a path only if it has the engine's own form
 */
export async function latestPrompt(
  home: string,
  sessionId: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const newest = await newestPrompt(home, sessionId, signal);
  return newest === undefined || newest.kind === 'synthetic' ? undefined : newest.text;
}

/** The prompt of the turn that is about to start or runs, whoever wrote it. */
export async function newestPrompt(
  home: string,
  sessionId: string,
  signal?: AbortSignal,
): Promise<NewestPrompt | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  const given = signal ?? new AbortController().signal;
  const patience = AbortSignal.any([given, AbortSignal.timeout(PATIENCE_MS)]);
  for (;;) {
    const file = await messagesFile(home, sessionId);
    const change = file === undefined ? lookAgain(patience) : changeOf(path.dirname(file), patience);
    const found = file === undefined ? undefined : await openPrompt(file);
    if (found || patience.aborted) {
      change.stop();
      return found;
    }
    await change.happened;
  }
}

async function messagesFile(home: string, sessionId: string): Promise<string | undefined> {
  const root = path.join(home, '.kiro', 'sessions');
  let best: { file: string; size: number } | undefined;
  for (const bucket of await listNames(root)) {
    const file = path.join(root, bucket, sessionId, 'messages.jsonl');
    const size = await sizeOf(file);
    if (size !== undefined && size >= (best?.size ?? 0)) best = { file, size };
  }
  return best?.file;
}

async function openPrompt(file: string): Promise<NewestPrompt | undefined> {
  for (const bytes of TAIL_BYTES) {
    const tail = await readTail(file, bytes);
    if (!tail) return undefined;
    const found = promptIn(tail.lines);
    if (found !== 'unknown' || tail.isWhole) return found === 'unknown' ? undefined : found;
  }
  return undefined;
}

/** Backwards to the newest prompt; one that a closed turn follows is the one before. */
function promptIn(lines: Buffer[]): NewestPrompt | undefined | 'unknown' {
  for (const line of lines.reverse()) {
    const result = parseRow(line);
    if (!('row' in result)) continue;
    const { payload } = result.row;
    if (payload.type === 'turn_end') return undefined;
    if (payload.type === 'user') {
      const prompt = asPrompt(result.row);
      if (prompt) return prompt;
    }
  }
  return 'unknown';
}

function asPrompt(row: AnyRow): NewestPrompt | undefined {
  if (row.payload.type !== 'user') return undefined;
  const kind = userRowKind({ ...row, payload: row.payload });
  if (kind === 'carrier' || kind === 'receipt') return undefined;
  return { text: row.payload.content, kind };
}

async function readTail(file: string, bytes: number) {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const length = Math.min(size, bytes);
      const buffer = Buffer.alloc(length);
      const { bytesRead } = await handle.read(buffer, 0, length, size - length);
      const isWhole = length === size;
      const lines = splitLines(buffer.subarray(0, bytesRead));
      return { lines: isWhole ? lines : lines.slice(1), isWhole };
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

function splitLines(data: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let feed = data.indexOf(10); feed >= 0; feed = data.indexOf(10, from)) {
    lines.push(data.subarray(from, feed));
    from = feed + 1;
  }
  lines.push(data.subarray(from));
  return lines;
}

interface Change {
  happened: Promise<void>;
  stop(): void;
}

function lookAgain(signal: AbortSignal): Change {
  return race(signal, (done) => {
    const timer = setTimeout(done, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  });
}

/** Resolves when the folder changes or patience ends; watched from before the file is read. */
function changeOf(folder: string, signal: AbortSignal): Change {
  return race(signal, (done) => {
    let watcher: FSWatcher | undefined;
    try {
      watcher = watch(folder, done);
      watcher.on('error', done);
    } catch {
      const timer = setTimeout(done, LOOK_AGAIN_MS);
      return () => clearTimeout(timer);
    }
    return () => watcher?.close();
  });
}

function race(signal: AbortSignal, begin: (done: () => void) => () => void): Change {
  let stop = () => undefined as void;
  const happened = new Promise<void>((resolve) => {
    let end: () => void = () => undefined;
    const done = () => {
      signal.removeEventListener('abort', done);
      end();
      resolve();
    };
    stop = done;
    if (signal.aborted) {
      resolve();
      return;
    }
    signal.addEventListener('abort', done, { once: true });
    end = begin(done);
  });
  return { happened, stop };
}
