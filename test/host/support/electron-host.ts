import { resolveCliArgsFromVSCodeExecutablePath } from '@vscode/test-electron';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import type { ChosenHost } from '../../../scripts/vscode-host/choose';
import { CodeWindow } from './code-window';
import {
  hostEnvironment,
  makeHostFolders,
  quietSettings,
  readLogs,
  removeHostFolders,
  type HostFolders,
} from './host-folders';
import type { HostOptions, VsCodeHost } from './vscode-host';

type Desktop = Extract<ChosenHost, { kind: 'electron' }>;

/** Thrown when the desktop build can't do what was asked. */
export class ElectronHostError extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'ElectronHostError';
  }
}

/** A desktop VS Code, downloaded by `@vscode/test-electron` and driven through Electron. */
export class ElectronHost implements VsCodeHost {
  readonly kind = 'electron';
  private application: ElectronApplication | undefined;

  private constructor(
    private readonly chosen: Desktop,
    private readonly folders: HostFolders,
    readonly environment: Readonly<Record<string, string>>,
    private readonly flags: readonly string[],
  ) {}

  static start(chosen: Desktop, options: HostOptions): Promise<ElectronHost> {
    const trust = options.workspaceTrust ?? false;
    const folders = makeHostFolders(quietSettings(trust, options.settings ?? {}));
    const flags = ['--user-data-dir', folders.userData, '--extensions-dir', folders.extensions];
    flags.push('--disable-updates', '--skip-welcome', '--skip-release-notes', '--disable-telemetry');
    if (process.platform === 'linux') flags.push('--no-sandbox', '--disable-gpu', '--password-store=basic');
    if (!trust) flags.push('--disable-workspace-trust');
    const environment = hostEnvironment(folders, displayEnvironment(options.environment));
    return Promise.resolve(new ElectronHost(chosen, folders, environment, flags));
  }

  get home(): string {
    return this.folders.home;
  }

  get userData(): string {
    return this.folders.userData;
  }

  async installVsix(file: string): Promise<void> {
    await this.runCli('--install-extension', file);
  }

  /** The first window starts the application; later ones are opened by its command line, as a user would. */
  async openWindow(folder: string): Promise<CodeWindow> {
    const page = this.application === undefined ? await this.launch(folder) : await this.another(folder);
    const window = new CodeWindow(page, undefined);
    await window.ready();
    return window;
  }

  private async launch(folder: string): Promise<Page> {
    this.application = await _electron.launch({
      executablePath: this.chosen.executable,
      args: [...this.flags, folder],
      env: this.environment,
    });
    return this.application.firstWindow();
  }

  private async another(folder: string): Promise<Page> {
    if (this.application === undefined) throw new ElectronHostError('no application is running');
    const opened = this.application.waitForEvent('window');
    await this.runCli('--new-window', folder);
    return opened;
  }

  private async runCli(...args: string[]): Promise<void> {
    const [cli, ...cliArgs] = resolveCliArgsFromVSCodeExecutablePath(this.chosen.executable);
    if (cli === undefined) throw new ElectronHostError('VS Code has no command line program');
    const own = cliArgs.filter((arg) => !/^--(user-data|extensions)-dir/.test(arg));
    const child = spawn(cli, [...own, ...this.flags, ...args], {
      env: this.environment,
      stdio: 'ignore',
      shell: process.platform === 'win32',
    });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new ElectronHostError(`code ${args.join(' ')} failed (exit ${code})`);
  }

  pages(): readonly Page[] {
    return this.application?.windows() ?? [];
  }

  logs(): Promise<string> {
    return readLogs(this.folders);
  }

  async dispose(): Promise<void> {
    await this.application?.close();
    await removeHostFolders(this.folders);
  }
}

/** The display lives in variables that {@link hostEnvironment} takes away. */
function displayEnvironment(extra: Record<string, string> | undefined): Record<string, string> {
  const authority = process.env['XAUTHORITY'];
  return { ...(authority === undefined ? {} : { XAUTHORITY: authority }), ...extra };
}
