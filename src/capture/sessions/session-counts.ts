import { userRowKind, type AnyRow } from './session-row';

/** What a session's files hold, by the rules a reader needs; the names are those of the replay report. */
export interface SessionCounts {
  sessions_read: number;
  rows: number;
  lines: number;
  turns: number;
  prompts: {
    real: number;
    steer: number;
    synthetic: number;
    carriers: number;
    receipts: number;
    never_ran: number;
  };
  tool_calls: number;
  tool_calls_joined: number;
  tool_calls_failed: number;
  delegates: number;
  sub_rows: number;
  sub_tool_calls_joined: number;
  turns_aborted: number;
  turns_failed: number;
  turns_without_user_row: number;
  approvals: number;
  reused_ids: number;
  tombstones: { summarization: number; checkpoint_revert: number };
  reverted_turns: number;
  skipped: { unknown_type: number; broken_line: number };
}

export function emptyCounts(): SessionCounts {
  return {
    sessions_read: 0,
    rows: 0,
    lines: 0,
    turns: 0,
    prompts: { real: 0, steer: 0, synthetic: 0, carriers: 0, receipts: 0, never_ran: 0 },
    tool_calls: 0,
    tool_calls_joined: 0,
    tool_calls_failed: 0,
    delegates: 0,
    sub_rows: 0,
    sub_tool_calls_joined: 0,
    turns_aborted: 0,
    turns_failed: 0,
    turns_without_user_row: 0,
    approvals: 0,
    reused_ids: 0,
    tombstones: { summarization: 0, checkpoint_revert: 0 },
    reverted_turns: 0,
    skipped: { unknown_type: 0, broken_line: 0 },
  };
}

/** Adds `counts` to `total`, field by field. */
export function addCounts(total: SessionCounts, counts: SessionCounts): void {
  const { prompts, tombstones, skipped, ...flat } = counts;
  addNumbers(total.prompts, prompts);
  addNumbers(total.tombstones, tombstones);
  addNumbers(total.skipped, skipped);
  addNumbers(total as unknown as Record<string, number>, flat);
}

function addNumbers<T extends { [K in keyof T]: number }>(total: T, more: T): void {
  for (const key of Object.keys(more) as (keyof T)[]) (total[key] as number) += more[key];
}

const ABORTED = new Set(['cancelled', 'aborted']);
const FAILED = new Set(['refusal', 'error', 'failed']);

/** Counts the rows of one session as they pass by. */
export class RowCounter {
  private readonly keyOfId = new Map<string, string>();
  private readonly ordinalOfId = new Map<string, number>();
  private readonly turnStarts: number[] = [];
  private readonly revertedTurns = new Set<number>();
  private readonly approvals = new Set<string>();
  private readonly calls = new Set<string>();
  private readonly subCalls = new Set<string>();
  private userRowsBeforeTurn = 0;

  constructor(readonly counts = emptyCounts()) {}

  /** A line that gave no row. */
  skipped(why: 'blank' | 'broken_line' | 'unknown_type', isMain: boolean): void {
    if (why === 'blank') return;
    this.counts.skipped[why] += 1;
    if (!isMain) return;
    this.counts.lines += 1;
    if (why === 'unknown_type') this.counts.rows += 1;
  }

  delegateRow(row: AnyRow): void {
    const { counts } = this;
    counts.sub_rows += 1;
    const { payload } = row;
    if (payload.type === 'tool_call') this.subCalls.add(payload.toolCallId);
    if (payload.type === 'tool_result' && this.subCalls.delete(payload.toolCallId)) {
      counts.sub_tool_calls_joined += 1;
    }
  }

  row(row: AnyRow): void {
    const { counts } = this;
    counts.lines += 1;
    counts.rows += 1;
    this.countIds(row);
    const { payload } = row;
    switch (payload.type) {
      case 'user':
        this.countUser(row);
        break;
      case 'turn_start':
        this.countTurn();
        break;
      case 'turn_end':
        if (ABORTED.has(payload.stopReason)) counts.turns_aborted += 1;
        if (FAILED.has(payload.stopReason)) counts.turns_failed += 1;
        break;
      case 'tool_call':
        counts.tool_calls += 1;
        this.calls.add(payload.toolCallId);
        break;
      case 'tool_result':
        if (!this.calls.delete(payload.toolCallId)) break;
        counts.tool_calls_joined += 1;
        if (payload.success === false) counts.tool_calls_failed += 1;
        break;
      case 'sub_agent_start':
        counts.delegates += 1;
        break;
      case 'pending_interaction':
        this.approvals.add(row.id);
        counts.approvals = this.approvals.size;
        break;
      case 'tombstone':
        this.countTombstone(payload.kind, payload.effectiveFromMessageId);
        break;
      default:
    }
  }

  private countIds(row: AnyRow): void {
    const known = this.keyOfId.get(row.id);
    if (known !== undefined && known !== row.key) this.counts.reused_ids += 1;
    if (known === undefined) {
      this.keyOfId.set(row.id, row.key);
      this.ordinalOfId.set(row.id, this.counts.rows);
    }
  }

  private countUser(row: AnyRow): void {
    if (row.payload.type !== 'user') return;
    const { prompts } = this.counts;
    switch (userRowKind({ ...row, payload: row.payload })) {
      case 'real':
        prompts.real += 1;
        prompts.never_ran += 1;
        this.userRowsBeforeTurn += 1;
        break;
      case 'synthetic':
        prompts.synthetic += 1;
        this.userRowsBeforeTurn += 1;
        break;
      case 'steer':
        prompts.steer += 1;
        break;
      case 'carrier':
        prompts.carriers += 1;
        break;
      case 'receipt':
        prompts.receipts += 1;
        break;
    }
  }

  private countTurn(): void {
    const { counts } = this;
    counts.turns += 1;
    counts.prompts.never_ran = 0;
    if (this.userRowsBeforeTurn === 0) counts.turns_without_user_row += 1;
    this.userRowsBeforeTurn = 0;
    this.turnStarts.push(counts.rows);
  }

  private countTombstone(kind: string, fromId: string): void {
    const { counts } = this;
    if (kind === 'summarization') counts.tombstones.summarization += 1;
    if (kind !== 'checkpoint_revert') return;
    counts.tombstones.checkpoint_revert += 1;
    const from = this.ordinalOfId.get(fromId);
    if (from === undefined) return;
    for (const start of this.turnStarts) if (start >= from) this.revertedTurns.add(start);
    counts.reverted_turns = this.revertedTurns.size;
  }
}
