import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EventDraft } from '../../../src/contract/event-draft';
import { OpenAiProvider } from '../../../src/memory/models/openai-provider';
import { WindowProvider } from '../../../src/memory/models/window-provider';
import { MAX_ATTEMPTS } from '../../../src/pipeline/models/model-queue';
import {
  answers,
  breaksAfter,
  modelServer,
  streams,
  type Asked,
  type Behaviour,
  type ModelServer,
} from '../../memory/models/support/model-server';
import { openTestCollector, type TestCollector } from '../../support/collector';

const START = Date.parse('2026-10-22T09:00:00.000Z');
const MINUTE = 60_000;

class MovingClock {
  constructor(private at = START) {}

  now(): number {
    return this.at;
  }

  pass(ms: number): void {
    this.at += ms;
  }
}

interface Rig extends TestCollector {
  clock: MovingClock;
  server: ModelServer;
}

function temporary(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'kl-model-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return dir;
}

async function rig(options: { dailyTokens?: number; dir?: string; epoch?: number } = {}): Promise<Rig> {
  const clock = new MovingClock();
  const server = await modelServer();
  const opened = await openTestCollector({
    clock,
    dir: options.dir ?? temporary(),
    keep: true,
    epoch: options.epoch ?? 1,
  });
  let open = true;
  const dispose = async () => {
    if (open) await opened.dispose();
    open = false;
  };
  onTestFinished(dispose);
  const provider = new OpenAiProvider({ endpoint: server.endpoint, model: 'm' });
  opened.collector.models.use(provider, options.dailyTokens ?? 100_000);
  return { ...opened, dispose, clock, server };
}

/** One turn in which something was changed and told. */
function drafts(clock: MovingClock, n: number, session = 's1'): EventDraft[] {
  const common = {
    session_id: session,
    surface: 'kiro-ide' as const,
    cwd: '/home/me/acme',
    turn_id: `t${n}`,
  };
  const at = (ms: number) => new Date(clock.now() + ms).toISOString();
  return [
    {
      ...common,
      kind: 'prompt',
      body: { type: 'text', content: `Please raise the limit of module number ${n}.` },
      identity: `p${session}${n}`,
      valid_time: at(0),
    },
    {
      ...common,
      kind: 'tool_use',
      body: {
        type: 'json',
        data: {
          tool_name: 'fs_write',
          tool_input: { path: `src/limit-${n}.ts`, text: `export const limit = ${4700 + n};` },
          tool_response: { result: 'written', success: true },
        },
      },
      identity: `w${session}${n}`,
      valid_time: at(10),
    },
    {
      ...common,
      kind: 'session_summary',
      body: {
        type: 'text',
        content: `The limit in src/limit-${n}.ts is ${4700 + n} now; the gateway drops more.`,
      },
      identity: `a${session}${n}`,
      valid_time: at(20),
      ends_turn: true,
    },
  ];
}

async function take(rigged: Rig, n: number, session = 's1'): Promise<void> {
  await rigged.collector.capture(drafts(rigged.clock, n, session));
  await rigged.collector.distilNow();
}

const FINDING = (n: number) => ({
  type: 'discovery',
  title: `The gateway drops requests above limit ${4700 + n}`,
  summary: `src/limit-${n}.ts holds ${4700 + n}; the gateway drops more.`,
  evidence: [3],
});

/** Answers as a model that reads what it was sent: a finding for each turn in the prompt. */
const reads: Behaviour = (response, asked) => streams(replyTo(asked))(response, asked);

function replyTo({ body }: Asked): string {
  const prompt = body.messages?.[1]?.content ?? '';
  const entries = [...prompt.matchAll(/^\[(\d+)\] .* \| agent: The limit in src\/limit-(\d+)/gm)];
  const records = entries.map(([, entry, n]) => ({ ...FINDING(Number(n)), evidence: [Number(entry)] }));
  return JSON.stringify({ records });
}

const made = (rigged: Rig) =>
  rigged.store.records.list({ limit: 500 }).items.filter((record) => record.strategy === 'llm');
const state = (rigged: Rig) => {
  const found = rigged.collector.models.state();
  if (!found) throw new Error('no model is set');
  return found;
};

describe('ModelDistiller', () => {
  it('drains the buffer by the rules at once and asks the model later, once', async () => {
    const r = await rig();
    r.server.behave(reads);
    for (const n of [1, 2, 3]) await take(r, n);
    expect(r.collector.board.status().buffered).toBe(0);
    expect(r.collector.board.status().pending_model).toBe(3);
    expect(r.store.records.count()).toBeGreaterThan(0);
    await r.collector.models.runDue();
    expect(r.server.asked).toEqual([]);

    r.clock.pass(2 * MINUTE);
    await r.collector.models.runDue();
    expect(r.server.asked).toHaveLength(1);
    expect(
      made(r)
        .map((record) => record.title)
        .sort(),
    ).toEqual([1, 2, 3].map((n) => FINDING(n).title));
    expect(made(r).every((record) => record.origin === 'agent_words' && !record.pinned)).toBe(true);
    expect(state(r)).toMatchObject({ state: 'idle', pending: 0, failed: 0, tokens_today: 321 + 45 });
    await r.collector.models.runDue();
    expect(r.server.asked).toHaveLength(1);
  });

  it('sends no secret and keeps none that a model repeats', async () => {
    const r = await rig();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const [prompt, ...rest] = drafts(r.clock, 1);
    if (!prompt) throw new Error('no prompt');
    await r.collector.capture([
      { ...prompt, body: { type: 'text', content: `Use ${secret} <private>Initech</private> for it.` } },
      ...rest,
    ]);
    await r.collector.distilNow();
    r.server.behave(
      streams(
        JSON.stringify([
          { ...FINDING(1), summary: `The gateway drops more. Token ghp_${'z9Y8'.repeat(9)}.` },
        ]),
      ),
    );
    r.clock.pass(2 * MINUTE);
    await r.collector.models.runDue();
    expect(JSON.stringify(r.server.asked)).not.toMatch(/a1B2|Initech/);
    expect(made(r)).toHaveLength(1);
    expect(JSON.stringify(made(r))).not.toContain('z9Y8');
  });

  it('keeps the good records of a reply that was cut, and those beside bad ones', async () => {
    const r = await rig();
    await take(r, 1);
    await take(r, 2);
    const good = JSON.stringify({ ...FINDING(1), evidence: [3] });
    r.server.behave(breaksAfter(`\`\`\`json\n{"records":[{"title":5},${good},{"type":"error","title":"cu`));
    r.clock.pass(2 * MINUTE);
    await r.collector.models.runDue();
    expect(made(r).map((record) => record.title)).toEqual([FINDING(1).title]);
    expect(state(r).pending).toBe(0);
  });

  it('waits out an endpoint that is down, without losing a turn, and goes on by itself', async () => {
    const r = await rig();
    await take(r, 1);
    r.server.behave(answers(503));
    for (let i = 0; i < 20; i++) {
      r.clock.pass(20 * MINUTE);
      await r.collector.models.runDue();
    }
    expect(state(r)).toMatchObject({ state: 'waiting', pending: 1, failed: 0, tokens_today: 0 });
    expect(state(r).message).toContain('503');
    r.server.behave(reads);
    r.clock.pass(20 * MINUTE);
    await r.collector.models.runDue();
    expect(made(r)).toHaveLength(1);
    expect(state(r)).toMatchObject({ state: 'idle', pending: 0 });
  });

  it('gives up a turn that no reply can be read for, not the others, and tries again when told to', async () => {
    const r = await rig();
    await take(r, 1);
    await take(r, 2);
    const garbageAboutOne: Behaviour = (response, asked) =>
      (JSON.stringify(asked.body).includes('module number 1') ? streams('I am sorry, I cannot.') : reads)(
        response,
        asked,
      );
    r.server.behave(garbageAboutOne);
    for (let i = 0; i < 3 * MAX_ATTEMPTS; i++) {
      r.clock.pass(90 * MINUTE);
      await r.collector.models.runDue();
    }
    expect(made(r).map((record) => record.title)).toEqual([FINDING(2).title]);
    expect(state(r)).toMatchObject({ pending: 0, failed: 1 });
    const asked = r.server.asked.length;
    r.clock.pass(24 * 60 * MINUTE);
    await r.collector.models.runDue();
    expect(r.server.asked).toHaveLength(asked);

    r.server.behave(reads);
    expect(await r.collector.models.retryFailed()).toBe(1);
    await r.collector.models.runDue();
    expect(made(r)).toHaveLength(2);
    expect(state(r).failed).toBe(0);
  });

  it('leaves the rest to the rules when the tokens of the day are spent, and goes on the next day', async () => {
    const r = await rig({ dailyTokens: 1500 });
    r.server.behave(reads);
    await take(r, 1, 'a');
    await take(r, 2, 'b');
    r.clock.pass(2 * MINUTE);
    await r.collector.models.runDue();
    expect(r.server.asked).toHaveLength(1);
    expect(state(r)).toMatchObject({ state: 'spent', pending: 1, daily_tokens: 1500 });
    expect(r.collector.board.status().buffered).toBe(0);
    r.clock.pass(24 * 60 * MINUTE);
    await r.collector.models.runDue();
    expect(r.server.asked).toHaveLength(2);
    expect(made(r)).toHaveLength(2);
  });

  it('is neither lost nor done twice when the process ends while the model thinks', async () => {
    const dir = temporary();
    const first = await rig({ dir, epoch: 1 });
    await take(first, 1);
    let thinking: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (thinking = resolve));
    first.server.behave(() => thinking());
    first.clock.pass(2 * MINUTE);
    const running = first.collector.models.runDue();
    await asked;
    await first.dispose();
    await running;

    const second = await rig({ dir, epoch: 2 });
    second.server.behave(reads);
    second.clock.pass(30 * MINUTE);
    await second.collector.models.runDue();
    await second.collector.models.runDue();
    expect(second.server.asked).toHaveLength(1);
    expect(made(second)).toHaveLength(1);
    expect(state(second).pending).toBe(0);
  });

  it('forgets a turn whose events were erased while the model thought', async () => {
    const r = await rig();
    await take(r, 1);
    r.clock.pass(2 * MINUTE);
    const ids = r.store.events.list({ limit: 10 }).items.map((row) => row.event_id);
    r.server.behave(async (response, asked) => {
      await r.store.commit([{ op: 'erase_events', event_ids: ids }]);
      await streams(replyTo(asked))(response, asked);
    });
    await r.collector.models.runDue();
    expect(made(r)).toEqual([]);
    expect(state(r).pending).toBe(0);
  });

  it('asks nobody while memory is paused, and about nothing without a provider', async () => {
    const r = await rig();
    r.server.behave(reads);
    await take(r, 1);
    r.clock.pass(2 * MINUTE);
    r.collector.policy.pauseEverywhere(true);
    await r.collector.models.runDue();
    expect(r.server.asked).toEqual([]);
    r.collector.policy.pauseEverywhere(false);
    r.collector.models.use(undefined, 100_000);
    await r.collector.models.runDue();
    await take(r, 2);
    expect(r.server.asked).toEqual([]);
    expect(r.collector.models.state()).toBeUndefined();
    expect(r.collector.board.status()).toMatchObject({ provider: 'none', pending_model: 0 });
  });

  it('asks the window that takes the request, whichever it is', async () => {
    const r = await rig();
    r.collector.models.use(new WindowProvider(r.collector.modelRequests), 100_000);
    const taken: string[] = [];
    const window = (name: string, allowed: boolean) =>
      r.collector.board.subscribe((event) => {
        if (event.stream !== 'model_request' || !allowed) return;
        const request = r.collector.modelRequests.take(event.request_id);
        if (!request) return;
        taken.push(name);
        const body = {
          messages: [
            { role: 'system', content: '' },
            { role: 'user', content: request.prompt },
          ],
        };
        const text = replyTo({ url: '', authorization: undefined, body });
        r.collector.modelRequests.answer(event.request_id, { text });
      });
    window('without consent', false);
    window('with consent', true);
    window('late', true);
    await take(r, 1);
    r.clock.pass(2 * MINUTE);
    await r.collector.models.runDue();
    expect(taken).toEqual(['with consent']);
    expect(made(r)).toHaveLength(1);
  });

  it('never captures what its own agent does', async () => {
    const r = await rig();
    const [prompt] = drafts(r.clock, 1);
    if (!prompt) throw new Error('no prompt');
    const own = { ...prompt, cwd: path.join(r.dir, 'distiller') };
    expect(await r.collector.capture([own])).toEqual([{ outcome: 'dropped', reason: 'excluded' }]);
    expect(await r.collector.capture([prompt])).toMatchObject([{ outcome: 'stored' }]);
  });
});
