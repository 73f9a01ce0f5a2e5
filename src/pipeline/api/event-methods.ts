import { ApiEventMemory, draftsOfApiEvents } from '../../capture/api-events';
import type { EventDraft } from '../../contract/event-draft';
import type { Collector } from '../collector';
import { promptText } from '../prompt-recall';
import type { Methods } from './method-table';

/** Events: the tail, one event, and capture by other extensions and agents. */
export function eventMethods(
  collector: Collector,
): Methods<'listEvents' | 'getEvent' | 'capture' | 'insights'> {
  const { store } = collector.deps;
  const memory = new ApiEventMemory();
  return {
    listEvents: (params) => {
      return store.events.list({
        limit: params.limit,
        ...(params.namespace ? { namespace: params.namespace } : {}),
        ...(params.session_id ? { sessionId: params.session_id } : {}),
        ...(params.kinds ? { kinds: params.kinds } : {}),
        ...(params.types ? { types: params.types } : {}),
        ...(params.text ? { text: params.text } : {}),
        ...(params.before ? { before: params.before } : {}),
      });
    },
    getEvent: ({ event_id }) => ({
      event: store.events.get(event_id) ?? null,
      derived: collector.derivedFrom([event_id]),
    }),
    capture: async ({ events, workspace, retrieve }) => {
      const mapped = draftsOfApiEvents(events, {
        ...(workspace ? { workspace } : {}),
        now: collector.deps.clock.now(),
        memory,
      });
      const drafts = mapped.filter((item): item is { draft: EventDraft } => 'draft' in item);
      const stored = await collector.capture(drafts.map((item) => item.draft));
      let next = 0;
      let context = '';
      const results = [];
      for (const item of mapped) {
        if (!('draft' in item)) {
          results.push({ event_id: '', stored: false, ...(item.error ? { error: item.error } : {}) });
          continue;
        }
        const result = stored[next++];
        if (!result || result.outcome === 'dropped') {
          results.push({ event_id: '', stored: false, error: `nothing kept: ${result?.reason ?? 'empty'}` });
          continue;
        }
        const eventId = result.outcome === 'stored' ? result.event.event_id : result.event_id;
        results.push({ event_id: eventId, stored: result.outcome === 'stored' });
        if (retrieve && result.event.kind === 'prompt') {
          const injection = await collector.promptRecall.answer({
            namespaces: [result.project.namespace],
            prompt: promptText(result.event.body),
            sessionId: result.event.session_id,
            surface: result.event.source.surface,
            eventId,
          });
          collector.announceInjection(injection);
          context = injection.context;
        }
      }
      return { results, ...(retrieve ? { context } : {}) };
    },
    insights: ({ namespace, days }) => {
      const now = collector.deps.clock.now();
      return {
        days: store.insights.days(now, days, namespace),
        tools: store.insights.tools(now, days, namespace),
        distillations: collector.distiller.latestRuns(),
      };
    },
  };
}
