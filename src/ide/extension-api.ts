import type { Event } from 'vscode';
import type { LocalApi } from '../contract/local-api';
import { ApiError } from '../contract/local-api';
import type { MemoryRecord } from '../contract/memory-record';

/** What another extension gets from `vscode.extensions.getExtension('kiro-learn.kiro-learn')?.activate()`. */
export interface KiroLearnApi {
  /**
   * Hands over one event: a v1 event, a CraftBot event or an Elephantasm event, as documented in the README.
   * It is scrubbed, cut and stored under the project of `workspace` (absolute path; the window's first folder
   * where absent).
   *
   * @returns the id under which it is stored; of an event that is known already, the surviving id
   * @throws ApiError `bad_request` where it has no known form, `paused`, `unavailable`
   */
  capture(event: unknown, options?: { workspace?: string }): Promise<{ event_id: string; stored: boolean }>;
  /**
   * What a prompt of this text would receive.
   *
   * @returns the context block (empty where nothing is worth saying) and the records in it
   * @throws ApiError `bad_request` where no folder is open and none is named, `unavailable`
   */
  recall(query: string, options?: { workspace?: string; sessionId?: string }): Promise<RecallResult>;
  /** Fires after memories were made or changed, with at most 200 of them. */
  readonly onDidRemember: Event<{ records: MemoryRecord[] }>;
}

export interface RecallResult {
  context: string;
  records: { record_id: string; title: string; score: number; reasons: string[] }[];
  /** Why nothing is recalled, where nothing is. */
  abstained?: string;
}

/** The API over this window's collector. */
export function createApi(
  client: LocalApi,
  currentFolder: () => string | undefined,
  onDidRemember: KiroLearnApi['onDidRemember'],
): KiroLearnApi {
  return {
    onDidRemember,
    async capture(event, options) {
      const workspace = options?.workspace ?? currentFolder();
      const scope = workspace === undefined ? {} : { workspace };
      const { results } = await client.call('capture', { events: [event], ...scope });
      const [result] = results;
      if (result === undefined || result.error !== undefined) {
        throw new ApiError('bad_request', result?.error ?? 'The event was not taken.');
      }
      return { event_id: result.event_id, stored: result.stored };
    },
    async recall(query, options) {
      const workspace = options?.workspace ?? currentFolder();
      if (workspace === undefined) throw new ApiError('bad_request', 'No folder is open and none was named.');
      const session = options?.sessionId === undefined ? {} : { session_id: options.sessionId };
      const { context, records, abstained } = await client.call('ask', {
        prompt: query,
        workspace,
        ...session,
      });
      return {
        context,
        records: records.map(({ record_id, title, score, reasons }) => ({
          record_id,
          title,
          score,
          reasons,
        })),
        ...(abstained === undefined ? {} : { abstained }),
      };
    },
  };
}
