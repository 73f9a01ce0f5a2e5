import { describe, expect, it } from 'vitest';
import type { MemoryRecord, RecordDraft } from '../../src/contract/memory-record';
import { memoryRecordSchema } from '../../src/contract/memory-record';
import type { ExtractedDraft } from '../../src/memory/extract/extracted-draft';
import { edit, forget, pin, restore, undo } from '../../src/memory/lifecycle/edits';
import { reconcile, type LifecycleAction } from '../../src/memory/lifecycle/reconciler';
import { reviveSuperseded, withdrawReverted } from '../../src/memory/lifecycle/revert';
import { neighbourQueries } from '../../src/memory/lifecycle/supersession';
import { deterministicUlid } from '../../src/contract/ids';

const NAMESPACE = '/actor/me/project/demo/';
const NOW = '2026-07-01T10:00:00.000Z';
const ctx = { now: NOW, namespace: NAMESPACE };

let count = 0;
function draft(part: Partial<ExtractedDraft> & { title: string }): ExtractedDraft {
  const day = String(1 + (count++ % 27)).padStart(2, '0');
  const at = part.valid_from ?? `2026-05-${day}T08:00:00.000Z`;
  return {
    identity: `test:${count}`,
    session_id: `s${count}`,
    observation_type: 'preference',
    summary: part.title,
    facts: [],
    concepts: [],
    files_touched: [],
    evidence: [
      { event_id: deterministicUlid(Date.parse(at), `e${count}`), excerpt: part.title.slice(0, 300) },
    ],
    strategy: 'rules',
    origin: 'user_words',
    importance: 0.7,
    valid_from: at,
    ...part,
  };
}

const made = (proposal: RecordDraft): MemoryRecord => {
  const [action] = reconcile(proposal, [], ctx);
  if (!action) throw new Error('nothing was made');
  return action.record;
};
const changes = (actions: LifecycleAction[]): string[] => actions.map((action) => action.change);

describe('reconcile', () => {
  it('makes a valid record with a stable id', () => {
    const proposal = draft({ title: 'Always use uv.' });
    const record = made(proposal);
    expect(memoryRecordSchema.parse(record)).toEqual(record);
    expect(made(proposal).record_id).toBe(record.record_id);
    expect(reconcile(proposal, [record], ctx)).toEqual([]);
  });

  it('does not bring back what was forgotten', () => {
    const proposal = draft({ title: 'Always use uv.' });
    const record = forget(made(proposal), NOW)?.record;
    expect(reconcile(proposal, [], { ...ctx, existing: () => record })).toEqual([]);
  });

  it('reinforces what is said again', () => {
    const record = made(draft({ title: 'Always use uv here, never pip.' }));
    const again = draft({ title: 'always use UV here,  never pip', valid_from: '2026-06-01T08:00:00.000Z' });
    const actions = reconcile(again, [record], ctx);
    expect(changes(actions)).toEqual(['reinforced']);
    expect(actions[0]?.record).toMatchObject({ record_id: record.record_id, recurrence: 2 });
    expect(actions[0]?.record.evidence).toHaveLength(2);
  });

  it.each([
    ['another number', 'Partner tokens expire after 24 hours.', 'Partner tokens expire after 12 hours.'],
    ['the opposite', 'Always squash commits before merging.', 'Never squash commits before merging.'],
  ])('supersedes the same statement with %s', (_what, old, renewed) => {
    const record = made(draft({ title: old, valid_from: '2026-05-01T08:00:00.000Z' }));
    const actions = reconcile(
      draft({ title: renewed, valid_from: '2026-06-01T08:00:00.000Z' }),
      [record],
      ctx,
    );
    expect(changes(actions)).toEqual(['created', 'superseded']);
    expect(actions[1]?.record).toMatchObject({
      status: 'superseded',
      superseded_by: actions[0]?.record.record_id,
      valid_to: '2026-06-01T08:00:00.000Z',
    });
  });

  it('supersedes by a named replacement on the same subject only', () => {
    const queue = made(
      draft({
        title: 'Decision: jobs run on RabbitMQ.',
        observation_type: 'decision',
        valid_from: '2026-05-01T08:00:00.000Z',
      }),
    );
    const rejected = made(
      draft({
        title: 'Logs are kept 30 days, not in RabbitMQ.',
        observation_type: 'decision',
        valid_from: '2026-05-01T08:00:00.000Z',
      }),
    );
    const renewed = draft({
      title: 'We move the jobs from RabbitMQ to Postgres.',
      observation_type: 'decision',
      valid_from: '2026-06-01T08:00:00.000Z',
      replaces: [{ old: 'RabbitMQ', new: 'Postgres' }],
    });
    const actions = reconcile(renewed, [queue, rejected], ctx);
    expect(
      actions.filter((action) => action.change === 'superseded').map((action) => action.record.title),
    ).toEqual([queue.title]);
    expect(neighbourQueries(renewed)).toEqual(['RabbitMQ']);
  });

  it('supersedes a summary that states the old value of a key', () => {
    const old = made(
      draft({
        title: 'limit',
        summary: 'MAX_ROWS is 500 now.',
        observation_type: 'session_summary',
        origin: 'agent_words',
        valid_from: '2026-05-01T08:00:00.000Z',
      }),
    );
    const other = made(
      draft({
        title: 'pages',
        summary: 'A page shows 500 rows.',
        observation_type: 'session_summary',
        origin: 'agent_words',
        valid_from: '2026-05-01T08:00:00.000Z',
      }),
    );
    const renewed = draft({
      title: 'raise it',
      summary: 'MAX_ROWS is 2000.',
      observation_type: 'session_summary',
      origin: 'agent_words',
      valid_from: '2026-06-01T08:00:00.000Z',
      replaces: [{ key: 'MAX_ROWS', old: '500', new: '2000' }],
    });
    const gone = reconcile(renewed, [old, other], ctx).filter((action) => action.change === 'superseded');
    expect(gone.map((action) => action.record.record_id)).toEqual([old.record_id]);
  });

  it.each([
    ['agent words', { origin: 'agent_words' as const }, {}],
    ['tool output', { origin: 'tool_output' as const }, {}],
    ['the web', { origin: 'external' as const }, {}],
    ['anything, once pinned', {}, { pinned: true }],
    ['something older', { valid_from: '2026-04-01T08:00:00.000Z' }, {}],
  ])('user words are not superseded by %s', (_what, newer, older) => {
    const record = {
      ...made(draft({ title: 'Tokens expire after 24 hours.', valid_from: '2026-05-01T08:00:00.000Z' })),
      ...older,
    };
    const renewed = draft({
      title: 'Tokens expire after 12 hours.',
      valid_from: '2026-06-01T08:00:00.000Z',
      ...newer,
    });
    expect(changes(reconcile(renewed, [record], ctx))).not.toContain('superseded');
  });

  it('leaves other projects alone', () => {
    const record = {
      ...made(draft({ title: 'Tokens expire after 24 hours.', valid_from: '2026-05-01T08:00:00.000Z' })),
      namespace: '/actor/me/project/other/',
    };
    const renewed = draft({ title: 'Tokens expire after 12 hours.', valid_from: '2026-06-01T08:00:00.000Z' });
    expect(changes(reconcile(renewed, [record], ctx))).toEqual(['created']);
  });
});

describe('reverts', () => {
  it('withdraw what rests on undone events and keep what was learned elsewhere', () => {
    const once = made(draft({ title: 'Use Prisma.' }));
    const again = draft({ title: 'Never log tokens.' });
    const [twice] = reconcile(again, [made(draft({ title: 'Never log tokens.' }))], ctx);
    if (!twice) throw new Error('not reinforced');
    const undone = new Set([once.evidence[0]?.event_id ?? '', again.evidence[0]?.event_id ?? '']);
    const changed = withdrawReverted([once, twice.record], undone, NOW);
    expect(changed.map((record) => [record.title, record.status, record.recurrence])).toEqual([
      ['Use Prisma.', 'withdrawn', 1],
      ['Never log tokens.', 'current', 1],
    ]);
  });

  it('bring back what a withdrawn record had superseded', () => {
    const old = made(
      draft({ title: 'Tokens expire after 24 hours.', valid_from: '2026-05-01T08:00:00.000Z' }),
    );
    const actions = reconcile(
      draft({ title: 'Tokens expire after 12 hours.', valid_from: '2026-06-01T08:00:00.000Z' }),
      [old],
      ctx,
    );
    const [created, gone] = actions.map((action) => action.record);
    if (!created || !gone) throw new Error('not superseded');
    const [revived] = reviveSuperseded([gone], new Set([created.record_id]), NOW);
    expect(revived).toEqual({ ...old, updated_at: NOW });
  });
});

describe('edits', () => {
  const record = made(draft({ title: 'Use uv.', origin: 'agent_words' }));

  it('pins once', () => {
    const pinned = pin(record, true, NOW);
    expect(pinned).toMatchObject({ change: 'pinned', record: { pinned: true } });
    expect(pin(pinned?.record ?? record, true, NOW)).toBeUndefined();
  });

  it('makes an edited record the user’s word, within the limits', () => {
    const edited = edit(record, { title: 'x'.repeat(300), facts: ['  ', 'one'] }, NOW)?.record;
    expect(edited).toMatchObject({ origin: 'user_words', strategy: 'user', facts: ['one'] });
    expect(memoryRecordSchema.safeParse(edited).success).toBe(true);
    expect(edit(record, { title: ' ' }, NOW)).toBeUndefined();
    expect(edit(record, { title: record.title }, NOW)).toBeUndefined();
  });

  it('forgets, restores and undoes', () => {
    const hidden = forget(record, NOW)?.record ?? record;
    expect(hidden.status).toBe('forgotten');
    expect(restore(hidden, NOW)?.record).toEqual({ ...record, updated_at: NOW });
    expect(restore(record, NOW)).toBeUndefined();
    expect(undo({ ...hidden, recall_count: 3 }, record, NOW).record).toMatchObject({
      status: 'current',
      recall_count: 3,
    });
    expect(undo(record, undefined, NOW).record.status).toBe('forgotten');
  });
});

describe('a turn that goes on', () => {
  it('brings its record up to date, unless the user had a hand in it', () => {
    const early = draft({ title: 'Use uv.', identity: 'turn:1', valid_from: '2026-05-02T08:00:00.000Z' });
    const record = made(early);
    const later = { ...early, summary: 'Use uv, never pip.' };
    const [updated] = reconcile(later, [], { ...ctx, existing: () => record });
    expect(updated?.record).toMatchObject({
      record_id: record.record_id,
      summary: 'Use uv, never pip.',
      recurrence: 1,
    });
    const edited = edit(record, { title: 'Use uv or rye.' }, NOW)?.record;
    expect(reconcile(later, [], { ...ctx, existing: () => edited })).toEqual([]);
  });
});

describe('a retired value', () => {
  const summary = (part: Partial<ExtractedDraft> & { title: string }): ExtractedDraft =>
    draft({ observation_type: 'session_summary', origin: 'agent_words', ...part });
  const renewed = (part: Partial<ExtractedDraft>): ExtractedDraft =>
    summary({ title: 'Raise it', valid_from: '2026-06-20T08:00:00.000Z', ...part });

  it('goes out of a record that says other lasting things too', () => {
    const old = made(
      summary({
        title: 'retention for the raw zone?',
        summary: 'Raw data is deleted after 90 days. The default profile has no credentials.',
        facts: ['expires after 90 days', 'ran `make plan`'],
        files_touched: ['infra/lifecycle.json'],
      }),
    );
    const draftOf = renewed({
      summary: 'Raw retention is 400 days (was 90).',
      files_touched: ['infra/lifecycle.json'],
      replaces: [{ old: '90', new: '400' }],
    });
    const [, action] = reconcile(draftOf, [old], ctx);
    expect(action).toMatchObject({
      change: 'edited',
      record: {
        status: 'current',
        title: 'retention for the raw zone?',
        summary: 'The default profile has no credentials.',
        facts: ['ran `make plan`'],
      },
    });
  });

  it('supersedes a summary that says nothing else', () => {
    const old = made(
      summary({ title: 'formatting: tidy', summary: 'Formatting is tidy.', files_touched: ['hooks.yaml'] }),
    );
    const draftOf = renewed({
      summary: 'neat replaces tidy.',
      files_touched: ['hooks.yaml'],
      replaces: [{ old: 'tidy', new: 'neat' }],
    });
    expect(changes(reconcile(draftOf, [old], ctx))).toEqual(['created', 'superseded']);
  });

  it.each([
    ['the same number of something else', 'The lane has 90 seats.', ['src/lane.ts']],
    ['the new value beside it', 'Raw retention is 400 days (was 90).', ['infra/lifecycle.json']],
  ])('leaves %s', (_what, said, files) => {
    const old = made(summary({ title: 'look at it', summary: said, files_touched: files }));
    const draftOf = renewed({
      summary: 'Raw retention is 400 days.',
      files_touched: ['infra/lifecycle.json'],
      replaces: [{ old: '90', new: '400' }],
    });
    expect(changes(reconcile(draftOf, [old], ctx))).toEqual(['created']);
  });

  it('stays in the user’s own words where only the agent says that it changed', () => {
    const old = made(draft({ title: 'Deploy with ferry.', files_touched: ['deploy.yaml'] }));
    const draftOf = renewed({
      summary: 'raft replaces ferry.',
      files_touched: ['deploy.yaml'],
      replaces: [{ old: 'ferry', new: 'raft' }],
    });
    expect(changes(reconcile(draftOf, [old], ctx))).toEqual(['created']);
  });
});
