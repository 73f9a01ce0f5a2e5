import type { Page } from 'playwright-core';
import type { CodeWindow } from './code-window';

export interface HostOptions {
  /** Workspace trust switched on, so that a new folder opens in restricted mode until trusted. Default: off. */
  workspaceTrust?: boolean;
  /** User settings on top of the quiet defaults. */
  settings?: Record<string, unknown>;
  /** Environment variables on top of the host's own. */
  environment?: Record<string, string>;
}

/** One running VS Code with its own HOME, user data and extensions. */
export interface VsCodeHost {
  readonly kind: 'electron' | 'code-server';
  /** The HOME of this host; `~/.kiro` of the product under test is below it. */
  readonly home: string;
  /** User data folder; `User/globalStorage/<publisher>.<name>` below it is the extension's global storage. */
  readonly userData: string;
  /** The environment that the host, and so an agent inside it, runs with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Installs an extension package; windows opened later run it. */
  installVsix(file: string): Promise<void>;
  /** Opens a window on a folder and waits for its workbench. */
  openWindow(folder: string): Promise<CodeWindow>;
  /** The pages of the windows that are open. */
  pages(): readonly Page[];
  /** What the extension hosts and the server have logged, for a failing test. */
  logs(): Promise<string>;
  /** Closes the windows, ends every process of the host and removes its folders. */
  dispose(): Promise<void>;
}

/** How a window reaches its extension host process. */
export interface ExtensionHostHandle {
  /** The process id of the window's present extension host; waits for one that is just starting. */
  pid(): Promise<number>;
  /** Forgets the process (it was killed or the window reloads), so that {@link pid} finds its successor. */
  forget(): void;
}
