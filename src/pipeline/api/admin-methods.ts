import { ApiError, type ApiParsedParams, type Health } from '../../contract/local-api';
import type { Collector } from '../collector';
import { exportMemories, importMemories } from '../memory-exchange';
import type { Jobs } from '../jobs';
import { storeStats } from '../store-stats';
import type { Methods } from './method-table';

export interface AdminDeps {
  jobs: Jobs;
  /** Past sessions of a folder, before anything of them is read. */
  findSessions(workspace: string): Promise<{ sessions: number; bytes: number; already: number }>;
  /** Starts an import and gives its job's id. */
  importSessions(workspace: string | undefined, dryRun: boolean): string;
  sessionsNotRead(): Health['sessions_not_read'];
  spool(): Promise<Health['spool']>;
  setWindow(window: ApiParsedParams<'window'>): void;
}

/** What concerns the collector as a whole. */
export function adminMethods(
  collector: Collector,
  deps: AdminDeps,
): Methods<
  | 'status'
  | 'health'
  | 'distilNow'
  | 'pause'
  | 'findSessions'
  | 'importSessions'
  | 'cancelJob'
  | 'exportMemories'
  | 'importMemories'
  | 'stats'
  | 'window'
> {
  const { store, resolver } = collector.deps;

  async function status(workspace: string | undefined) {
    const namespace = workspace ? (await resolver.resolve({ path: workspace })).namespace : undefined;
    return collector.board.status(namespace);
  }

  return {
    status: ({ workspace }) => status(workspace),
    health: async ({ workspace }) => ({
      status: await status(workspace),
      hooks: hookHealth(collector),
      sessions_not_read: deps.sessionsNotRead(),
      sizes: store.stats().bytes,
      spool: await deps.spool(),
    }),
    distilNow: ({ namespace }) => collector.distilNow(namespace),
    pause: async ({ scope, paused, workspace }) => {
      if (scope === 'everywhere') {
        collector.policy.pauseEverywhere(paused);
      } else {
        if (!workspace) throw new ApiError('bad_request', 'Name the project to pause.');
        const { namespace } = await resolver.resolve({ path: workspace });
        collector.policy.pauseProject(namespace, paused);
      }
      await store.commit([{ op: 'meta', key: 'paused', value: JSON.stringify(collector.policy.pauses()) }]);
      collector.board.changed();
      return {};
    },
    findSessions: ({ workspace }) => deps.findSessions(workspace),
    importSessions: ({ workspace, dry_run }) => ({ job_id: deps.importSessions(workspace, dry_run) }),
    cancelJob: ({ job_id }) => ({ cancelled: deps.jobs.cancel(job_id) }),
    exportMemories: ({ namespace, format }) => exportMemories(collector, namespace, format),
    importMemories: ({ text, workspace }) => importMemories(collector, text, workspace),
    stats: ({ namespace }) => storeStats(collector, namespace),
    window: (window) => {
      deps.setWindow(window);
      return {};
    },
  };
}

function hookHealth(collector: Collector): Health['hooks'] {
  const byEvent = new Map<string, Health['hooks'][number]>();
  for (const run of collector.hookRuns.latest()) {
    byEvent.set(run.event, {
      name: run.event || '(no event)',
      state: run.outcome === 'prompt_in_session_file' ? 'prompt_empty' : 'fired',
      detail: `${run.dialect}: ${run.outcome}`,
      last_at: new Date(run.at).toISOString(),
    });
  }
  return [...byEvent.values()];
}
