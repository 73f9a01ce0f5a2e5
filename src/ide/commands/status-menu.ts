import * as vscode from 'vscode';
import { stateSentence, shownState } from '../status/status-view';
import type { CommandContext } from './context';

interface MenuItem extends vscode.QuickPickItem {
  command?: string;
}

/** A click on the indicator: what makes sense now, the most useful first. */
export async function showStatusMenu(context: CommandContext): Promise<void> {
  const items = menuItems(context);
  const title = `kiro-learn: ${stateSentence(stateNow(context), vscode.l10n.t)}`;
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('What next?'),
  });
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
}

function stateNow({ client, state, statusBar }: CommandContext) {
  const status = statusBar.lastStatus;
  const { windowPaused, setUp, trusted } = state;
  const known = status === undefined ? {} : { status };
  return shownState(
    { life: client.life, windowPaused, setUp, trusted, now: Date.now(), ...known },
    vscode.l10n.t,
  );
}

function menuItems(context: CommandContext): MenuItem[] {
  const { state, statusBar } = context;
  const status = statusBar.lastStatus;
  const now = stateNow(context);
  const items: MenuItem[] = [];
  const add = (icon: string, label: string, command: string, detail?: string) =>
    items.push({ label: `$(${icon}) ${label}`, command, ...(detail === undefined ? {} : { detail }) });
  if (!state.setUp) {
    add(
      'plug',
      vscode.l10n.t('Set up kiro-learn'),
      'kiro-learn.setUp',
      vscode.l10n.t('The agent is not connected yet'),
    );
  }
  if (now.state === 'error')
    add('refresh', vscode.l10n.t('Restart the collector'), 'kiro-learn.restartCollector');
  if (now.state === 'error' || now.state === 'degraded') {
    add('pulse', vscode.l10n.t('Diagnose'), 'kiro-learn.diagnose', now.message);
  }
  if (now.state === 'paused') add('debug-start', vscode.l10n.t('Resume capture'), 'kiro-learn.resume');
  add('book', vscode.l10n.t('Show memories'), 'kiro-learn.showMemories');
  add('search', vscode.l10n.t('Search memories'), 'kiro-learn.searchMemories');
  if (status?.last_injection !== undefined) {
    add('sparkle', vscode.l10n.t('Show what the last prompt received'), 'kiro-learn.showInjection');
  }
  if ((status?.buffered ?? 0) > 0 && now.state !== 'distilling') {
    add('zap', vscode.l10n.t('Distil now'), 'kiro-learn.distilNow', stateSentence(now, vscode.l10n.t));
  }
  if (now.state !== 'paused') add('debug-pause', vscode.l10n.t('Pause capture'), 'kiro-learn.pause');
  if (state.setUp && now.state !== 'error' && now.state !== 'degraded') {
    add('pulse', vscode.l10n.t('Diagnose'), 'kiro-learn.diagnose');
  }
  add('output', vscode.l10n.t('Open log'), 'kiro-learn.openLog');
  return items;
}
