import { ApiError } from '../../contract/local-api';
import type { Collector } from '../collector';
import type { Methods } from './method-table';

/** Recall: search, ask as a prompt would, and what was injected. */
export function recallMethods(
  collector: Collector,
): Methods<'search' | 'ask' | 'listInjections' | 'injectionFeedback' | 'resolveProject' | 'projects'> {
  const { store, resolver } = collector.deps;

  async function namespaceOf(workspace: string): Promise<string> {
    return (await resolver.resolve({ path: workspace })).namespace;
  }

  return {
    search: async ({ query, namespace, workspace, limit }) => {
      const scope = namespace ?? (workspace ? await namespaceOf(workspace) : undefined);
      const namespaces = scope ? [scope] : store.projects.all().map((project) => project.namespace);
      return { items: collector.recall.search({ namespaces, text: query, limit }) };
    },
    ask: async ({ prompt, workspace, session_id, now }) => {
      const at = now === undefined ? undefined : Date.parse(now);
      if (at !== undefined && Number.isNaN(at)) throw new ApiError('bad_request', 'now: not a date.');
      const answer = collector.promptRecall.ask({
        namespaces: [await namespaceOf(workspace)],
        prompt,
        sessionId: session_id ?? 'ask',
        surface: 'api',
        ...(at === undefined ? {} : { now: at }),
      });
      return {
        context: answer.context,
        records: answer.records,
        ...(answer.abstained ? { abstained: answer.abstained } : {}),
        latency_ms: Math.round(answer.latency_ms * 100) / 100,
        bytes: answer.bytes,
        tokens: answer.tokens,
      };
    },
    listInjections: ({ namespace, limit, before }) =>
      store.injections.list({ limit, ...(namespace ? { namespace } : {}), ...(before ? { before } : {}) }),
    injectionFeedback: async ({ injection_id, record_id, verdict }) => {
      await store.commit([{ op: 'injection_verdict', injection_id, record_id, verdict }]);
      return {};
    },
    resolveProject: async ({ path }) => {
      const { namespace, root, display_name } = await resolver.resolve({ path });
      return { namespace, root, display_name, allowed: collector.policy.allows(namespace, path) };
    },
    projects: () => ({
      items: store.projects.all().map((project) => ({
        ...project,
        events: store.counts.all(project.namespace),
        records: store.records.count(project.namespace),
      })),
    }),
  };
}
