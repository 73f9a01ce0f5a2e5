import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { StaleEpochError, StoreReadOnlyError } from '../../src/store/errors';
import type { Store } from '../../src/store/store';
import {
  event,
  injection,
  NAMESPACE,
  openStore,
  put,
  putRecord,
  record,
  START,
  temporaryFolder,
  toolUse,
} from './support';

let dir: string;
let dispose: () => Promise<void>;
let open: Store[];

beforeEach(async () => {
  ({ dir, dispose } = await temporaryFolder());
  open = [];
});

afterEach(async () => {
  for (const store of open) await store.close().catch(() => undefined);
  await dispose();
});

async function openHere(...args: Parameters<typeof openStore> extends [string, ...infer R] ? R : never) {
  const store = await openStore(dir, ...args);
  open.push(store);
  return store;
}

describe('commit', () => {
  it('has an event on disk before it resolves', async () => {
    const store = await openHere();
    const stored = event(1, { text: 'a very particular sentence' });
    await expect(store.commit([put(stored)])).resolves.toEqual([{ outcome: 'applied' }]);
    const [journal] = (await readdir(dir)).filter((name) => name.startsWith('journal-'));
    expect(await readFile(path.join(dir, journal ?? ''), 'utf8')).toContain('a very particular sentence');
    expect(store.events.get(stored.event_id)).toEqual(stored);
  });

  it('survives a process that ends without closing', async () => {
    const first = await openHere();
    await first.commit([put(event(1)), putRecord(record(1))]);
    const second = await openHere();
    expect(second.report).toMatchObject({ created: false, quarantined: [], missing: [] });
    expect(second.events.get(event(1).event_id)).toEqual(event(1));
    expect(second.records.get(record(1).record_id)).toEqual(record(1));
  });

  it('gives each of many concurrent commits its own outcome', async () => {
    const store = await openHere();
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => store.commit([put(event(n % 50))])),
    );
    const kinds = outcomes.flat().map((outcome) => outcome.outcome);
    expect(kinds.filter((kind) => kind === 'applied')).toHaveLength(50);
    expect(kinds.filter((kind) => kind === 'duplicate')).toHaveLength(50);
  });

  it('rejects a change that cannot be applied, and keeps the others', async () => {
    const store = await openHere();
    const bad = store.commit([put(event(1)), put({ ...event(2), event_id: 'not-an-id' })]);
    const good = store.commit([put(event(3))]);
    await expect(bad).rejects.toThrow('could not be applied');
    await good;
    expect(store.events.get(event(1).event_id)).toBeUndefined();
    expect(store.events.get(event(3).event_id)).toBeDefined();
    const again = await openHere();
    expect(again.events.list({ limit: 10 }).items.map((row) => row.event_id)).toEqual([event(3).event_id]);
  });

  it('tells listeners what was applied', async () => {
    const store = await openHere();
    const seen: string[] = [];
    const subscription = store.onDidChange((change) => seen.push(...change.mutations.map((m) => m.op)));
    await store.commit([put(event(1)), { op: 'cursor', key: 'k', value: '7' }]);
    await subscription.dispose();
    await store.commit([put(event(2))]);
    expect(seen).toEqual(['event', 'cursor']);
    expect(store.cursor('k')).toBe('7');
  });
});

describe('same events', () => {
  it('drops an id that was seen before, for ever', async () => {
    const store = await openHere();
    await store.commit([put(event(1))]);
    const changed = { ...event(1), session_id: 'other' };
    await expect(store.commit([put(changed)])).resolves.toEqual([
      { outcome: 'duplicate', event_id: event(1).event_id },
    ]);
  });

  it('counts the same content in a row, and names the survivor', async () => {
    const store = await openHere();
    const text = 'continue';
    const outcomes = await store.commit([1, 2, 3].map((n) => put(event(n, { text }))));
    expect(outcomes).toEqual([
      { outcome: 'applied' },
      { outcome: 'repeat', event_id: event(1).event_id, repeat_count: 2 },
      { outcome: 'repeat', event_id: event(1).event_id, repeat_count: 3 },
    ]);
    expect(store.events.get(event(1).event_id)?.repeat_count).toBe(3);
    const [again] = await store.commit([put(event(2, { text }))]);
    expect(again).toEqual({ outcome: 'duplicate', event_id: event(1).event_id });
    expect(store.events.get(event(1).event_id)?.repeat_count).toBe(3);
  });

  it('counts nothing where something else came between, or where it must not', async () => {
    const store = await openHere();
    const text = 'continue';
    const outcomes = await store.commit([
      put(event(1, { text })),
      put(event(2)),
      put(event(3, { text })),
      put(event(4, { text }), { may_collapse: false }),
      put(event(5, { text, session_id: 's2' })),
    ]);
    expect(outcomes.every((outcome) => outcome.outcome === 'applied')).toBe(true);
  });

  it('keeps the richer telling of one happening under the first id', async () => {
    const store = await openHere();
    const hook = toolUse(1, 'short');
    const file = { ...toolUse(2, 'the whole long output'), event_id: event(9).event_id };
    await store.commit([put(hook, { same_as: 'call-1' })]);
    await expect(store.commit([put(file, { same_as: 'call-1', may_collapse: false })])).resolves.toEqual([
      { outcome: 'duplicate', event_id: hook.event_id },
    ]);
    expect(store.events.get(hook.event_id)?.body).toEqual(file.body);
    expect(store.events.list({ limit: 10 }).items).toHaveLength(1);
    await expect(store.commit([put(file, { may_collapse: false })])).resolves.toEqual([
      { outcome: 'duplicate', event_id: hook.event_id },
    ]);
  });

  it('takes two tellings of one source for two happenings', async () => {
    const store = await openHere();
    const file = { same_as: 'x', may_collapse: false };
    const outcomes = await store.commit([
      put(event(1, { text: 'go on' }), file),
      put(event(2, { text: 'go on' }), file),
    ]);
    expect(outcomes).toEqual([{ outcome: 'applied' }, { outcome: 'applied' }]);
    const fromHook = await store.commit([
      put(event(3, { text: 'go on' }), { same_as: 'x' }),
      put(event(4, { text: 'go on' }), { same_as: 'x' }),
    ]);
    expect(fromHook.map((outcome) => outcome.outcome)).toEqual(['duplicate', 'duplicate']);
    expect(new Set(fromHook.map((outcome) => 'event_id' in outcome && outcome.event_id)).size).toBe(2);
  });
});

describe('queries', () => {
  it('pages through events, newest first', async () => {
    const store = await openHere();
    await store.commit(Array.from({ length: 25 }, (_, n) => put(event(n))));
    const seen: string[] = [];
    for (let before: string | undefined; ;) {
      const page = store.events.list({ namespace: NAMESPACE, limit: 10, ...(before ? { before } : {}) });
      expect(page.total).toBe(25);
      seen.push(...page.items.map((row) => row.event_id));
      if (!page.next) break;
      before = page.next;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => event(24 - n).event_id));
  });

  it('filters events by session, kind, type and text', async () => {
    const store = await openHere();
    await store.commit([
      put(event(1)),
      put(event(2, { session_id: 's2', text: 'Where is the Redis config?' })),
      put(toolUse(3, 'ok', false), { turn_id: 't1', session_title: 'Queue work' }),
    ]);
    const ids = (filter: object) =>
      store.events.list({ limit: 10, ...filter }).items.map((row) => row.event_id);
    expect(ids({ sessionId: 's2' })).toEqual([event(2).event_id]);
    expect(ids({ kinds: ['tool_use'] })).toEqual([event(3).event_id]);
    expect(ids({ types: ['user_message'] })).toEqual([event(2).event_id, event(1).event_id]);
    expect(ids({ text: 'redis CONFIG' })).toEqual([event(2).event_id]);
    expect(ids({ namespace: '/actor/x/project/y/' })).toEqual([]);
    expect(store.events.list({ limit: 1 }).items[0]).toMatchObject({
      tool_name: 'execute_bash',
      success: false,
      turn_id: 't1',
      session_title: 'Queue work',
      distil: 'pending',
    });
  });

  it('holds what waits for the rules until they have seen it', async () => {
    const store = await openHere();
    await store.commit([
      put(event(1), { turn_id: 't1' }),
      put(event(2), { turn_id: 't1', ends_turn: true }),
      put(event(3), { distil: 'never' }),
    ]);
    expect(
      store.events
        .pending(NAMESPACE, 10)
        .map(({ event: { event_id }, turn_id, turn_ended }) => [event_id, turn_id, turn_ended]),
    ).toEqual([
      [event(1).event_id, 't1', true],
      [event(2).event_id, 't1', true],
    ]);
    expect(store.events.pendingCount()).toBe(2);
    expect(store.events.pendingBytes(NAMESPACE, 's1')).toBeGreaterThan(20);
    await store.commit([{ op: 'distilled', event_ids: [event(1).event_id, event(2).event_id] }]);
    expect(store.events.pending(undefined, 10)).toEqual([]);
    expect(store.events.turnIds(NAMESPACE, 's1', 5, 'done')).toEqual(['t1']);
    expect(store.events.ofTurn(NAMESPACE, 's1', 't1').map((stored) => stored.event_id)).toEqual([
      event(1).event_id,
      event(2).event_id,
    ]);
  });

  it('finds records by every filter, and keeps their history', async () => {
    const store = await openHere();
    const first = record(1);
    await store.commit([
      putRecord(first),
      putRecord(record(2, { observation_type: 'error', session_id: 's2' })),
    ]);
    const edited = { ...first, title: 'A better title', valid_to: '2026-10-02T08:00:00+02:00' };
    await store.commit([putRecord(edited, 'edited', 1)]);
    const titles = (filter: object) => store.records.list({ limit: 10, ...filter }).items.map((r) => r.title);
    expect(titles({ types: ['error'] })).toEqual(['Decision 2']);
    expect(titles({ session_id: 's2' })).toEqual(['Decision 2']);
    expect(titles({ file: 'QUEUE-1' })).toEqual(['A better title']);
    expect(titles({ query: 'better' })).toEqual(['A better title']);
    expect(titles({ from: new Date(START + 1500).toISOString() })).toEqual(['Decision 2']);
    expect(titles({ statuses: ['forgotten'] })).toEqual([]);
    expect(store.records.get(first.record_id)).toEqual(edited);
    const history = store.records.history(first.record_id);
    expect(history.map(({ change, before, after }) => [change, before, after])).toEqual([
      ['edited', first, edited],
      ['created', undefined, first],
    ]);
    expect(store.records.change(history[0]?.change_id ?? '')?.before).toEqual(first);
  });

  it('logs injections, and forgets what was shown when the context was compacted', async () => {
    const store = await openHere();
    await store.commit([putRecord(record(1)), putRecord(record(2))]);
    const shown = injection(1, [record(1)]);
    await store.commit([
      { op: 'injection', injection: shown },
      { op: 'injection', injection: injection(2, []) },
    ]);
    expect(store.injections.list({ namespace: NAMESPACE, limit: 10 }).items).toEqual([
      injection(2, []),
      shown,
    ]);
    expect(store.injections.lastFor('s1')).toEqual(shown);
    expect([...store.injections.alreadyShown('s1')]).toEqual([record(1).record_id]);
    await store.commit([
      {
        op: 'injection_verdict',
        injection_id: shown.injection_id,
        record_id: record(1).record_id,
        verdict: 'never_again',
      },
      { op: 'context_compacted', session_id: 's1' },
    ]);
    expect(store.injections.alreadyShown('s1').size).toBe(0);
    expect([...store.injections.neverAgain()]).toEqual([record(1).record_id]);
    expect(store.injections.get(shown.injection_id)?.records[0]?.verdict).toBe('never_again');
  });

  it('knows projects by path and by the nearest folder', async () => {
    const store = await openHere();
    const project = {
      namespace: NAMESPACE,
      project_id: 'shop',
      root: '/home/ana/shop',
      display_name: 'shop',
    };
    await store.commit([{ op: 'project', project, paths: ['/mnt/shop'] }]);
    expect(store.projects.nearest('/home/ana/shop/src/a.ts')).toEqual(project);
    expect(store.projects.byPath('/mnt/shop')).toEqual(project);
    expect(store.projects.nearest('/home/ana/shopping')).toBeUndefined();
  });

  it('counts by day', async () => {
    const store = await openHere();
    await store.commit([
      put(event(1)),
      put(toolUse(2, 'no', false)),
      putRecord(record(3)),
      { op: 'injection', injection: injection(4, [record(3)]) },
    ]);
    const days = store.insights.days(START, 3, NAMESPACE);
    expect(days).toHaveLength(3);
    expect(days[2]).toEqual({
      day: '2026-10-01',
      prompt: 1,
      tool_use: 1,
      session_summary: 0,
      note: 0,
      records: 1,
      tokens_injected: 30,
    });
    expect(store.insights.tools(START, 3)).toEqual([{ tool_name: 'execute_bash', used: 1, failed: 1 }]);
    expect(store.insights.growth(START, 2)).toEqual([
      { day: '2026-09-30', created: 0, total: 0 },
      { day: '2026-10-01', created: 1, total: 1 },
    ]);
  });
});

describe('ownership', () => {
  it('refuses an epoch that is not new', async () => {
    await openHere({ epoch: 5 });
    await expect(openHere({ epoch: 5 })).rejects.toThrow(StaleEpochError);
    await expect(openHere({ epoch: 4 })).rejects.toThrow(StaleEpochError);
  });

  it('acknowledges nothing once a higher epoch has opened', async () => {
    const old = await openHere({ epoch: 1 });
    await old.commit([put(event(1))]);
    const next = await openHere({ epoch: 2 });
    await next.commit([put(event(2))]);
    await expect(old.commit([put(event(3))])).rejects.toThrow('no longer owns');
    await expect(old.commit([put(event(4))])).rejects.toThrow(StoreReadOnlyError);
    const third = await openHere({ epoch: 3 });
    expect(third.events.list({ limit: 10 }).items.map((row) => row.event_id)).toEqual([
      event(2).event_id,
      event(1).event_id,
    ]);
    expect(third.report).toMatchObject({ quarantined: [], missing: [] });
  });

  it('reads beside the owner without writing', async () => {
    const owner = await openHere();
    await owner.commit([put(event(1))]);
    const before = await readdir(dir);
    const reader = await openHere({ readOnly: true });
    expect(reader.events.get(event(1).event_id)).toEqual(event(1));
    await expect(reader.commit([put(event(2))])).rejects.toThrow(StoreReadOnlyError);
    expect(await readdir(dir)).toEqual(before);
  });
});

describe('publish', () => {
  it('keeps two images and the journal since the older one', async () => {
    const store = await openHere();
    for (let n = 1; n <= 4; n++) {
      await store.commit([put(event(n))]);
      await store.publish();
    }
    const names = await readdir(dir);
    expect(names.filter((name) => name.startsWith('image-'))).toEqual([
      'image-1-3.sqlite',
      'image-1-4.sqlite',
    ]);
    expect(names.filter((name) => name.startsWith('journal-')).length).toBeLessThanOrEqual(2);
    await store.commit([put(event(5))]);
    const again = await openHere();
    expect(again.report.image).toBe('image-1-4.sqlite');
    expect(again.report.frames).toBe(1);
    expect(again.events.list({ limit: 10 }).items).toHaveLength(5);
    expect(again.events.get(event(2).event_id)).toEqual(event(2));
  });
});
