import { stat } from 'node:fs/promises';
import type { Clock } from '../../contract/clock';
import type { Captured } from '../../contract/event-draft';
import type { Surface } from '../../contract/event';
import { readLines } from './line-reader';
import { STILL_MS } from './session-reader';
import type { SessionHeader } from './session-header';
import type { AnyRow, RowType, SessionRow } from './session-row';
import { TurnAssembler } from './turn-assembler';

export interface ForeignSessionDeps {
  clock: Clock;
  signal?: AbortSignal;
}

/** Rows that a line of another program stands for, in the words of Kiro's own files. */
export type Translate = (line: Buffer) => AnyRow[];

/**
 * Reads a file of one JSON object a line that marks no end of a turn: a prompt ends the turn before it, and the
 * last turn is over once the file has been still for five minutes.
 */
export async function* readForeignSession(
  file: string,
  header: SessionHeader,
  surface: Surface,
  translate: Translate,
  deps: ForeignSessionDeps,
): AsyncGenerator<Captured> {
  const assembler = new TurnAssembler(header, surface);
  try {
    for await (const line of readLines(file)) {
      if (deps.signal?.aborted) return;
      if (line.tooLong) continue;
      for (const row of translate(line.bytes)) assembler.feed(row);
      for (const item of assembler.take()) yield item.captured;
    }
    if (deps.clock.now() - (await stat(file)).mtimeMs >= STILL_MS) assembler.finish();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
  for (const item of assembler.take()) yield item.captured;
}

/** Names turns by their prompts and closes each when the next one begins. */
export class TurnMarker {
  private turnId: string | undefined;

  get current(): string | undefined {
    return this.turnId;
  }

  /** Rows that a prompt stands for: the end of the turn before, the prompt, the start of its own. */
  prompt(id: string, key: string, time: string, content: string): AnyRow[] {
    const ended = this.end(id, time, 'end_turn');
    this.turnId = id;
    return [
      ...ended,
      row('user', id, key, time, {
        content,
        source: 'chat',
        contextItems: undefined,
        _meta: undefined,
        executionId: id,
      }),
      row('turn_start', `${id}-start`, `${key}-start`, time, { executionId: id }),
    ];
  }

  end(id: string, time: string, stopReason: string): AnyRow[] {
    const executionId = this.turnId;
    if (executionId === undefined) return [];
    this.turnId = undefined;
    return [row('turn_end', `${id}-end`, `end:${executionId}`, time, { stopReason, executionId })];
  }
}

/** A row as if the engine had written it. */
export function row<T extends RowType>(
  type: T,
  id: string,
  key: string,
  time: string,
  fields: Omit<SessionRow<T>['payload'], 'type'>,
): AnyRow {
  return { id, key, time, payload: { type, ...fields } } as unknown as AnyRow;
}
