import * as vscode from 'vscode';
import type { Disposable } from '../../contract/disposable';
import type { PanelTarget } from '../../contract/webview-messages';
import { PageHost, type PageDependencies } from './page-host';

const panelType = 'kiro-learn.memories';
const setupType = 'kiro-learn.setup';
/** The same page in the side bar. */
export const SIDE_VIEW = 'kiro-learn.view';

/** The panel in the editor area and in the side bar, and the set-up page: at most one of each in a window. */
export class MemoriesPanel implements Disposable {
  private readonly open = new Map<string, { panel: vscode.WebviewPanel; host: PageHost }>();
  private side: PageHost | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly deps: PageDependencies) {
    this.subscriptions = [
      vscode.window.registerWebviewPanelSerializer(panelType, {
        deserializeWebviewPanel: async (panel) => this.adopt(panel, 'panel'),
      }),
      vscode.window.registerWebviewPanelSerializer(setupType, {
        deserializeWebviewPanel: async (panel) => this.adopt(panel, 'setup'),
      }),
      vscode.window.registerWebviewViewProvider(SIDE_VIEW, {
        resolveWebviewView: (view) => {
          this.side?.dispose();
          const host = new PageHost(view.webview, 'panel', this.deps);
          this.side = host;
          view.onDidDispose(() => {
            host.dispose();
            if (this.side === host) this.side = undefined;
          });
        },
      }),
    ];
  }

  /** Opens the panel, or brings it forward, and shows `target` in it. */
  show(target?: PanelTarget): void {
    const known = this.open.get(panelType);
    if (known !== undefined) {
      known.panel.reveal();
      if (target !== undefined) known.host.show(target);
      return;
    }
    this.adopt(this.create(panelType, 'kiro-learn'), 'panel', target);
  }

  showSetup(): void {
    const known = this.open.get(setupType);
    if (known !== undefined) known.panel.reveal();
    else this.adopt(this.create(setupType, vscode.l10n.t('Set up kiro-learn')), 'setup');
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    for (const { panel } of [...this.open.values()]) panel.dispose();
    this.side?.dispose();
  }

  private create(type: string, title: string): vscode.WebviewPanel {
    return vscode.window.createWebviewPanel(type, title, vscode.ViewColumn.Active, {});
  }

  private adopt(panel: vscode.WebviewPanel, page: 'panel' | 'setup', target?: PanelTarget): void {
    const type = page === 'panel' ? panelType : setupType;
    panel.iconPath = {
      light: vscode.Uri.joinPath(this.deps.extensionUri, 'media', 'panel-light.svg'),
      dark: vscode.Uri.joinPath(this.deps.extensionUri, 'media', 'panel-dark.svg'),
    };
    const host = new PageHost(panel.webview, page, this.deps, target);
    this.open.get(type)?.host.dispose();
    this.open.set(type, { panel, host });
    panel.onDidDispose(() => {
      host.dispose();
      if (this.open.get(type)?.host === host) this.open.delete(type);
    });
  }
}
