import * as vscode from 'vscode';
import type { Disposable } from '../contract/disposable';
import type { WindowFolder } from '../contract/worker-messages';
import type { CollectorClient } from './collector-client';
import { readSettings, SETTINGS_SECTION } from './settings';
import { readSetupState, type SetupState } from './setup/setup-state';

/**
 * What this window knows and the collector must be told: its folders, their trust and settings, the user's
 * consent, and whether this window is paused.
 */
export class WindowState implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private setup: SetupState | undefined;
  private paused = false;
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly storageDir: string,
    private readonly client: CollectorClient,
  ) {
    this.subscriptions = [
      this.changed,
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.push()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.push()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS_SECTION)) this.push();
      }),
    ];
  }

  get windowPaused(): boolean {
    return this.paused;
  }

  get setUp(): boolean {
    return this.setup !== undefined;
  }

  /** Whether the user had a hook written that hands prompts over. */
  get hookWritten(): boolean {
    const boxes = this.setup?.choices.boxes;
    return boxes !== undefined && (boxes.hook || boxes.vscode || boxes.claude || boxes.kiroCli);
  }

  get setupState(): SetupState | undefined {
    return this.setup;
  }

  get trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  get folders(): WindowFolder[] {
    return (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === 'file')
      .map((folder) => ({
        path: folder.uri.fsPath,
        trusted: vscode.workspace.isTrusted,
        settings: readSettings(folder.uri),
      }));
  }

  /** The folder that a command means: the active editor's, else the first. */
  get currentFolder(): string | undefined {
    const active = vscode.window.activeTextEditor?.document.uri;
    const folder = active === undefined ? undefined : vscode.workspace.getWorkspaceFolder(active);
    return (folder ?? vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file'))?.uri
      .fsPath;
  }

  setWindowPaused(paused: boolean): void {
    this.paused = paused;
    this.push();
  }

  /** Reads the user's consent from global storage and tells the collector. */
  async reload(): Promise<void> {
    this.setup = await readSetupState(this.storageDir);
    this.push();
  }

  /** Tells the collector, and whoever listens, how things stand. */
  push(): void {
    const sessionsConsent = this.setup?.choices.boxes.sessions ?? false;
    this.client.setFolders({ folders: this.folders, sessionsConsent, paused: this.paused });
    this.changed.fire();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
