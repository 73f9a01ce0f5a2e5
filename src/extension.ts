import { loadStart } from './ide/load-start';
import { randomUUID } from 'node:crypto';
import * as os from 'node:os';
import * as path from 'node:path';
import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import { DisposableStore } from './contract/disposable';
import type { WorkerData } from './contract/worker-messages';
import { CollectorClient, type WorkerPort } from './ide/collector-client';
import { registerCommands } from './ide/commands/register';
import { createApi, type KiroLearnApi } from './ide/extension-api';
import { channelLog } from './ide/logger';
import { askWindowModel } from './ide/model-bridge';
import { MemoriesPanel } from './ide/panel/memories-panel';
import { registerMcpProvider } from './ide/providers/mcp-provider';
import { registerMemoryTool } from './ide/providers/memory-tool';
import { registerModelKey } from './ide/providers/model-key';
import { rememberEvent } from './ide/remember-event';
import { hostIdentity } from './ide/setup/host-identity';
import { storageLaunchers } from './ide/setup/launchers';
import { SetupService } from './ide/setup/setup-service';
import { StatusBar } from './ide/status/status-bar';
import { WindowState } from './ide/window-state';

/** Puts the window's parts together. Nothing here waits: the collector starts beside. */
export function activate(extension: vscode.ExtensionContext): KiroLearnApi {
  const parts = new DisposableStore();
  extension.subscriptions.push({ dispose: () => parts.dispose() });
  const channel = parts.register(vscode.window.createOutputChannel('kiro-learn', { log: true }));
  const log = channelLog(channel);
  const version = String((extension.extension.packageJSON as { version?: unknown }).version ?? '0.0.0');
  const storageDir = extension.globalStorageUri.fsPath;

  const data: WorkerData = {
    storageDir,
    distDir: path.join(extension.extensionPath, 'dist'),
    version,
    home: os.homedir(),
    actorId: actorId(),
    hostName: os.hostname(),
    windowId: randomUUID(),
  };
  const client = parts.register(
    new CollectorClient({ start: () => startWorker(data), log, answerModel: askWindowModel }),
  );
  const state = parts.register(new WindowState(storageDir, client));
  const launchers = storageLaunchers(storageDir, data.distDir, process.platform);
  const setup = new SetupService({
    storageDir,
    home: data.home,
    platform: process.platform,
    launchers,
    log,
    identity: () => hostIdentity(data.home),
    folders: () => state.folders.map((folder) => ({ path: folder.path, trusted: folder.trusted })),
    changed: () => state.reload(),
  });
  const panel = parts.register(
    new MemoriesPanel({
      extensionUri: extension.extensionUri,
      version,
      api: client,
      state,
      setup,
      log,
      memento: extension.workspaceState,
    }),
  );
  const statusBar = parts.register(new StatusBar(client, state));
  parts.register(state.onDidChange(() => statusBar.draw()));
  parts.register(
    registerCommands({
      client,
      state,
      panel,
      statusBar,
      setup,
      channel,
      storageUri: extension.globalStorageUri,
      extension: { id: extension.extension.id, version },
      log,
    }),
  );
  for (const provider of [registerMemoryTool(client, state), registerMcpProvider(launchers, version)]) {
    if (provider !== undefined) parts.register(provider);
  }
  parts.register(registerModelKey(extension.secrets, client));
  const remembered = parts.register(rememberEvent(client));

  state.push();
  client.start();
  void state
    .reload()
    .then(() => offerNewHooks(setup, panel))
    .catch((error: unknown) => {
      log.error(
        'setup',
        `the set-up state could not be read: ${error instanceof Error ? error.name : 'unknown'}`,
      );
    });
  log.info('activation', `main thread ${(performance.now() - loadStart).toFixed(1)} ms`);
  return createApi(client, () => state.currentFolder, remembered.event);
}

/** After an update of Kiro its old hook files are silent (Kiro#9619); the user is asked once a window. */
async function offerNewHooks(setup: SetupService, panel: MemoriesPanel): Promise<void> {
  if (!(await setup.isOutdated())) return;
  const open = vscode.l10n.t('Set up kiro-learn');
  const message = vscode.l10n.t('Kiro was updated and reads hooks in another form now. Write them again?');
  if ((await vscode.window.showWarningMessage(message, open)) === open) panel.showSetup();
}

function startWorker(data: WorkerData): WorkerPort {
  return new Worker(path.join(data.distDir, 'worker.js'), { workerData: data, name: 'kiro-learn collector' });
}

/** The OS user's name; some containers have none. */
function actorId(): string {
  try {
    return os.userInfo().username || 'user';
  } catch {
    return 'user';
  }
}
