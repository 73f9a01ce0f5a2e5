import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hookLauncherPath } from '../../src/platform/launcher';
import { buildPage } from './support/build-page';
import { launchBrowser, PageHarness, type OpenOptions, type OpenPage } from './support/page-harness';
import { captureParams, manyEvents, storyEvents } from './support/story';
import type { ThemeName } from './support/themes';

const axeSource = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
const shots = path.resolve(__dirname, '../../out/screenshots/webview');
const dist = mkdtempSync(path.join(os.tmpdir(), 'kiro-learn-dist-'));
const themeNames: ThemeName[] = ['dark', 'light', 'high-contrast'];
const widths = { narrow: 300, wide: 1100 };

let harness: PageHarness;
let browser: Browser;
const openPages: OpenPage[] = [];

beforeAll(async () => {
  await Promise.all([buildPage(dist), mkdir(shots, { recursive: true })]);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  rmSync(dist, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

beforeEach(async () => {
  harness = await PageHarness.start(dist, browser);
});
afterEach(async () => {
  for (const open of openPages.splice(0)) await open.close();
  await harness.dispose();
});

async function open(options: OpenOptions = {}): Promise<Page> {
  const opened = await harness.open(options);
  openPages.push(opened);
  opened.page.setDefaultTimeout(15_000);
  return opened.page;
}

function complaints(): string[] {
  return openPages.flatMap((opened) => opened.complaints);
}

async function tellStory(): Promise<void> {
  await harness.client.call('capture', captureParams(storyEvents(Date.now()), harness.workspace));
  await harness.client.call('distilNow', {});
}

async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click();
}

/** Violations of the accessibility rules, as `rule: element`. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    interface Axe {
      run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
    }
    const { axe } = window as unknown as { axe: Axe };
    const result = await axe.run({ resultTypes: ['violations'] });
    return result.violations.flatMap((one) =>
      one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)}`),
    );
  });
}

describe('memories', () => {
  test('what was learned is listed, found at once, and shown with its evidence', async () => {
    await tellStory();
    const page = await open();
    await page.getByRole('option', { name: /pg-boss instead of Redis/ }).waitFor();
    const before = await page.getByRole('option').count();
    await page.getByRole('searchbox', { name: 'Search memories' }).fill('tide importer quoted comma');
    await page.getByText('1 memory', { exact: true }).waitFor();
    expect(before).toBeGreaterThan(2);
    await page.getByRole('option', { name: /tide importer/ }).click();
    await page.getByRole('heading', { name: 'Evidence' }).waitFor();
    expect(await page.locator('.kl-quote').first().textContent()).toContain('row 7');
    await page.getByRole('button', { name: 'src/import/tides.ts' }).click();
    await expect.poll(() => harness.opened).toEqual(['src/import/tides.ts']);
    expect(complaints()).toEqual([]);
  });

  test('a new memory appears without asking', async () => {
    const page = await open();
    await page.getByText('No memories yet').waitFor();
    await harness.client.call('remember', {
      text: 'The harbour office answers before noon.',
      workspace: harness.workspace,
    });
    await page.getByRole('option', { name: /harbour office/ }).waitFor();
  });

  test('is edited in place, pinned, forgotten, taken back and erased', async () => {
    await harness.client.call('remember', {
      text: 'The lamp turns every ten seconds.',
      workspace: harness.workspace,
    });
    const page = await open();
    await page.getByRole('option', { name: /lamp turns/ }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('The lamp turns every twelve seconds.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: /twelve seconds/ }).waitFor();
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('button', { name: 'Unpin' }).first().waitFor();
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByText('1 forgotten').waitFor();
    await page.getByText('No memories yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('option', { name: /twelve seconds/ }).waitFor();
    await page.getByRole('option', { name: /twelve seconds/ }).click();
    harness.eraseAllowed = false;
    await page.getByRole('button', { name: 'Erase…' }).click();
    expect((await harness.client.call('listMemories', {})).total).toBe(1);
    harness.eraseAllowed = true;
    await page.getByRole('button', { name: 'Erase…' }).click();
    await page.getByText('1 erased').waitFor();
    expect((await harness.client.call('listMemories', { statuses: ['current', 'forgotten'] })).total).toBe(0);
    expect(complaints()).toEqual([]);
  });

  test('several are chosen by keyboard alone and forgotten together', async () => {
    for (const text of ['One buoy is red.', 'Two buoys are green.', 'Three buoys are blue.']) {
      await harness.client.call('remember', { text, workspace: harness.workspace });
    }
    const page = await open();
    await page.getByRole('option', { name: /buoys are blue/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Search memories' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('toolbar').getByText('2 selected').waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('2 forgotten').waitFor();
    await expect
      .poll(async () => (await harness.client.call('listMemories', { statuses: ['current'] })).total)
      .toBe(1);
  });

  test('filters narrow the list, and say how to widen it again', async () => {
    await tellStory();
    const page = await open();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('textbox', { name: 'File' }).fill('docs/adr/0007-queue.md');
    await page.keyboard.press('Enter');
    await page
      .getByRole('option', { name: /Redis|pg-boss/ })
      .first()
      .waitFor();
    await page.getByRole('textbox', { name: 'File' }).fill('no/such/file.ts');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found').waitFor();
    await page.locator('.kl-empty').getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('option', { name: /tide importer/ }).waitFor();
  });
});

describe('events', () => {
  test('the four kinds differ, failures are marked, turns are grouped', async () => {
    await tellStory();
    const page = await open();
    await tab(page, 'Events');
    const rows = page.locator('.kl-event');
    await rows.first().waitFor();
    expect(await page.locator('.kl-tone-user').count()).toBe(3);
    expect(await page.locator('.kl-tone-tool').count()).toBe(8);
    expect(await page.locator('.kl-tone-agent').count()).toBe(3);
    expect(await page.locator('.kl-failed').count()).toBe(2);
    expect(await page.locator('.kl-session').count()).toBe(2);
    expect(await page.locator('.kl-tone-reasoning').getByText('×2').count()).toBe(1);
    expect(await page.locator('.kl-tone-tool.kl-depth-1').count()).toBe(8);
    expect(complaints()).toEqual([]);
  });

  test('an event that arrives is drawn at the end, and leads to what was learned from it', async () => {
    const page = await open();
    await tab(page, 'Events');
    await page.getByText('No events yet').waitFor();
    await tellStory();
    await page.locator('.kl-tone-agent').last().waitFor();
    await page
      .getByRole('option', { name: /Why does the tide importer/ })
      .last()
      .click();
    await page.getByRole('heading', { name: 'What was learned from it' }).waitFor();
    await page.locator('.kl-article .kl-link').last().click();
    await page.getByRole('heading', { name: 'Evidence' }).waitFor();
  });

  test('of 3,000 events only the visible rows exist, and scrolling up loads all of them', async () => {
    const events = manyEvents(3000, Date.now());
    for (let at = 0; at < events.length; at += 1000) {
      await harness.client.call('capture', captureParams(events.slice(at, at + 1000), harness.workspace));
    }
    const page = await open();
    await tab(page, 'Events');
    await page.locator('.kl-event').nth(15).waitFor();
    expect(await page.locator('.kl-row').count()).toBeLessThan(60);
    const first = page.locator('.kl-event', { hasText: 'Question 0 about' });
    const list = page.locator('kl-events .kl-scroller');
    await expect
      .poll(
        async () => {
          await list.evaluate((element) => (element.scrollTop = 0));
          return first.count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    expect(await page.locator('.kl-row').count()).toBeLessThan(60);
  });
});

describe('recall', () => {
  test('shows what went along with a prompt and takes a verdict', async () => {
    await tellStory();
    const page = await open();
    await tab(page, 'Recall');
    await page.getByText('Nothing was recalled yet').waitFor();
    const launcher = hookLauncherPath(harness.storage, process.platform);
    await expect.poll(() => existsSync(launcher), { timeout: 15_000 }).toBe(true);
    const context = await harness.runHook('UserPromptSubmit', {
      prompt: 'Where do background jobs run, pg-boss or Redis?',
    });
    expect(context).toContain('<kiro-learn-context');
    await page.getByRole('option', { name: /→ prompt/ }).click();
    await page.getByRole('heading', { name: 'Why these' }).waitFor();
    await page.getByRole('button', { name: 'Never again' }).first().click();
    await page.getByText('Will not be recalled again').waitFor();
    const { items } = await harness.client.call('listInjections', {});
    expect(items[0]?.records.some((record) => record.verdict === 'never_again')).toBe(true);
  });
});

describe('states', () => {
  test('paused, not trusted, and a collector that is away are each told', async () => {
    harness.windowPaused = true;
    harness.trusted = false;
    const page = await open();
    await page.getByText('Paused in this window').waitFor();
    await page.getByText(/not trusted/).waitFor();
    await page.getByRole('button', { name: 'Resume capture' }).click();
    await expect.poll(() => harness.commands).toEqual(['kiro-learn.resume']);
    harness.windowPaused = false;
    harness.trusted = true;
    await openPages[0]?.session.refresh();
    await page.getByText('Up to date').waitFor();
    await harness.client.dispose();
    const late = await open();
    await late.getByText(/collector does not answer/).waitFor();
  });
});

describe('set-up page', () => {
  test('shows each file word for word, writes them on Apply, and only then', async () => {
    const page = await open({ page: 'setup' });
    const hook = path.join(harness.home, '.kiro/hooks/kiro-learn-ide.json');
    await page.getByText(hook).waitFor();
    const shown = await page.locator('.kl-file', { hasText: hook }).locator('pre').textContent();
    expect(existsSync(hook)).toBe(false);
    await page.getByText('Claude Code hooks', { exact: true }).click();
    await page.getByText(path.join(harness.home, '.claude/settings.json')).waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(/Done\. Wrote 3 files/).waitFor();
    expect(readFileSync(hook, 'utf8')).toBe(shown);
    expect(readFileSync(path.join(harness.home, '.claude/settings.json'), 'utf8')).toContain(
      'kiro-learn-hook',
    );
    await page.getByText('Claude Code hooks', { exact: true }).click();
    await page
      .getByText('No longer needed')
      .waitFor()
      .catch(() => undefined);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect
      .poll(() => readFileSync(path.join(harness.home, '.claude/settings.json'), 'utf8'))
      .not.toContain('kiro-learn-hook');
    expect(complaints()).toEqual([]);
  });
});

describe('looks', () => {
  test.each(themeNames)('every view in %s, narrow and wide, breaks no rule of axe', async (theme) => {
    await tellStory();
    await harness.client.call('remember', {
      text: 'The harbour office answers before noon.',
      workspace: harness.workspace,
    });
    const found: string[] = [];
    /** What the page did itself: taking pictures and axe put styles of their own into it. */
    const looked: string[] = [];
    for (const [size, width] of Object.entries(widths)) {
      const page = await open({ theme, width });
      const look = async (name: string) => {
        const before = complaints();
        await page.screenshot({ path: path.join(shots, `${theme}-${size}-${name}.png`), caret: 'initial' });
        found.push(...(await violations(page)).map((line) => `${theme} ${size} ${name}: ${line}`));
        looked.push(...before);
        for (const opened of openPages) opened.complaints.length = 0;
      };
      await page.getByRole('option').first().waitFor();
      await look('memories');
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await page.getByRole('textbox', { name: 'File' }).waitFor();
      await look('filters');
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await page.getByRole('option', { name: /tide importer/ }).click();
      await page.getByRole('heading', { name: 'Evidence' }).waitFor();
      await look('memory');
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('button', { name: 'Save' }).waitFor();
      await look('edit');
      await tab(page, 'Events');
      await page.locator('.kl-event').first().waitFor();
      await look('events');
      await page
        .getByRole('option', { name: /execute_bash/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Result' }).waitFor();
      await look('event');
      await tab(page, 'Insights');
      await page.locator('.kl-plot canvas').first().waitFor();
      await look('insights');
      await tab(page, 'Health');
      await page.getByRole('heading', { name: 'Store' }).waitFor();
      await look('health');
      const setup = await open({ theme, width, page: 'setup' });
      await setup.getByRole('button', { name: 'Apply' }).waitFor();
      await setup.screenshot({
        path: path.join(shots, `${theme}-${size}-setup.png`),
        fullPage: true,
        caret: 'initial',
      });
      found.push(...(await violations(setup)).map((line) => `${theme} ${size} setup: ${line}`));
    }
    expect(found).toEqual([]);
    expect(looked).toEqual([]);
  });
});
