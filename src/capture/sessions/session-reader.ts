import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../contract/clock';
import type { Captured } from '../../contract/event-draft';
import type { Surface } from '../../contract/event';
import { readLines } from './line-reader';
import { RowCounter, type SessionCounts } from './session-counts';
import { listNames, readFolderHeader, type RefusedReason } from './session-folders';
import type { SessionHeader } from './session-header';
import { parseRow, type AnyRow } from './session-row';
import { withToolOutput } from './tool-output';
import { TurnAssembler } from './turn-assembler';

export { findSessionFolders, type FoundSession } from './session-folders';

/** How long a file must have been still before a prompt without a turn, or an open turn, is final. */
export const STILL_MS = 5 * 60_000;

export interface SessionReaderDeps {
  clock: Clock;
  /** The files don't tell; `kiro-ide` unless a hook told otherwise. */
  surface?: Surface;
  /** Fresh counts, which are filled in as the session is read. */
  counts?: SessionCounts;
  /** Gets the reason where nothing can be read. */
  onNotRead?(reason: RefusedReason): void;
  signal?: AbortSignal;
}

/**
 * Reads one session from beginning to end: prompts, tool calls joined with their results, answers and signals,
 * in the order in which they became final. A session that is deleted meanwhile ends early; what was read
 * stands. The same files give the same identities, so reading again adds nothing.
 * @param folder `…/sessions/<bucket>/sess_<id>`
 */
export async function* readSessionFolder(folder: string, deps: SessionReaderDeps): AsyncGenerator<Captured> {
  const result = await readFolderHeader(folder);
  if ('notRead' in result) {
    deps.onNotRead?.(result.notRead);
    return;
  }
  const reading = new SessionReading(folder, result.header, deps);
  yield* reading.items();
}

class SessionReading {
  private readonly assembler: TurnAssembler;
  private readonly counter: RowCounter;
  private readonly delegatesRead = new Set<string>();

  constructor(
    private readonly folder: string,
    header: SessionHeader,
    private readonly deps: SessionReaderDeps,
  ) {
    this.counter = new RowCounter(deps.counts);
    this.assembler = new TurnAssembler(header, deps.surface ?? 'kiro-ide');
  }

  async *items(): AsyncGenerator<Captured> {
    const messages = path.join(this.folder, 'messages.jsonl');
    for await (const row of this.rows(messages, true)) {
      const { payload } = row;
      if (payload.type === 'sub_agent_complete') yield* this.readDelegate(payload.subSessionId);
      this.counter.row(row);
      this.assembler.feed(row);
      yield* this.taken();
    }
    for (const name of await listNames(path.join(this.folder, 'sub-executions'))) {
      if (name.endsWith('.jsonl')) yield* this.readDelegate(name.slice(0, -'.jsonl'.length));
    }
    if (this.deps.signal?.aborted) return;
    if (await this.isStill(messages)) this.assembler.finish();
    yield* this.taken();
    this.report();
  }

  private report(): void {
    const { counts } = this.counter;
    if (counts.lines === 0) this.deps.onNotRead?.('no_records');
    else counts.sessions_read = 1;
  }

  private async *taken(): AsyncGenerator<Captured> {
    for (const item of this.assembler.take()) yield await withToolOutput(item, this.folder);
  }

  private async *readDelegate(subSessionId: string): AsyncGenerator<Captured> {
    if (this.delegatesRead.has(subSessionId) || !/^[A-Za-z0-9_-]{1,100}$/.test(subSessionId)) return;
    this.delegatesRead.add(subSessionId);
    const file = path.join(this.folder, 'sub-executions', `${subSessionId}.jsonl`);
    for await (const row of this.rows(file, false)) {
      this.counter.delegateRow(row);
      this.assembler.feedDelegate(subSessionId, row);
      yield* this.taken();
    }
  }

  private async *rows(file: string, isMain: boolean): AsyncGenerator<AnyRow> {
    try {
      for await (const line of readLines(file)) {
        if (this.deps.signal?.aborted) return;
        const result = line.tooLong ? ({ skipped: 'broken_line' } as const) : parseRow(line.bytes);
        if ('row' in result) yield result.row;
        else this.counter.skipped(result.skipped, isMain);
      }
    } catch (error) {
      if (!isFileError(error)) throw error;
    }
  }

  private async isStill(messages: string): Promise<boolean> {
    try {
      return this.deps.clock.now() - (await stat(messages)).mtimeMs >= STILL_MS;
    } catch {
      return true;
    }
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
