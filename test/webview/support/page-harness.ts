import { spawn } from 'node:child_process';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { PageCommand, PageInit, ToPage } from '../../../src/contract/webview-messages';
import type { WorkerData } from '../../../src/contract/worker-messages';
import { CollectorClient } from '../../../src/ide/collector-client';
import { pageHtml } from '../../../src/ide/panel/html';
import { PageSession } from '../../../src/ide/panel/page-session';
import type { HostIdentity } from '../../../src/ide/setup/dialect';
import { storageLaunchers } from '../../../src/ide/setup/launchers';
import { SetupService } from '../../../src/ide/setup/setup-service';
import { readSetupState } from '../../../src/ide/setup/setup-state';
import { SETTINGS, type SettingName, type Settings } from '../../../src/contract/settings';
import { hookLauncherPath } from '../../../src/platform/launcher';
import { silentLog, type Log } from '../../../src/platform/log';
import { themes, type ThemeName } from './themes';

export interface OpenOptions {
  page?: 'panel' | 'setup';
  theme?: ThemeName;
  width?: number;
  height?: number;
  strings?: Record<string, string>;
  locale?: string;
  state?: PageInit['state'];
}

export interface OpenPage {
  page: Page;
  session: PageSession;
  /** What the page's policy blocked, and what went wrong in it. */
  complaints: string[];
  close(): Promise<void>;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
}

/**
 * Everything of the product but the IDE around the page: the built page in Chromium under its own policy, the
 * host's end of the wire, and a real collector in a worker over a temporary store.
 */
export class PageHarness {
  readonly commands: PageCommand[] = [];
  readonly copied: string[] = [];
  readonly opened: string[] = [];
  eraseAllowed = true;
  setUp = false;
  trusted = true;
  windowPaused = false;
  identity: HostIdentity = {
    appName: 'Kiro',
    uriScheme: 'kiro',
    baseVersion: '1.107.1',
    kiroVersion: '1.2.37',
    kiroHome: true,
    setting: 'auto',
  };

  private constructor(
    readonly root: string,
    readonly client: CollectorClient,
    readonly setup: SetupService,
    private readonly server: Server,
    private readonly browser: Browser,
  ) {}

  get home(): string {
    return path.join(this.root, 'home');
  }

  get workspace(): string {
    return path.join(this.root, 'lighthouse');
  }

  get storage(): string {
    return path.join(this.root, 'storage');
  }

  static async start(dist: string, browser: Browser, log: Log = silentLog): Promise<PageHarness> {
    const root = mkdtempSync(path.join(os.tmpdir(), 'kiro-learn-page-'));
    for (const folder of ['home', 'lighthouse', 'storage', 'run']) await mkdir(path.join(root, folder));
    const storageDir = path.join(root, 'storage');
    const data: WorkerData = {
      storageDir,
      distDir: dist,
      version: '0.1.0',
      home: path.join(root, 'home'),
      actorId: 'mira',
      hostName: 'test-host',
      windowId: 'window-1',
    };
    const start = () =>
      new Worker(path.join(dist, 'worker.js'), {
        workerData: data,
        env: { ...process.env, HOME: data.home, XDG_RUNTIME_DIR: path.join(root, 'run') },
      });
    const answerModel = () => Promise.reject(new Error('no model here'));
    const client = new CollectorClient({ start, log, answerModel });
    const folders = [{ path: path.join(root, 'lighthouse'), trusted: true, settings: defaultSettings() }];
    client.setFolders({ folders, sessionsConsent: true, paused: false });
    client.start();
    const setup: SetupService = new SetupService({
      storageDir,
      home: data.home,
      platform: 'linux',
      launchers: storageLaunchers(storageDir, dist, 'linux'),
      log,
      identity: () => Promise.resolve(harness.identity),
      folders: () => folders.map(({ path: folder, trusted }) => ({ path: folder, trusted })),
      changed: async () => {
        harness.setUp = (await readSetupState(storageDir)) !== undefined;
      },
    });
    const server = createServer((request, response) => serve(dist, request.url ?? '/', response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const harness: PageHarness = new PageHarness(root, client, setup, server, browser);
    return harness;
  }

  async open(options: OpenOptions = {}): Promise<OpenPage> {
    const { width = 1000, height = 720, theme = 'dark', page: kind = 'panel' } = options;
    const page = await this.browser.newPage({ viewport: { width, height } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    const session = new PageSession({
      post: (message) => void deliver(page, message),
      api: this.client,
      actions: {
        openFile: ({ path: file }) => {
          this.opened.push(file);
          return Promise.resolve({ opened: true });
        },
        runCommand: ({ command }) => {
          this.commands.push(command);
          return Promise.resolve({});
        },
        copy: ({ text }) => {
          this.copied.push(text);
          return Promise.resolve({});
        },
        setupPreview: ({ choices }) => this.setup.preview(choices),
        setupApply: ({ choices }) => this.setup.apply(choices),
      },
      init: () => Promise.resolve(this.init(kind, options)),
      confirmErase: () => Promise.resolve(this.eraseAllowed),
      saveState: () => undefined,
      log: { ...silentLog, warn: (_component, message) => void complaints.push(message) },
    });
    await page.exposeFunction('toHost', (message: unknown) => session.receive(message));
    await page.addInitScript({ content: webviewSurroundings(theme) });
    const { port } = this.server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/${kind}`);
    const close = async () => {
      session.dispose();
      await page.close();
    };
    return { page, session, complaints, close };
  }

  /** Runs the launcher as Kiro 1.x runs a hook: the payload on standard input. @returns what it printed */
  async runHook(event: string, payload: Record<string, unknown>): Promise<string> {
    const launcher = hookLauncherPath(this.storage, process.platform);
    const body = { session_id: 'sess_5b0e8f0a-3333-4c2d-9b77-0000000000c3', cwd: this.workspace, ...payload };
    const child = spawn('sh', [launcher, event], {
      cwd: this.workspace,
      env: { PATH: process.env['PATH'], HOME: this.home, XDG_RUNTIME_DIR: path.join(this.root, 'run') },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(JSON.stringify({ ...body, hook_event_name: event }));
    child.stdout.setEncoding('utf8');
    let printed = '';
    for await (const piece of child.stdout) printed += String(piece);
    return printed;
  }

  async dispose(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
    await this.client.dispose();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  private init(page: 'panel' | 'setup', options: OpenOptions): PageInit {
    return {
      page,
      locale: options.locale ?? 'en',
      strings: options.strings ?? {},
      version: '0.1.0',
      workspace: this.workspace,
      project_name: 'lighthouse',
      trusted: this.trusted,
      set_up: this.setUp,
      hook_written: this.setUp,
      window_paused: this.windowPaused,
      ...(options.state === undefined ? {} : { state: options.state }),
    };
  }
}

async function deliver(page: Page, message: ToPage): Promise<void> {
  if (page.isClosed()) return;
  await page.evaluate((data) => window.postMessage(data, '*'), message as unknown).catch(() => undefined);
}

function serve(dist: string, url: string, response: ServerResponse): void {
  const kinds: Record<string, string> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };
  const name = url.slice(1).split('?')[0] ?? '';
  if (name === 'panel' || name === 'setup') {
    const origin = `http://${response.req.headers.host ?? ''}`;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      pageHtml({
        cspSource: origin,
        script: '/panel.js',
        codicons: '/codicon.css',
        nonce: 'n0nce',
        lang: 'en',
        title: 'kiro-learn',
        page: name,
      }),
    );
    return;
  }
  try {
    const content = readFileSync(path.join(dist, 'webview', path.basename(name)));
    response.setHeader('content-type', kinds[path.extname(name).slice(1)] ?? 'application/octet-stream');
    response.end(content);
  } catch {
    response.statusCode = 404;
    response.end();
  }
}

function defaultSettings(): Settings {
  const entries = (Object.keys(SETTINGS) as SettingName[]).map((name) => [name, SETTINGS[name].default]);
  return Object.fromEntries(entries) as Settings;
}

/** What VS Code puts around a page, as a script: its API, the theme's variables, a watch on the policy. */
function webviewSurroundings(theme: ThemeName): string {
  return `(() => {
    let state;
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.toHost(message),
      getState: () => state,
      setState: (value) => { state = value; },
    });
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error('blocked:', event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber));
    document.addEventListener('DOMContentLoaded', () => {
      const theme = ${JSON.stringify(themes[theme])};
      for (const name of Object.keys(theme.variables)) {
        document.documentElement.style.setProperty(name, theme.variables[name]);
      }
      document.body.classList.add(theme.bodyClass);
      document.body.style.backgroundColor = 'var(--vscode-editor-background)';
    });
  })();`;
}
