import * as vscode from 'vscode';
import type { CommandContext } from './context';

type Scope = 'window' | 'project' | 'everywhere';

/** **Pause capture**: asks where; the status bar shows it until it is resumed. */
export async function pauseCapture(context: CommandContext): Promise<void> {
  const choices: (vscode.QuickPickItem & { scope: Scope })[] = [
    {
      label: vscode.l10n.t('This window'),
      detail: vscode.l10n.t('Until it is closed or resumed'),
      scope: 'window',
    },
  ];
  if (context.state.currentFolder !== undefined) {
    choices.push({
      label: vscode.l10n.t('This project'),
      detail: vscode.l10n.t('In every window, until resumed'),
      scope: 'project',
    });
  }
  choices.push({
    label: vscode.l10n.t('Everywhere'),
    detail: vscode.l10n.t('All projects and windows, until resumed'),
    scope: 'everywhere',
  });
  const title = vscode.l10n.t('Pause capture');
  const picked = await vscode.window.showQuickPick(choices, { title, placeHolder: vscode.l10n.t('Where?') });
  if (picked !== undefined) await setPaused(context, picked.scope, true);
}

/** **Resume capture**: lifts whatever pause the status bar shows, this window's included. */
export async function resumeCapture(context: CommandContext): Promise<void> {
  const state = context.statusBar.lastStatus?.state;
  const wasPaused = context.state.windowPaused;
  if (wasPaused) await setPaused(context, 'window', false);
  if (state?.state === 'paused') await setPaused(context, state.scope, false);
  else if (!wasPaused) void vscode.window.showInformationMessage(vscode.l10n.t('Capture is not paused.'));
}

async function setPaused({ client, state }: CommandContext, scope: Scope, paused: boolean): Promise<void> {
  if (scope === 'window') {
    state.setWindowPaused(paused);
    return;
  }
  const workspace = state.currentFolder;
  await client.call('pause', { scope, paused, ...(workspace === undefined ? {} : { workspace }) });
}
