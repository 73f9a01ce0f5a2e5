import path from 'node:path';
import type { Captured } from '../../contract/event-draft';
import type { Surface } from '../../contract/event';
import { readLines } from './line-reader';
import { cursorAt, cursorFits, parseCursor, type CursorPort } from './session-cursor';
import { listNames, sizeOf } from './session-folders';
import type { SessionHeader } from './session-header';
import { parseRow, type AnyRow } from './session-row';
import { withToolOutput } from './tool-output';
import { TurnAssembler } from './turn-assembler';

export interface TailedSessionDeps {
  cursors: CursorPort;
  surface: Surface;
  /** What it is given must be safe before it resolves: the cursor moves on then. */
  hand(header: SessionHeader, items: Captured[]): Promise<void>;
}

const BATCH = 200;
const DELEGATES = 'sub-executions';

interface OpenFile {
  path: string;
  key: string;
  offset: number;
  /** The cursor that is stored. */
  kept: number;
  delegate?: string;
  feed(row: AnyRow): void;
}

/**
 * One session that is being written. What was handed on before a restart is read again without being handed on,
 * so that turns, open calls and tombstones are understood; what follows the cursor is handed on.
 */
export class TailedSession {
  private assembler: TurnAssembler;
  private readonly files = new Map<string, OpenFile>();

  private constructor(
    private readonly folder: string,
    private header: SessionHeader,
    private readonly deps: TailedSessionDeps,
  ) {
    this.assembler = new TurnAssembler(header, deps.surface);
  }

  static async open(folder: string, header: SessionHeader, deps: TailedSessionDeps): Promise<TailedSession> {
    const session = new TailedSession(folder, header, deps);
    await session.catchUp();
    return session;
  }

  get isWaiting(): boolean {
    return this.assembler.isWaiting;
  }

  /** The title comes later than the session. */
  use(header: SessionHeader): void {
    this.header = header;
    this.assembler.use(header);
  }

  /** Reads what was added to any of the session's files. */
  async advance(): Promise<void> {
    if (await this.wasReplaced()) await this.startOver();
    await this.findDelegates();
    for (const file of this.files.values()) {
      if (file.delegate === undefined || this.assembler.knowsDelegate(file.delegate)) await this.readOn(file);
    }
  }

  /** The files have been still for long: prompts that wait for their turn are handed on without one. */
  async giveUpWaiting(): Promise<void> {
    this.assembler.giveUpWaiting();
    await this.handOn();
  }

  private async catchUp(): Promise<void> {
    await this.openFile('messages.jsonl', (row) => this.assembler.feed(row));
    await this.findDelegates();
    for (const file of this.files.values()) {
      if (file.offset === 0) continue;
      for await (const line of linesOf(file.path, 0, file.offset)) feedLine(file, line.bytes);
    }
    this.assembler.take();
  }

  private async findDelegates(): Promise<void> {
    for (const name of await listNames(path.join(this.folder, DELEGATES))) {
      const id = /^([A-Za-z0-9_-]{1,100})\.jsonl$/.exec(name)?.[1];
      if (id === undefined) continue;
      await this.openFile(`${DELEGATES}/${name}`, (row) => this.assembler.feedDelegate(id, row), id);
    }
  }

  private async openFile(name: string, feed: (row: AnyRow) => void, delegate?: string): Promise<void> {
    if (this.files.has(name)) return;
    const file = path.join(this.folder, name);
    const key = name === 'messages.jsonl' ? `tail:${this.header.id}` : `tail:${this.header.id}/${name}`;
    const cursor = parseCursor(await this.deps.cursors.get(key));
    const offset = cursor && (await cursorFits(file, cursor)) ? cursor.offset : 0;
    const of = delegate === undefined ? {} : { delegate };
    this.files.set(name, { path: file, key, offset, kept: offset, feed, ...of });
  }

  private async wasReplaced(): Promise<boolean> {
    for (const file of this.files.values()) {
      if (file.kept === 0) continue;
      const cursor = parseCursor(await this.deps.cursors.get(file.key));
      // A file that is gone is no other file: what was read of it stands.
      if (cursor && (await sizeOf(file.path)) !== undefined && !(await cursorFits(file.path, cursor)))
        return true;
    }
    return false;
  }

  private async startOver(): Promise<void> {
    this.assembler = new TurnAssembler(this.header, this.deps.surface);
    for (const file of this.files.values()) {
      file.offset = 0;
      file.kept = 0;
    }
  }

  private async readOn(file: OpenFile): Promise<void> {
    let pending = 0;
    for await (const line of linesOf(file.path, file.offset)) {
      // The rest of a half-written line is still to come.
      if (!line.complete) break;
      if (!line.tooLong) feedLine(file, line.bytes);
      file.offset = line.end;
      pending += 1;
      if (pending < BATCH) continue;
      await this.keep(file);
      pending = 0;
    }
    if (pending > 0) await this.keep(file);
  }

  private async keep(file: OpenFile): Promise<void> {
    await this.handOn();
    const cursor = await cursorAt(file.path, file.offset);
    await this.deps.cursors.set(file.key, JSON.stringify(cursor));
    file.kept = file.offset;
  }

  private async handOn(): Promise<void> {
    const items: Captured[] = [];
    for (const item of this.assembler.take()) items.push(await withToolOutput(item, this.folder));
    if (items.length > 0) await this.deps.hand(this.header, items);
  }
}

function feedLine(file: OpenFile, bytes: Buffer): void {
  const result = parseRow(bytes);
  if ('row' in result) file.feed(result.row);
}

/** Lines of a file that may vanish at any time; then there are no more. */
async function* linesOf(file: string, from: number, to?: number) {
  try {
    yield* readLines(file, to === undefined ? { from } : { from, to });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
}
