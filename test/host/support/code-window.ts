import { mkdirSync } from 'node:fs';
import * as path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { repositoryRoot } from '../../../scripts/vscode-host/locations';
import { isAlive } from './processes';
import type { ExtensionHostHandle } from './vscode-host';
import { waitFor } from './wait';

const screenshotFolder = path.join(repositoryRoot, 'out', 'screenshots');

/** A VS Code window, driven as a user would: keys, clicks and what is on the screen. */
export class CodeWindow {
  constructor(
    readonly page: Page,
    private readonly extensionHost: ExtensionHostHandle | undefined,
  ) {
    page.setDefaultTimeout(60_000);
  }

  /** Waits until the workbench is drawn. */
  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
  }

  /**
   * Runs a command from the palette.
   * @param title exactly as the palette shows it, a category included (`Developer: Reload Window`)
   */
  async runCommand(title: string): Promise<void> {
    const row = await this.findCommand(title);
    await row.click();
  }

  /** Whether the palette offers a command of exactly this title now. Leaves the palette closed. */
  async offersCommand(title: string): Promise<boolean> {
    try {
      await this.findCommand(title, 5000);
      return true;
    } catch {
      return false;
    } finally {
      await this.page.keyboard.press('Escape');
    }
  }

  private async findCommand(title: string, timeout = 30_000): Promise<Locator> {
    const input = this.page.locator('.quick-input-widget input').first();
    await this.page.keyboard.press('F1');
    await input.waitFor();
    await input.fill(`>${title}`);
    const row = this.rows(new RegExp(`^\\s*${escape(title)}\\s*$`));
    await row.waitFor({ timeout });
    return row;
  }

  private rows(label: string | RegExp): Locator {
    const name = this.page.locator('.label-name').filter({ hasText: label });
    return this.page.locator('.quick-input-list .monaco-list-row').filter({ has: name }).first();
  }

  /** Picks an entry of the quick pick that is open. */
  async pick(label: string | RegExp): Promise<void> {
    await this.rows(label).click();
  }

  /** Types into the input box that is open and accepts it. */
  async answerInput(text: string): Promise<void> {
    await this.page.locator('.quick-input-widget input').first().fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Status bar items whose text, tooltip label or id contains `match`. */
  statusBarItem(match: string | RegExp): Locator {
    const items = this.page.locator('.statusbar-item');
    const byText = items.filter({ hasText: match });
    const byLabel = items.filter({ has: this.page.getByLabel(match) });
    const byId = typeof match === 'string' ? items.and(this.page.locator(`[id*="${match}"]`)) : byText;
    return byText.or(byLabel).or(byId).first();
  }

  /** The text on the status bar item that `match` finds, once there. Icons have no text. */
  async statusBarText(match: string | RegExp): Promise<string> {
    return (await this.statusBarItem(match).innerText()).trim();
  }

  /** Waits until a status bar item's text matches, and gives that text. */
  async waitForStatusBar(match: string | RegExp, timeout = 60_000): Promise<string> {
    const item = this.page.locator('.statusbar-item').filter({ hasText: match }).first();
    await item.waitFor({ timeout });
    return (await item.innerText()).trim();
  }

  /** Waits for a notification whose text matches. Its buttons: `toast.getByRole('button', { name })`. */
  async waitForToast(match: string | RegExp, timeout = 60_000): Promise<Locator> {
    const toast = this.page.locator('.notification-toast').filter({ hasText: match }).first();
    await toast.waitFor({ timeout });
    return toast;
  }

  /** Waits for a modal dialog whose text matches. Its buttons: `dialog.getByRole('button', { name })`. */
  async waitForDialog(match: string | RegExp, timeout = 60_000): Promise<Locator> {
    const dialog = this.page.locator('.monaco-dialog-box').filter({ hasText: match }).first();
    await dialog.waitFor({ timeout });
    return dialog;
  }

  /** Answers the workspace trust question that a new folder raises where trust is on. */
  async answerTrust(trust: boolean): Promise<void> {
    const dialog = await this.waitForDialog('Do you trust the authors');
    await dialog.getByRole('button', { name: trust ? /^Yes/ : /^No/ }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** Trusts the folder of a window in restricted mode, through the trust editor. */
  async grantTrust(): Promise<void> {
    await this.runCommand('Workspaces: Manage Workspace Trust');
    await this.page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust', exact: true })
      .click();
  }

  /**
   * The page inside a webview of an extension. Locators made from it wait for the content and survive a redraw.
   * @param extensionId `<publisher>.<name>`
   */
  webview(extensionId: string): FrameLocator {
    return this.page
      .frameLocator(`iframe.webview.ready[src*="extensionId=${extensionId}"]`)
      .frameLocator('iframe#active-frame');
  }

  /** Saves what the window shows to `out/screenshots/<name>.png` and returns the path. */
  async screenshot(name: string): Promise<string> {
    mkdirSync(screenshotFolder, { recursive: true });
    const file = path.join(screenshotFolder, `${name}.png`);
    await this.page.screenshot({ path: file, animations: 'disabled' });
    return file;
  }

  /** Reloads the window as its command does; afterwards a new extension host runs. */
  async reload(): Promise<void> {
    const before = await this.extensionHost?.pid();
    await this.page.evaluate(() => document.body.setAttribute('data-before-reload', ''));
    await this.runCommand('Developer: Reload Window');
    await this.page.locator('body:not([data-before-reload])').waitFor();
    await this.ready();
    if (before !== undefined) await this.extensionHostEnds(before);
  }

  /** Closes the window as a user does: `deactivate` runs, and its extension host has ended when this returns. */
  async close(): Promise<void> {
    const pid = await this.extensionHost?.pid();
    await this.page.close();
    if (pid !== undefined) await this.extensionHostEnds(pid);
  }

  /** The process id of this window's extension host. Not on a desktop host, which doesn't tell. */
  async extensionHostPid(): Promise<number> {
    if (this.extensionHost === undefined)
      throw new Error('this host does not tell its extension host process');
    return this.extensionHost.pid();
  }

  /**
   * Ends the extension host with SIGKILL, as a crash would, and gives the process id of the one that VS Code starts in
   * its place. Not on a desktop host.
   */
  async killExtensionHost(): Promise<number> {
    const pid = await this.extensionHostPid();
    process.kill(pid, 'SIGKILL');
    await this.extensionHostEnds(pid);
    return this.extensionHostPid();
  }

  private async extensionHostEnds(pid: number): Promise<void> {
    await waitFor(`extension host ${pid} to end`, () => (isAlive(pid) ? undefined : true));
    this.extensionHost?.forget();
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
