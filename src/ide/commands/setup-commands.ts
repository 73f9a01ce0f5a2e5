import * as vscode from 'vscode';
import type { CommandContext } from './context';

/** **Remove hooks**: takes away every file and entry of ours; memories stay. */
export async function removeHooks(context: CommandContext): Promise<void> {
  const remove = vscode.l10n.t('Remove');
  const message = vscode.l10n.t(
    'Remove the hooks, the steering file and the registrations that kiro-learn wrote?',
  );
  const detail = vscode.l10n.t('Memories stay. Files that kiro-learn did not write are not touched.');
  if ((await vscode.window.showWarningMessage(message, { modal: true, detail }, remove)) !== remove) return;
  const { removed, written, failed } = await context.setup.removeHooks();
  if (failed.length > 0) {
    throw new Error(vscode.l10n.t('Could not change {0}.', failed.map((failure) => failure.path).join(', ')));
  }
  const count = removed.length + written.length;
  void vscode.window.showInformationMessage(
    count === 0
      ? vscode.l10n.t('There was nothing of kiro-learn to remove.')
      : vscode.l10n.t('Removed from {0} files.', count),
  );
}
