import type { CaptureSignal, Captured, EventDraft } from '../../contract/event-draft';
import type { Surface } from '../../contract/event';
import { LIMITS } from '../../contract/limits';
import { isSilentTool } from '../tool-names';
import { SessionDrafts, type ParentRef, type RowPlace } from './session-drafts';
import type { SessionHeader } from './session-header';
import { turnOf, userRowKind, type AnyRow, type SessionRow } from './session-row';

export interface AssembledItem {
  captured: Captured;
  /** The row keeps head and tail only; the whole result lies in this file of `tool-outputs/`. */
  outputFile?: string;
}

interface Turn extends RowPlace {
  turnId: string;
  says: SessionRow<'assistant'>[];
  closed: boolean;
}

interface OpenCall {
  row: SessionRow<'tool_call'>;
  place: Turn;
  ordinal: number;
}

/** One file: the session's own, or a delegate's. */
interface Stream {
  seen: Set<string>;
  openCalls: Map<string, OpenCall>;
  /** A delegate's rows all belong below its start. */
  delegate?: Delegate;
}

interface Delegate {
  row: SessionRow<'sub_agent_start'>;
  /** Where the start itself belongs. */
  place: RowPlace;
  /** Where the delegate's own rows belong. */
  inner: Turn;
  ordinal: number;
  ended: boolean;
}

const OUTPUT_REFERENCE = /tool-outputs[\\/]([A-Za-z0-9_@-][A-Za-z0-9_.@-]{0,199}\.txt)/;
/** A row that refers to a file keeps 500 characters of head and of tail; longer results are whole. */
const REFERENCE_CHARS = 4096;

/**
 * Turns the rows of one session, in line order, into what is captured. Rows that name no turn wait for the
 * next row that does; nothing is handed out before it is final, as what was stored is never rewritten.
 */
export class TurnAssembler {
  private drafts: SessionDrafts;
  private readonly main: Stream = { seen: new Set(), openCalls: new Map() };
  private readonly streams = new Map<string, Stream>();
  private readonly delegates = new Map<string, Delegate>();
  private readonly turns = new Map<string, Turn>();
  private waiting: { row: SessionRow<'user'>; ordinal: number }[] = [];
  private items: AssembledItem[] = [];
  /** Position of each row of the main file, for tombstones. */
  private readonly ordinals = new Map<string, number>();
  private readonly handedOut: { identity: string; ordinal: number }[] = [];
  private readonly identityOfCall = new Map<string, string>();
  private lastTime = '';
  private ordinal = 0;
  private promptsSeen = 0;

  constructor(
    private header: SessionHeader,
    private readonly surface: Surface,
  ) {
    this.drafts = new SessionDrafts(header, surface);
  }

  /** A session gets its title after its first turn. */
  use(header: SessionHeader): void {
    this.header = header;
    this.drafts = new SessionDrafts(header, this.surface);
  }

  /** True while a prompt or message is held until its turn is named. */
  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** True once the start of a delegate was read; before that its rows can't be placed. */
  knowsDelegate(subSessionId: string): boolean {
    return this.delegates.has(subSessionId);
  }

  /** A row of `messages.jsonl`. */
  feed(row: AnyRow): void {
    this.ordinal += 1;
    if (!this.ordinals.has(row.id)) this.ordinals.set(row.id, this.ordinal);
    this.route(this.main, row);
  }

  /** A row of `sub-executions/<subSessionId>.jsonl`. */
  feedDelegate(subSessionId: string, row: AnyRow): void {
    let stream = this.streams.get(subSessionId);
    if (!stream) {
      const delegate = this.delegates.get(subSessionId);
      stream = { seen: new Set(), openCalls: new Map(), ...(delegate ? { delegate } : {}) };
      this.streams.set(subSessionId, stream);
    }
    this.route(stream, row);
  }

  /** What became final since the last call. */
  take(): AssembledItem[] {
    const { items } = this;
    this.items = [];
    return items;
  }

  /** The file has been still for so long that a waiting prompt's turn will never start. */
  giveUpWaiting(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const { row, ordinal } of waiting) this.emitPrompt(row, {}, ordinal);
  }

  /** Nothing will follow: whatever is open is handed out as it is. */
  finish(): void {
    this.giveUpWaiting();
    for (const turn of this.turns.values()) this.closeTurn(turn);
    for (const delegate of this.delegates.values()) this.endDelegate(delegate, undefined);
  }

  private route(stream: Stream, row: AnyRow): void {
    if (stream.seen.has(row.key)) return;
    stream.seen.add(row.key);
    if (row.time === '') row.time = this.lastTime;
    else this.lastTime = row.time;
    const turnId = turnOf(row);
    if (stream === this.main && turnId !== undefined) this.nameTurn(turnId);
    this.handle(stream, row, this.placeOf(stream, turnId));
  }

  private placeOf(stream: Stream, turnId: string | undefined): Turn | undefined {
    if (stream.delegate) return stream.delegate.inner;
    return turnId === undefined ? undefined : this.turn(turnId);
  }

  private turn(id: string): Turn {
    const turnId = id.slice(0, LIMITS.idChars);
    let turn = this.turns.get(turnId);
    if (!turn) {
      turn = { turnId, says: [], closed: false };
      this.turns.set(turnId, turn);
    }
    return turn;
  }

  private nameTurn(turnId: string): void {
    if (this.waiting.length === 0) return;
    const { waiting } = this;
    const turn = this.turn(turnId);
    this.waiting = [];
    for (const { row, ordinal } of waiting) this.emitPrompt(row, turn, ordinal);
  }

  private emitPrompt(
    row: SessionRow<'user'>,
    place: RowPlace & { parent?: ParentRef },
    ordinal: number,
  ): void {
    this.promptsSeen += 1;
    if (row.payload.content.trim() === '') return;
    const draft = this.drafts.prompt(row, place, this.promptsSeen === 1);
    this.emit(draft, ordinal);
    place.parent ??= { identity: draft.identity, time: row.time };
  }

  private handle(stream: Stream, row: AnyRow, place: Turn | undefined): void {
    const { payload } = row;
    switch (payload.type) {
      case 'user':
        this.onUser(stream, row as SessionRow<'user'>);
        break;
      case 'assistant':
        this.onAssistant(row as SessionRow<'assistant'>, place);
        break;
      case 'tool_call':
        if (place) {
          const call = { row: row as SessionRow<'tool_call'>, place, ordinal: this.ordinalOf(stream) };
          stream.openCalls.set(payload.toolCallId, call);
        }
        break;
      case 'tool_result':
        this.onToolResult(stream, row as SessionRow<'tool_result'>);
        break;
      case 'sub_agent_start':
        this.onDelegateStart(row as SessionRow<'sub_agent_start'>, place);
        break;
      case 'sub_agent_complete': {
        const delegate = this.delegates.get(payload.subSessionId);
        if (delegate) this.endDelegate(delegate, row as SessionRow<'sub_agent_complete'>);
        break;
      }
      case 'error':
        this.emit(this.drafts.error(row as SessionRow<'error'>, place ?? this.openPlace()), this.ordinal);
        break;
      case 'mode_change': {
        const draft = this.drafts.modeChange(row as SessionRow<'mode_change'>, place ?? this.openPlace());
        this.emit(draft, this.ordinal);
        break;
      }
      case 'turn_end':
        if (place && stream === this.main) this.onTurnEnd(place, payload.stopReason);
        break;
      case 'tool_revert':
        this.onToolRevert(payload.toolCallId);
        break;
      case 'tombstone':
        this.onTombstone(payload.kind, payload.effectiveFromMessageId);
        break;
      default:
      // Notes of the engine, usage, approvals, hook runs and system prompts tell nothing to remember.
    }
  }

  private onUser(stream: Stream, row: SessionRow<'user'>): void {
    const kind = userRowKind(row);
    // A delegate's leading row repeats its start; the engine's own prompts are nobody's words.
    if (stream !== this.main || (kind !== 'real' && kind !== 'steer')) return;
    const turnId = row.payload.executionId;
    if (turnId) this.emitPrompt(row, this.turn(turnId), this.ordinal);
    else this.waiting.push({ row, ordinal: this.ordinal });
  }

  private onAssistant(row: SessionRow<'assistant'>, place: Turn | undefined): void {
    const { operationType, content } = row.payload;
    switch (operationType ?? 'Say') {
      case 'Say':
        if (place) place.says.push(row);
        break;
      case 'Reasoning':
        if (content.trim() !== '' && content.trim() !== '...') {
          this.emit(this.drafts.reasoning(row, place ?? {}), this.ordinal);
        }
        break;
      default:
      // A Summary is what the engine tells its model after a compaction: input, never an answer.
    }
  }

  private onToolResult(stream: Stream, row: SessionRow<'tool_result'>): void {
    const call = stream.openCalls.get(row.payload.toolCallId);
    if (!call) return;
    stream.openCalls.delete(row.payload.toolCallId);
    this.flushSays(call.place, false, call.ordinal);
    if (isSilentTool(call.row.payload.toolName)) return;
    const file = outputFileOf(row.payload.content);
    this.emit(this.drafts.toolUse(call.row, row, call.place), call.ordinal, file);
  }

  private onDelegateStart(row: SessionRow<'sub_agent_start'>, place: Turn | undefined): void {
    const outer = place ?? {};
    const parent = { identity: row.key, time: row.time };
    const author = row.payload.subAgentName.slice(0, 200) || 'delegate';
    const turnId = place?.turnId ?? row.payload.subSessionId.slice(0, LIMITS.idChars);
    const inner: Turn = { turnId, parent, author, says: [], closed: false };
    const delegate = { row, place: outer, inner, ordinal: this.ordinal, ended: false };
    this.delegates.set(row.payload.subSessionId, delegate);
    const stream = this.streams.get(row.payload.subSessionId);
    if (stream) stream.delegate = delegate;
  }

  private endDelegate(delegate: Delegate, end: SessionRow<'sub_agent_complete'> | undefined): void {
    if (delegate.ended) return;
    delegate.ended = true;
    this.emit(this.drafts.delegate(delegate.row, end, delegate.place), delegate.ordinal);
  }

  private onTurnEnd(turn: Turn, stopReason: string): void {
    this.closeTurn(turn);
    this.signal({
      signal: 'turn_end',
      session_id: this.header.id,
      turn_id: turn.turnId,
      stop_reason: stopReason || 'end_turn',
    });
  }

  private closeTurn(turn: Turn): void {
    for (const [id, call] of this.main.openCalls) {
      if (call.place !== turn) continue;
      this.main.openCalls.delete(id);
      if (isSilentTool(call.row.payload.toolName)) continue;
      this.emit(this.drafts.toolUse(call.row, undefined, turn), call.ordinal);
    }
    this.flushSays(turn, !turn.closed);
    turn.closed = true;
  }

  private flushSays(turn: Turn, answer: boolean, ordinal = this.ordinal): void {
    const { says } = turn;
    turn.says = [];
    const draft = this.drafts.said(says, turn, answer && turn.author === undefined);
    if (draft) this.emit(draft, this.ordinals.get(says[0]?.id ?? '') ?? ordinal);
  }

  /** Rows such as errors name no turn; they belong to the one that is open, if any is. */
  private openPlace(): RowPlace {
    return [...this.turns.values()].findLast((turn) => !turn.closed) ?? {};
  }

  private onToolRevert(toolCallId: string): void {
    const identity = this.identityOfCall.get(toolCallId);
    if (identity) this.signal({ signal: 'revert', session_id: this.header.id, identities: [identity] });
  }

  private onTombstone(kind: string, fromId: string): void {
    if (kind === 'summarization') {
      this.signal({ signal: 'compaction', session_id: this.header.id });
      return;
    }
    const from = this.ordinals.get(fromId);
    if (kind !== 'checkpoint_revert' || from === undefined) return;
    const identities = this.handedOut.filter((item) => item.ordinal >= from).map((item) => item.identity);
    this.dropOpen(from);
    if (identities.length > 0) this.signal({ signal: 'revert', session_id: this.header.id, identities });
  }

  private dropOpen(from: number): void {
    const isKept = (id: string) => (this.ordinals.get(id) ?? 0) < from;
    this.waiting = this.waiting.filter((item) => item.ordinal < from);
    for (const turn of this.turns.values()) turn.says = turn.says.filter((row) => isKept(row.id));
    for (const [id, call] of this.main.openCalls) if (call.ordinal >= from) this.main.openCalls.delete(id);
  }

  /** A delegate's rows stand where its start stands. */
  private ordinalOf(stream: Stream): number {
    return stream.delegate?.ordinal ?? this.ordinal;
  }

  private emit(draft: EventDraft, ordinal: number, outputFile?: string): void {
    this.handedOut.push({ identity: draft.identity, ordinal });
    if (draft.kind === 'tool_use' && draft.action_id) {
      this.identityOfCall.set(draft.action_id, draft.identity);
    }
    this.items.push({ captured: { draft }, ...(outputFile ? { outputFile } : {}) });
  }

  private signal(signal: CaptureSignal): void {
    this.items.push({ captured: signal });
  }
}

function outputFileOf(content: unknown): string | undefined {
  if (typeof content !== 'string' || content.length > REFERENCE_CHARS) return undefined;
  return OUTPUT_REFERENCE.exec(content)?.[1];
}
