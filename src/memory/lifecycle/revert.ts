import type { MemoryRecord } from '../../contract/memory-record';

/**
 * Records derived from events that the agent's session undid, in their new state. What rests on undone events
 * alone, or was learned once and rests on one of them, is withdrawn; what was learned elsewhere too only loses
 * that evidence. Records that are not affected are left out. Pure.
 */
export function withdrawReverted(
  records: readonly MemoryRecord[],
  revertedEventIds: ReadonlySet<string>,
  now: string,
): MemoryRecord[] {
  return records.flatMap((record) => {
    const kept = record.evidence.filter((evidence) => !revertedEventIds.has(evidence.event_id));
    const lost = record.evidence.length - kept.length;
    if (lost === 0 || record.status === 'withdrawn' || record.status === 'forgotten') return [];
    if (record.strategy === 'user' || record.strategy === 'mcp') return [];
    if (kept.length > 0 && record.recurrence > 1) {
      return [{ ...record, evidence: kept, recurrence: record.recurrence - 1, updated_at: now }];
    }
    const withdrawn: MemoryRecord = { ...record, status: 'withdrawn', updated_at: now };
    withdrawn.valid_to = now;
    return [withdrawn];
  });
}

/** Records that were superseded by one that is withdrawn now: they hold again. Pure. */
export function reviveSuperseded(
  superseded: readonly MemoryRecord[],
  withdrawnIds: ReadonlySet<string>,
  now: string,
): MemoryRecord[] {
  return superseded
    .filter((record) => record.superseded_by !== undefined && withdrawnIds.has(record.superseded_by))
    .filter((record) => record.status === 'superseded')
    .map((record) => {
      const revived: MemoryRecord = { ...record, status: 'current', updated_at: now };
      delete revived.superseded_by;
      delete revived.valid_to;
      return revived;
    });
}
