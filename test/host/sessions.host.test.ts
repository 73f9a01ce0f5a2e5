import { mkdtempSync, realpathSync } from 'node:fs';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { productId, productVsix } from './support/product';
import { setUp } from './support/set-up';
import { withHost } from './support/start-host';

const vsix = productVsix();
const session = 'sess_3c1f0a52-0c8e-4f1d-9a6b-5d2f1e7a9b10';

function row(id: string, second: number, payload: object): string {
  const timestamp = new Date(Date.now() + second * 1000).toISOString();
  return `${JSON.stringify({ id, timestamp, payload })}\n`;
}

/** A turn as Kiro's engine writes it: prompt, start, tool call with its result, answer, end. */
function turn(): string[] {
  const executionId = 'ex-01';
  return [
    row('m1', 0, { type: 'user', content: 'Why does the tide table skip the 31st?', source: 'chat' }),
    row('m2', 1, { type: 'turn_start', executionId }),
    row('m3', 2, {
      type: 'tool_call',
      toolCallId: 'tc-1',
      toolName: 'str_replace',
      args: { path: 'src/tides.ts', oldStr: 'day < 31', newStr: 'day <= 31' },
      status: 'completed',
      kind: 'edit',
      executionId,
    }),
    row('m4', 3, {
      type: 'tool_result',
      toolCallId: 'tc-1',
      content: 'Replaced text in src/tides.ts',
      success: true,
      executionId,
    }),
    row('m5', 4, {
      type: 'assistant',
      operationType: 'Say',
      content: 'The loop in src/tides.ts ended at 30: the comparison was day < 31. It is day <= 31 now.',
      executionId,
    }),
    row('m6', 5, { type: 'turn_end', stopReason: 'end_turn', executionId }),
  ];
}

describe.skipIf(vsix === undefined)("Kiro's session files", () => {
  let folder: string;

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kl-sessions-')));
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

  it('are followed while they are written, with consent, and become memories', () =>
    withHost({}, async (host) => {
      await mkdir(path.join(host.home, '.kiro', 'sessions'), { recursive: true });
      await host.installVsix(vsix ?? '');
      const window = await host.openWindow(folder);
      await window.waitForStatusBar('kiro-learn');
      await setUp(window, { 'Read Kiro’s session files': true });

      const home = path.join(host.home, '.kiro', 'sessions', '0123456789abcdef', session);
      await mkdir(home, { recursive: true });
      const now = new Date().toISOString();
      const header = {
        schemaVersion: '1.0.0',
        dataModelVersion: 1,
        id: session,
        title: 'Tide table',
        agentMode: 'vibe',
        workspacePaths: [folder],
        createdAt: now,
        lastModifiedAt: now,
      };
      await writeFile(path.join(home, 'session.json'), JSON.stringify(header));
      for (const line of turn()) await appendFile(path.join(home, 'messages.jsonl'), line);

      await window.runCommand('Show kiro-learn memories');
      const page = window.webview(productId());
      await page.getByRole('tab', { name: 'Events' }).click();
      await page.getByText('Why does the tide table skip the 31st?').first().waitFor();
      await page.getByText('Str Replace').first().waitFor();
      await page.getByRole('tab', { name: 'Memories' }).click();
      await page.getByText('Turn summary').first().click();
      await page
        .getByText(/ended at 30/)
        .first()
        .waitFor();
      await window.screenshot('session-file-memory');
    }));
});
