import { existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productId, productVsix } from './support/product';
import { withHost } from './support/start-host';

const vsix = productVsix();
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kl-ide-')));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

describe.skipIf(vsix === undefined)('the window', () => {
  it('remembers, pauses, diagnoses, forgets and takes its hooks away again, as a person sees it', () =>
    withHost({}, async (host) => {
      const theirs = path.join(host.home, '.kiro', 'hooks', 'lint.json');
      await mkdir(path.dirname(theirs), { recursive: true });
      await writeFile(theirs, '{"version":"v1","hooks":[]}');
      await host.installVsix(vsix ?? '');
      const window = await host.openWindow(folder);
      await window.waitForStatusBar('kiro-learn');

      await window.runCommand('Show kiro-learn memories');
      const page = window.webview(productId());
      await page.getByText('No memories yet').waitFor();
      await window.screenshot('ide-empty');

      await window.runCommand('kiro-learn: Remember selection');
      await window.answerInput('The harbour office answers before noon.');
      await window.waitForToast('Remembered.');
      await page.getByRole('option', { name: /harbour office/ }).waitFor();
      await window.screenshot('ide-memories');

      await window.runCommand('kiro-learn: Pause capture');
      await window.pick('This window');
      await page.getByText('Paused in this window').waitFor();
      await window.screenshot('ide-paused');
      await window.runCommand('kiro-learn: Resume capture');
      await page.getByText('Up to date').waitFor();

      await window.runCommand('kiro-learn: Forget…');
      await window.pick(/harbour office/);
      await window.page.keyboard.press('Enter');
      const toast = await window.waitForToast('1 memory forgotten.');
      await page.getByText('No memories yet').waitFor();
      await toast.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('option', { name: /harbour office/ }).waitFor();

      await window.runCommand('Set up kiro-learn');
      const setUp = window.webview(productId());
      await setUp.getByRole('button', { name: 'Apply' }).click();
      await setUp.getByText(/Done\. Wrote/).waitFor();
      const hook = path.join(host.home, '.kiro', 'hooks', 'kiro-learn-ide.json');
      expect(readFileSync(hook, 'utf8')).toContain('Recall project memory');
      await window.runCommand('kiro-learn: Diagnose');
      await window.waitForToast(/has not run yet|it runs/);

      await window.runCommand('kiro-learn: Remove hooks');
      const dialog = await window.waitForDialog(/Remove the hooks/);
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
      await window.waitForToast(/Removed from \d+ files\./);
      expect(existsSync(hook)).toBe(false);
      expect(existsSync(theirs)).toBe(true);
    }));
});
