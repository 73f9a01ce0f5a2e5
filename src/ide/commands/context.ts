import type * as vscode from 'vscode';
import type { Log } from '../../platform/log';
import type { CollectorClient } from '../collector-client';
import type { MemoriesPanel } from '../panel/memories-panel';
import type { SetupService } from '../setup/setup-service';
import type { StatusBar } from '../status/status-bar';
import type { WindowState } from '../window-state';

/** What commands work with; made once, in the composition root. */
export interface CommandContext {
  client: CollectorClient;
  state: WindowState;
  panel: MemoriesPanel;
  statusBar: StatusBar;
  setup: SetupService;
  channel: vscode.LogOutputChannel;
  storageUri: vscode.Uri;
  extension: { id: string; version: string };
  log: Log;
}
