import * as vscode from 'vscode';
import type { MemoryRecord } from '../../contract/memory-record';
import type { CommandContext } from './context';

interface MemoryPick extends vscode.QuickPickItem {
  record?: MemoryRecord;
}

const typeIcons: Record<MemoryRecord['observation_type'], string> = {
  decision: '$(milestone)',
  error: '$(bug)',
  discovery: '$(lightbulb)',
  pattern: '$(symbol-structure)',
  preference: '$(account)',
  tool_use: '$(tools)',
  session_summary: '$(comment-discussion)',
};

/** A quick pick that searches while the user types, by the ranker that answers prompts. */
export function pickMemories(
  context: CommandContext,
  options: { title: string; placeholder: string; many: boolean },
): Promise<MemoryRecord[]> {
  const pick = vscode.window.createQuickPick<MemoryPick>();
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.canSelectMany = options.many;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  let asked = 0;
  const chosen = new Map<string, MemoryRecord>();
  const search = async (query: string) => {
    const turn = ++asked;
    pick.busy = true;
    try {
      const records = await findRecords(context, query);
      if (turn !== asked) return;
      const found = records.map((record) => toPick(record));
      const kept = [...chosen.values()].filter(
        (record) => !records.some((other) => other.record_id === record.record_id),
      );
      pick.items = [...kept.map((record) => toPick(record)), ...found];
      if (options.many) {
        pick.selectedItems = pick.items.filter((item) => item.record && chosen.has(item.record.record_id));
      }
    } catch (error) {
      if (turn === asked) pick.items = [{ label: messageOf(error), alwaysShow: true }];
    } finally {
      if (turn === asked) pick.busy = false;
    }
  };
  return new Promise((resolve) => {
    pick.onDidChangeValue((value) => void search(value));
    pick.onDidChangeSelection((items) => {
      if (!options.many) return;
      chosen.clear();
      for (const { record } of items) if (record !== undefined) chosen.set(record.record_id, record);
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems.flatMap((item) => item.record ?? []));
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve([]);
      pick.dispose();
    });
    pick.show();
    void search('');
  });
}

async function findRecords({ client, state }: CommandContext, query: string): Promise<MemoryRecord[]> {
  const workspace = state.currentFolder;
  if (query.trim() !== '') {
    const scope = workspace === undefined ? {} : { workspace };
    return (await client.call('search', { query, limit: 50, ...scope })).items.map((item) => item.record);
  }
  const scope = workspace === undefined ? {} : { namespace: await namespaceOf(client, workspace) };
  return (await client.call('listMemories', { limit: 50, statuses: ['current'], ...scope })).items;
}

export async function namespaceOf(client: CommandContext['client'], folder: string): Promise<string> {
  return (await client.call('resolveProject', { path: folder })).namespace;
}

function toPick(record: MemoryRecord): MemoryPick {
  return {
    label: `${typeIcons[record.observation_type]} ${record.pinned ? '$(pinned) ' : ''}${record.title}`,
    description: record.valid_from.slice(0, 10),
    detail: record.summary.replace(/\s+/g, ' ').slice(0, 200),
    alwaysShow: true,
    record,
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
