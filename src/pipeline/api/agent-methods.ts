import { ApiError } from '../../contract/local-api';
import { agentRequestDraft } from '../../contract/saved-note';
import { mintTime } from '../../platform/launcher-key';
import type { SaveResult } from '../agent-requests';
import type { Collector } from '../collector';
import { timelineAround } from '../timeline';
import type { Methods } from './method-table';

/** What agents ask for through the MCP server, beside search and look-up. */
export function agentMethods(collector: Collector): Methods<'timeline' | 'saveObservation'> {
  const { store, resolver, clock } = collector.deps;
  return {
    timeline: async ({ workspace, ...around }) => {
      const { namespace } = await resolver.resolve({ path: workspace });
      return timelineAround(store.records, namespace, around);
    },
    saveObservation: async ({ workspace, key, session_id, client, observation }) => {
      const at = mintTime(key, clock.now());
      const draft = agentRequestDraft(
        { request: 'save_observation', observation },
        { key, at, workspace, session_id, ...(client ? { client } : {}) },
      );
      const saved = await collector.agentRequests.save(draft);
      if ('dropped' in saved) throw refused(saved.dropped);
      return saved;
    },
  };
}

function refused(reason: Extract<SaveResult, { dropped: unknown }>['dropped']): ApiError {
  switch (reason) {
    case 'paused':
      return new ApiError('paused', 'Memory is paused; nothing was kept.');
    case 'untrusted':
    case 'excluded':
      return new ApiError('paused', 'Memory is off for this folder; nothing was kept.');
    case 'erased':
      return new ApiError('bad_request', 'The user erased this memory; it is not kept again.');
    case 'empty':
    case 'too_large':
      return new ApiError('bad_request', 'Nothing of this can be kept.');
  }
}
