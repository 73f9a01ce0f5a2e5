import type { MemoryEvent } from '../../src/contract/event';
import type { MemoryRecord } from '../../src/contract/memory-record';
import { eventText } from '../../src/memory/extract/event-text';
import { holdsLiteral, literalsIn } from '../../src/memory/extract/literals';

export interface Grounding {
  /** Paths, commands, numbers and quoted strings in facts and summaries. */
  literals: number;
  /** Share of them that occurs in an event that the record cites. */
  grounded: number;
  median_evidence: number;
  /** Title, summary and facts. */
  median_record_chars: number;
  records: number;
  by_type: Record<string, number>;
  tool_events: number;
  /** Records that are no summaries, for each tool event: below 0.25. */
  junk: number;
  ungrounded: { record_id: string; value: string }[];
}

/** How well records are tied to what happened. */
export function grounding(
  records: readonly MemoryRecord[],
  eventOf: (eventId: string) => MemoryEvent | undefined,
  toolEvents: number,
): Grounding {
  let literals = 0;
  const ungrounded: Grounding['ungrounded'] = [];
  for (const record of records) {
    const cited = record.evidence.flatMap(({ event_id }) => {
      const event = eventOf(event_id);
      return event ? [eventText(event)] : [];
    });
    for (const literal of [record.summary, ...record.facts].flatMap(literalsIn)) {
      literals++;
      if (!cited.some((text) => holdsLiteral(text, literal))) {
        ungrounded.push({ record_id: record.record_id, value: literal.value });
      }
    }
  }
  const byType: Record<string, number> = {};
  for (const record of records) byType[record.observation_type] = (byType[record.observation_type] ?? 0) + 1;
  const others = records.filter((record) => record.observation_type !== 'session_summary').length;
  return {
    literals,
    grounded: literals === 0 ? 1 : round(1 - ungrounded.length / literals),
    median_evidence: median(records.map((record) => record.evidence.length)),
    median_record_chars: median(records.map(charsOf)),
    records: records.length,
    by_type: byType,
    tool_events: toolEvents,
    junk: toolEvents === 0 ? 0 : round(others / toolEvents),
    ungrounded,
  };
}

function charsOf(record: MemoryRecord): number {
  return (
    record.title.length + record.summary.length + record.facts.reduce((sum, fact) => sum + fact.length, 0)
  );
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
