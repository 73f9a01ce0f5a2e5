import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { normaliseHook, type HookCapture } from '../../../src/capture/dialects/normaliser';
import type { EventBody } from '../../../src/contract/event';
import { stripInjected } from '../../../src/privacy/injected-blocks';
import { Scrubber } from '../../../src/privacy/scrub';
import { RedactedValues } from '../../../src/privacy/session-memory';
import { sharedData } from '../../support/shared-data';

const caseSchema = z.object({
  name: z.string(),
  argv: z.array(z.string()),
  env: z.record(z.string(), z.string()).nullable(),
  stdin: z.string().nullable(),
  stdin_base64: z.string().optional(),
  cwd: z.string(),
  expect: z.object({
    kind: z.string(),
    body_type: z.string().nullable(),
    must_contain: z.array(z.string()),
    must_not_contain: z.array(z.string()),
    also_ok: z.array(z.string()),
  }),
});
type HookCase = z.infer<typeof caseSchema>;

const folder = sharedData('data', 'hooks', 'alpha');
const cases: HookCase[] = folder
  ? readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => caseSchema.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8'))))
  : [];

/** What a launcher hands over: `USER_PROMPT` where it holds something, else standard input. */
function run(hookCase: HookCase): HookCapture {
  const prompt = hookCase.env?.['USER_PROMPT'] ?? '';
  const stdin = hookCase.stdin_base64
    ? Buffer.from(hookCase.stdin_base64, 'base64')
    : Buffer.from(hookCase.stdin ?? '', 'utf8');
  return normaliseHook({
    event: hookCase.argv[0] ?? '',
    receivedAt: Date.parse('2026-11-20T08:00:00Z'),
    frame: {
      channel: prompt === '' ? 'stdin' : 'env',
      cwd: hookCase.cwd,
      idempotencyKey: `key-${hookCase.name}`,
      host: '',
      payload: prompt === '' ? stdin : Buffer.from(prompt, 'utf8'),
    },
  });
}

/** What is left of a body once injected blocks, private text and secrets are gone. */
function keptOf(body: EventBody): string {
  const scrubber = new Scrubber({ sessions: new RedactedValues() });
  if (body.type === 'text') return JSON.stringify(scrubber.scrubText(stripInjected(body.content)));
  return JSON.stringify(scrubber.scrubJson(body));
}

function kindOf(capture: HookCapture): string {
  return capture.outcome === 'event' ? capture.draft.kind : 'none';
}

describe.skipIf(cases.length === 0)('recorded hook payloads (shared data)', () => {
  it.each(cases.map((hookCase) => [hookCase.name, hookCase] as const))('%s', (_name, hookCase) => {
    const capture = run(hookCase);
    const kind = kindOf(capture);
    expect([hookCase.expect.kind, ...hookCase.expect.also_ok]).toContain(kind);
    if (capture.outcome !== 'event' || kind !== hookCase.expect.kind) return;
    expect(capture.draft.body.type).toBe(hookCase.expect.body_type);
    const body = keptOf(capture.draft.body);
    for (const text of hookCase.expect.must_not_contain) expect(body).not.toContain(text);
    for (const text of hookCase.expect.must_contain) {
      expect(body).toContain(JSON.stringify(text).slice(1, -1));
    }
  });
});
