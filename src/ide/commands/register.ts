import * as vscode from 'vscode';
import type { Disposable } from '../../contract/disposable';
import type { CommandContext } from './context';
import { diagnose } from './diagnose';
import {
  distilNow,
  eraseMemories,
  forgetMemories,
  guarded,
  rememberSelection,
  retryModel,
  searchMemories,
} from './memory-commands';
import { pauseCapture, resumeCapture } from './pause-commands';
import { removeHooks } from './setup-commands';
import { showStatusMenu } from './status-menu';
import { exportMemories, importMemories, importSessions } from './transfer-commands';

type Handler = (context: CommandContext) => void | Promise<void>;

/** Every command, by id. */
export const COMMANDS = {
  'kiro-learn.showMemories': ({ panel }) => panel.show(),
  'kiro-learn.searchMemories': searchMemories,
  'kiro-learn.rememberSelection': rememberSelection,
  'kiro-learn.pause': pauseCapture,
  'kiro-learn.resume': resumeCapture,
  'kiro-learn.distilNow': distilNow,
  'kiro-learn.retryModel': retryModel,
  'kiro-learn.importSessions': importSessions,
  'kiro-learn.exportMemories': exportMemories,
  'kiro-learn.importMemories': importMemories,
  'kiro-learn.forget': forgetMemories,
  'kiro-learn.erase': eraseMemories,
  'kiro-learn.setUp': ({ panel }) => panel.showSetup(),
  'kiro-learn.removeHooks': removeHooks,
  'kiro-learn.diagnose': diagnose,
  'kiro-learn.openLog': ({ channel }) => channel.show(),
  'kiro-learn.openStorageFolder': openStorageFolder,
  'kiro-learn.openSettings': openSettings,
  'kiro-learn.restartCollector': ({ client }) => client.restart(),
  'kiro-learn.showInjection': showInjection,
  'kiro-learn.statusMenu': showStatusMenu,
} as const satisfies Record<string, Handler>;
export type CommandId = keyof typeof COMMANDS;

export function registerCommands(context: CommandContext): Disposable {
  const registrations = Object.entries(COMMANDS).map(([id, handler]: [string, Handler]) =>
    vscode.commands.registerCommand(id, () => guarded(context, id, async () => handler(context))),
  );
  return vscode.Disposable.from(...registrations);
}

function showInjection({ panel, statusBar }: CommandContext): void {
  const id = statusBar.flashing?.injection_id ?? statusBar.lastStatus?.last_injection?.injection_id;
  panel.show(id === undefined ? { tab: 'recall' } : { tab: 'recall', injection_id: id });
}

async function openStorageFolder({ storageUri }: CommandContext): Promise<void> {
  await vscode.workspace.fs.createDirectory(storageUri);
  const command = vscode.env.remoteName === undefined ? 'revealFileInOS' : 'vscode.openFolder';
  if (command === 'revealFileInOS') await vscode.commands.executeCommand(command, storageUri);
  else await vscode.commands.executeCommand(command, storageUri, { forceNewWindow: true });
}

async function openSettings({ extension }: CommandContext): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extension.id}`);
}
