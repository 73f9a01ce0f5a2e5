import type { Insights } from '../contract/local-api';
import { COUNTERS, KINDS } from './codes';
import { dayOf, dayText } from './daily';
import type { Database, SqlRow, SqlValue } from './database';
import type { Names } from './names';

type Day = Insights['days'][number];

/** Counts by day, from counters that outlive the rows. */
export class InsightQueries {
  constructor(
    private readonly db: Database,
    private readonly names: Names,
  ) {}

  /** The last `days` days (UTC) up to `now`, oldest first, each of them present. */
  days(now: number, days: number, namespace?: string): Day[] {
    const last = dayOf(now);
    const first = last - days + 1;
    const result: Day[] = [];
    for (let day = first; day <= last; day++) result.push(emptyDay(day));
    for (const row of this.rows('day, counter, key, sum(n) AS n', 'day, counter, key', first, namespace)) {
      const day = result[Number(row['day']) - first];
      if (day) addTo(day, row);
    }
    return result;
  }

  /** Tools by use, the most used first. */
  tools(now: number, days: number, namespace?: string): Insights['tools'] {
    const tools = new Map<string, Insights['tools'][number]>();
    const first = dayOf(now) - days + 1;
    for (const row of this.rows('counter, key, sum(n) AS n', 'counter, key', first, namespace)) {
      if (row['counter'] !== COUNTERS.toolUsed && row['counter'] !== COUNTERS.toolFailed) continue;
      const name = this.names.name(row['key']);
      if (!name) continue;
      const tool = tools.get(name) ?? { tool_name: name, used: 0, failed: 0 };
      if (row['counter'] === COUNTERS.toolUsed) tool.used += Number(row['n']);
      else tool.failed += Number(row['n']);
      tools.set(name, tool);
    }
    return [...tools.values()].sort((a, b) => b.used - a.used || a.tool_name.localeCompare(b.tool_name));
  }

  /** Records that there were at the end of each of the last days, counted from those that were made. */
  growth(now: number, days: number, namespace?: string): { day: string; created: number; total: number }[] {
    let total = this.recordsBefore(dayOf(now) - days + 1, namespace);
    return this.days(now, days, namespace).map(({ day, records }) => {
      total += records;
      return { day, created: records, total };
    });
  }

  private recordsBefore(day: number, namespace: string | undefined): number {
    const params: SqlValue[] = [COUNTERS.recordsCreated, day];
    if (namespace !== undefined) params.push(this.names.find(namespace) ?? -1);
    return this.db.number(
      `SELECT ifnull(sum(n), 0) AS n FROM daily WHERE counter = ? AND day < ?
       ${namespace === undefined ? '' : 'AND namespace = ?'}`,
      params,
    );
  }

  private rows(columns: string, group: string, first: number, namespace: string | undefined): SqlRow[] {
    const params: SqlValue[] = [first];
    if (namespace !== undefined) params.push(this.names.find(namespace) ?? -1);
    return this.db.all(
      `SELECT ${columns} FROM daily WHERE day >= ? ${namespace === undefined ? '' : 'AND namespace = ?'}
       GROUP BY ${group}`,
      params,
    );
  }
}

function emptyDay(day: number): Day {
  return {
    day: dayText(day),
    prompt: 0,
    tool_use: 0,
    session_summary: 0,
    note: 0,
    records: 0,
    tokens_injected: 0,
  };
}

function addTo(day: Day, row: SqlRow): void {
  const n = Number(row['n']);
  switch (row['counter']) {
    case COUNTERS.events: {
      const kind = KINDS.name(row['key']);
      if (kind) day[kind] += n;
      return;
    }
    case COUNTERS.recordsCreated:
      day.records += n;
      return;
    case COUNTERS.tokensInjected:
      day.tokens_injected += n;
      return;
    default:
  }
}
