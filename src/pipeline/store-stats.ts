import type { JsonObject } from '../contract/event';
import type { Collector } from './collector';

const DAYS = 366;

/** Counts of a store or of one project, as the command line and the API print them. */
export function storeStats(collector: Collector, namespace: string | undefined): JsonObject {
  const { store, clock } = collector.deps;
  const { bytes, ...totals } = store.stats(namespace);
  const tools = store.insights.tools(clock.now(), DAYS, namespace);
  const byUse = [...tools].sort((a, b) => b.used - a.used);
  const byFailure = tools.filter((tool) => tool.failed > 0).sort((a, b) => b.failed - a.failed);
  const { events, records } = store;
  return {
    ...totals,
    events_by_kind: { ...events.countByKind(namespace) },
    events_by_type: { ...store.counts.byType(namespace) },
    turns: store.counts.turns(namespace),
    records_by_type: { ...records.countBy('type', namespace) },
    records_by_status: { ...records.countBy('status', namespace) },
    most_used_tools: byUse.slice(0, 20).map((tool) => ({ ...tool })),
    most_failing_tools: byFailure.slice(0, 20).map((tool) => ({ ...tool })),
    bytes: { ...bytes },
    projects: store.projects.all().map(({ namespace: ns, root, display_name }) => ({
      namespace: ns,
      root,
      display_name,
      ...store.projects.counts(ns),
    })),
  };
}
