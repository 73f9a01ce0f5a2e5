import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import * as path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
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
import { extensionHostsBelow, isAlive } from './processes';
import type { ExtensionHostHandle, HostOptions, VsCodeHost } from './vscode-host';
import { waitFor } from './wait';

type CodeServer = Extract<ChosenHost, { kind: 'code-server' }>;

const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Thrown when the server ends or refuses to start; carries what it printed. */
export class CodeServerError extends Error {
  constructor(what: string, output: string) {
    super(`${what}\n${output.slice(-2000)}`);
    this.name = 'CodeServerError';
  }
}

/** A code-server on a free loopback port, shown in a headless Chromium. */
export class CodeServerHost implements VsCodeHost {
  readonly kind = 'code-server';
  private readonly claimed = new Set<number>();

  private constructor(
    private readonly chosen: CodeServer,
    private readonly folders: HostFolders,
    readonly environment: Readonly<Record<string, string>>,
    private readonly server: ChildProcess,
    private readonly port: number,
    private readonly browser: Browser,
    private readonly context: BrowserContext,
    private readonly output: string[],
  ) {}

  static async start(chosen: CodeServer, options: HostOptions): Promise<CodeServerHost> {
    const trust = options.workspaceTrust ?? false;
    const folders = makeHostFolders(quietSettings(trust, options.settings ?? {}));
    const config = path.join(folders.root, 'code-server.yaml');
    await writeFile(config, '');
    const environment = hostEnvironment(folders, { CODE_SERVER_CONFIG: config, ...options.environment });
    const port = await freePort();
    const output: string[] = [];
    const server = spawn(chosen.node, [chosen.entry, ...serverFlags(folders, port, trust)], {
      cwd: folders.home,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    server.stdout?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    server.stderr?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    try {
      await waitUntilHealthy(port, server, output);
      const browser = await chromium.launch({ executablePath: chosen.chromium, args: chromiumFlags });
      const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
      return new CodeServerHost(chosen, folders, environment, server, port, browser, context, output);
    } catch (error) {
      await endGroup(server);
      await removeHostFolders(folders);
      throw error;
    }
  }

  get home(): string {
    return this.folders.home;
  }

  get userData(): string {
    return this.folders.userData;
  }

  async installVsix(file: string): Promise<void> {
    const { userData, extensions } = this.folders;
    const args = ['--user-data-dir', userData, '--extensions-dir', extensions, '--install-extension', file];
    const child = spawn(this.chosen.node, [this.chosen.entry, ...args], {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0 || !printed.includes('successfully installed')) {
      throw new CodeServerError(`installing ${path.basename(file)} failed (exit ${code})`, printed);
    }
  }

  async openWindow(folder: string): Promise<CodeWindow> {
    const page = await this.context.newPage();
    const window = new CodeWindow(page, this.extensionHostHandle());
    await page.goto(`http://127.0.0.1:${this.port}/?folder=${encodeURIComponent(folder)}`);
    await window.ready();
    await window.extensionHostPid();
    return window;
  }

  /** Windows open one after the other, so the first host that no other window has is the new window's. */
  private extensionHostHandle(): ExtensionHostHandle {
    let mine: number | undefined;
    return {
      pid: async () => {
        if (mine !== undefined) return mine;
        mine = await waitFor('an extension host', () =>
          extensionHostsBelow(this.serverPid).find((pid) => !this.claimed.has(pid)),
        );
        this.claimed.add(mine);
        return mine;
      },
      forget: () => (mine = undefined),
    };
  }

  private get serverPid(): number {
    if (this.server.pid === undefined)
      throw new CodeServerError('code-server has no process', this.output.join(''));
    return this.server.pid;
  }

  pages(): readonly Page[] {
    return this.context.pages();
  }

  async logs(): Promise<string> {
    return `== server\n${this.output.join('')}\n${await readLogs(this.folders)}`;
  }

  async dispose(): Promise<void> {
    for (const page of this.context.pages()) await page.close();
    await this.browser.close();
    await endGroup(this.server);
    await removeHostFolders(this.folders);
  }
}

function serverFlags(folders: HostFolders, port: number, trust: boolean): string[] {
  const flags = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`];
  flags.push('--disable-telemetry', '--disable-update-check', '--disable-getting-started-override');
  if (!trust) flags.push('--disable-workspace-trust');
  return [...flags, '--user-data-dir', folders.userData, '--extensions-dir', folders.extensions];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitUntilHealthy(port: number, server: ChildProcess, output: string[]): Promise<void> {
  await waitFor('code-server to answer', async () => {
    if (server.exitCode !== null)
      throw new CodeServerError('code-server ended at its start', output.join(''));
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    return answer?.ok === true ? true : undefined;
  });
}

/** Ends a server and all it started (its process group): politely, then for good. */
async function endGroup(server: ChildProcess): Promise<void> {
  const { pid } = server;
  if (pid === undefined) return;
  signalGroup(pid, 'SIGTERM');
  await waitFor('code-server to end', () => (isAlive(pid) ? undefined : true), 5000).catch(() => undefined);
  signalGroup(pid, 'SIGKILL');
  await waitFor('code-server to end', () => (isAlive(pid) ? undefined : true));
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
