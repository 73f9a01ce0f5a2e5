import * as vscode from 'vscode';
import type { CollectorClient } from '../collector-client';
import type { WindowState } from '../window-state';

/** Declared in the manifest under `languageModelTools`. */
export const MEMORY_TOOL = 'kiro_learn_search_memories';

interface SearchInput {
  query?: unknown;
  limit?: unknown;
}

const maxQueryChars = 2000;

/** Offers the memories to chat models of this window as a tool; hosts without tools are left alone. */
export function registerMemoryTool(
  client: CollectorClient,
  state: WindowState,
): vscode.Disposable | undefined {
  if (typeof vscode.lm?.registerTool !== 'function') return undefined;
  return vscode.lm.registerTool<SearchInput>(MEMORY_TOOL, {
    prepareInvocation: () => ({ invocationMessage: vscode.l10n.t('Searching the project memory') }),
    invoke: async ({ input }) => {
      const text = await answer(client, state, input);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  });
}

async function answer(client: CollectorClient, state: WindowState, input: SearchInput): Promise<string> {
  const query = typeof input.query === 'string' ? input.query.slice(0, maxQueryChars).trim() : '';
  const workspace = state.currentFolder;
  if (!state.trusted || workspace === undefined)
    return 'No trusted folder is open; there are no project notes.';
  if (query === '') return 'The query is empty.';
  const limit = typeof input.limit === 'number' ? Math.min(20, Math.max(1, Math.trunc(input.limit))) : 5;
  const { items } = await client.call('search', { query, workspace, limit });
  if (items.length === 0) return 'No note of this project fits the query.';
  return items
    .map(({ record }) => {
      const source = record.session_title ?? record.files_touched[0] ?? record.strategy;
      const head = `${record.valid_from.slice(0, 10)} ${record.observation_type}: ${record.title} [${record.record_id}; ${source}]`;
      return [head, record.summary, ...record.facts.slice(0, 5).map((fact) => `- ${fact}`)].join('\n');
    })
    .join('\n\n');
}
