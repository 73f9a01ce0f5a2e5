import * as vscode from 'vscode';
import type { CommandContext } from './context';
import { messageOf, pickMemories } from './memory-picks';

/** **Search memories**: live quick pick; the chosen one opens in the panel. */
export async function searchMemories(context: CommandContext): Promise<void> {
  const [record] = await pickMemories(context, {
    title: vscode.l10n.t('Search memories'),
    placeholder: vscode.l10n.t('What do you want to remember? Words, a file, an error'),
    many: false,
  });
  if (record !== undefined) context.panel.show({ tab: 'memories', record_id: record.record_id });
}

/** **Remember selection**: the selected text becomes a memory of the user's own words. */
export async function rememberSelection(context: CommandContext): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const workspace = context.state.currentFolder;
  if (workspace === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Open a folder first: memories belong to a project.'),
    );
    return;
  }
  const selected = editor?.document.getText(editor.selection).trim() ?? '';
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Remember'),
    prompt: vscode.l10n.t('One or two sentences that the agent should know in later sessions.'),
    value: selected.slice(0, 4000).replace(/\s*\n\s*/g, ' '),
  });
  if (text === undefined || text.trim() === '') return;
  const file =
    editor?.document.uri.scheme === 'file'
      ? vscode.workspace.asRelativePath(editor.document.uri, false)
      : undefined;
  const { record_id: id } = await context.client.call('remember', {
    text: text.trim(),
    workspace,
    ...(file === undefined ? {} : { file }),
  });
  const show = vscode.l10n.t('Show');
  const answer = await vscode.window.showInformationMessage(vscode.l10n.t('Remembered.'), show);
  if (answer === show) context.panel.show({ tab: 'memories', record_id: id });
}

/** **Forget…**: hides chosen memories; one click takes it back. */
export async function forgetMemories(context: CommandContext): Promise<void> {
  const records = await pickMemories(context, {
    title: vscode.l10n.t('Forget memories'),
    placeholder: vscode.l10n.t('Choose what is no longer to be recalled; it can be undone'),
    many: true,
  });
  if (records.length === 0) return;
  const { changed, change_ids: changes } = await context.client.call('forgetMemories', {
    record_ids: records.map((record) => record.record_id),
  });
  const undo = vscode.l10n.t('Undo');
  const message =
    changed === 1 ? vscode.l10n.t('1 memory forgotten.') : vscode.l10n.t('{0} memories forgotten.', changed);
  const answer = await vscode.window.showInformationMessage(message, undo);
  if (answer === undo && changes.length > 0) await context.client.call('undo', { change_ids: changes });
}

/** **Erase…**: removes chosen memories and what they came from for good, after a question. */
export async function eraseMemories(context: CommandContext): Promise<void> {
  const records = await pickMemories(context, {
    title: vscode.l10n.t('Erase memories'),
    placeholder: vscode.l10n.t('Choose what is to be removed for good'),
    many: true,
  });
  if (records.length === 0 || !(await confirmErase(records.length))) return;
  const { erased, events_erased: events } = await context.client.call('eraseMemories', {
    record_ids: records.map((record) => record.record_id),
  });
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Erased {0} memories and {1} events.', erased, events),
  );
}

/** Asks before anything is removed for good. */
export async function confirmErase(records: number): Promise<boolean> {
  const erase = vscode.l10n.t('Erase');
  const question =
    records === 1
      ? vscode.l10n.t('Erase this memory for good?')
      : vscode.l10n.t('Erase {0} memories for good?', records);
  const detail = vscode.l10n.t(
    'The memory, its evidence and the events that it came from are removed from every file of the store. This can not be undone. "Forget" hides a memory and can be undone.',
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, erase)) === erase;
}

/** **Distil now**: makes memories of what waits, without waiting for a turn's end. */
/** Turns that the model could not be asked about go to it again. */
export async function retryModel({ client }: CommandContext): Promise<void> {
  const { turns } = await client.call('retryModel', {});
  await vscode.window.showInformationMessage(vscode.l10n.t('{0} turns wait for the model again.', turns));
}

export async function distilNow({ client }: CommandContext): Promise<void> {
  const work = () => client.call('distilNow', {});
  const progress = {
    location: vscode.ProgressLocation.Window,
    title: vscode.l10n.t('kiro-learn: distilling'),
  };
  const { events, records } = await vscode.window.withProgress(progress, work);
  const message =
    events === 0
      ? vscode.l10n.t('Nothing waited to be learned from.')
      : vscode.l10n.t('Read {0} events, made or renewed {1} memories.', events, records);
  void vscode.window.showInformationMessage(message);
}

/** Runs a command's work and shows what went wrong, in words, with a way to the log. */
export async function guarded(
  context: CommandContext,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.log.error('command', `${name} failed: ${error instanceof Error ? error.name : 'unknown'}`);
    const open = vscode.l10n.t('Open log');
    const answer = await vscode.window.showErrorMessage(`kiro-learn: ${messageOf(error)}`, open);
    if (answer === open) context.channel.show();
  }
}
