import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../contract/disposable';
import type { LocalApi } from '../../contract/local-api';
import type { PageInit, PanelTarget } from '../../contract/webview-messages';
import type { Log } from '../../platform/log';
import { strings as englishStrings } from '../../../webview/strings';
import { confirmErase } from '../commands/memory-commands';
import type { SetupService } from '../setup/setup-service';
import type { WindowState } from '../window-state';
import { pageHtml } from './html';
import { PageSession, type ActionHandlers } from './page-session';

export interface PageDependencies {
  extensionUri: vscode.Uri;
  version: string;
  api: LocalApi;
  state: WindowState;
  setup: SetupService;
  log: Log;
  memento: vscode.Memento;
}

const stateKey = 'panel.state';

/** Fills a webview with one of our pages and answers it until the webview goes. */
export class PageHost implements Disposable {
  private readonly session: PageSession;
  private readonly subscriptions: vscode.Disposable[] = [];

  constructor(
    webview: vscode.Webview,
    private readonly page: 'panel' | 'setup',
    private readonly deps: PageDependencies,
    target?: PanelTarget,
  ) {
    const root = vscode.Uri.joinPath(deps.extensionUri, 'dist', 'webview');
    webview.options = { enableScripts: true, localResourceRoots: [root] };
    let first = target;
    this.session = new PageSession({
      post: (message) => void webview.postMessage(message),
      api: deps.api,
      actions: this.actions(),
      init: async () => {
        const init = await this.init();
        if (first !== undefined) init.target = first;
        first = undefined;
        return init;
      },
      confirmErase,
      saveState: (state) => void deps.memento.update(stateKey, state),
      log: deps.log,
    });
    this.subscriptions.push(
      webview.onDidReceiveMessage((message: unknown) => void this.session.receive(message)),
      deps.state.onDidChange(() => void this.session.refresh()),
    );
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      script: webview.asWebviewUri(vscode.Uri.joinPath(root, 'panel.js')).toString(),
      codicons: webview.asWebviewUri(vscode.Uri.joinPath(root, 'codicon.css')).toString(),
      nonce: randomBytes(16).toString('hex'),
      lang: vscode.env.language,
      title: page === 'panel' ? 'kiro-learn' : vscode.l10n.t('Set up kiro-learn'),
      page,
    });
  }

  show(target: PanelTarget): void {
    this.session.show(target);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.session.dispose();
  }

  private async init(): Promise<PageInit> {
    const { state, version, memento } = this.deps;
    const folder = state.currentFolder;
    const init: PageInit = {
      page: this.page,
      locale: vscode.env.language,
      strings: translatedStrings(),
      version,
      trusted: state.trusted,
      set_up: state.setUp,
      hook_written: state.hookWritten,
      window_paused: state.windowPaused,
    };
    const saved = memento.get<PageInit['state']>(stateKey);
    if (saved !== undefined) init.state = saved;
    if (folder !== undefined) {
      init.workspace = folder;
      init.project_name = path.basename(folder);
    }
    return init;
  }

  private actions(): ActionHandlers {
    const { setup, state } = this.deps;
    return {
      openFile: async ({ path: file, root }) => ({ opened: await openInside(file, root, state) }),
      runCommand: async ({ command }) => {
        await vscode.commands.executeCommand(command);
        return {};
      },
      copy: async ({ text }) => {
        await vscode.env.clipboard.writeText(text);
        return {};
      },
      setupPreview: ({ choices }) => setup.preview(choices),
      setupApply: ({ choices }) => setup.apply(choices),
    };
  }
}

function translatedStrings(): Record<string, string> {
  return Object.fromEntries(Object.entries(englishStrings).map(([key, text]) => [key, vscode.l10n.t(text)]));
}

/** Opens a file that a memory names, only where it lies inside a workspace folder after links are followed. */
async function openInside(file: string, root: string | undefined, state: WindowState): Promise<boolean> {
  const folders = state.folders.map((folder) => folder.path);
  const base = root !== undefined && folders.includes(root) ? root : undefined;
  const candidates = path.isAbsolute(file)
    ? [file]
    : (base ? [base] : folders).map((folder) => path.join(folder, file));
  for (const candidate of candidates) {
    const uri = vscode.Uri.file(candidate);
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) continue;
    if (!(await staysInside(candidate, folders))) continue;
    try {
      await vscode.window.showTextDocument(uri, { preview: true });
      return true;
    } catch {
      continue;
    }
  }
  return false;
}

async function staysInside(file: string, folders: string[]): Promise<boolean> {
  try {
    const real = await realpath(file);
    const roots = await Promise.all(folders.map((folder) => realpath(folder)));
    return roots.some((folder) => real === folder || real.startsWith(folder + path.sep));
  } catch {
    return false;
  }
}
