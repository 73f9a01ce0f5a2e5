import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addCounts, emptyCounts, type SessionCounts } from '../../../src/capture/sessions/session-counts';
import { findSessionFolders, readSessionFolder } from '../../../src/capture/sessions/session-reader';
import { systemClock } from '../../../src/contract/clock';
import type { Captured, EventDraft } from '../../../src/contract/event-draft';
import { sharedData } from '../../support/shared-data';

const goldSchema = z.object({
  totals_read: z.record(z.string(), z.unknown()),
  not_read: z.object({ schema_version: z.number(), no_records: z.number() }),
  sessions_read: z.number(),
  reverted_texts: z.array(z.string()),
  sessions: z.array(
    z.looseObject({
      session_id: z.string(),
      not_read: z.string().nullable(),
      turn_list: z.array(
        z.object({
          execution_id: z.string(),
          prompt_kind: z.string(),
          steer_row_ids: z.array(z.string()),
          tool_calls: z.array(
            z.object({ id: z.string(), joined: z.boolean(), success: z.boolean().nullable() }),
          ),
          says: z.number(),
          reverted: z.boolean(),
        }),
      ),
    }),
  ),
});

const folder = sharedData('data', 'sessions', 'alpha');
const gold = folder
  ? goldSchema.parse(JSON.parse(readFileSync(path.join(folder, 'gold.json'), 'utf8')))
  : undefined;

interface Read {
  counts: SessionCounts;
  bySession: Map<string, { counts: SessionCounts; captured: Captured[] }>;
  notRead: object;
}

async function readAll(kiroFolder: string): Promise<Read> {
  const counts = emptyCounts();
  const bySession: Read['bySession'] = new Map();
  const notRead: Record<string, number> = { schema_version: 0, no_records: 0 };
  for (const session of await findSessionFolders(kiroFolder)) {
    if (session.refused) {
      notRead[session.refused] = (notRead[session.refused] ?? 0) + 1;
      continue;
    }
    const captured: Captured[] = [];
    const own = emptyCounts();
    for await (const item of readSessionFolder(session.folder, { clock: systemClock, counts: own })) {
      captured.push(item);
    }
    addCounts(counts, own);
    bySession.set(session.session_id, { counts: own, captured });
  }
  return { counts, bySession, notRead };
}

function draftsOf(captured: Captured[]): EventDraft[] {
  return captured.flatMap((item) => ('draft' in item ? [item.draft] : []));
}

describe.skipIf(!folder || !gold)('recorded Kiro sessions (shared data)', () => {
  const read = folder ? readAll(path.join(folder, 'home', '.kiro')) : undefined;

  it('counts as the gold file does', async () => {
    const { counts, notRead } = (await read)!;
    const { by_type: _byType, ...totals } = gold!.totals_read;
    expect(counts).toEqual({ sessions_read: gold!.sessions_read, ...totals });
    expect(notRead).toEqual(gold!.not_read);
  });

  it.each((gold?.sessions ?? []).filter((s) => s.not_read === null).map((s) => [s.session_id, s] as const))(
    'counts and captures session %s',
    async (id, session) => {
      const { counts, captured } = (await read)!.bySession.get(id)!;
      const { sessions_read: _read, ...own } = counts;
      expect(session).toMatchObject(own);
      const drafts = draftsOf(captured);
      for (const turn of session.turn_list) {
        const ofTurn = drafts.filter((draft) => draft.turn_id === turn.execution_id);
        const prompts = ofTurn.filter((draft) => draft.kind === 'prompt');
        const opened = turn.prompt_kind === 'real' ? 1 : 0;
        expect(prompts.length).toBe(opened + turn.steer_row_ids.length);
        expect(ofTurn.filter((draft) => draft.kind === 'session_summary').length).toBe(
          Math.min(1, turn.says),
        );
        for (const call of turn.tool_calls) {
          const [use, ...more] = ofTurn.filter((draft) => draft.action_id === call.id);
          expect(more).toEqual([]);
          expect(use?.type).toBe(call.joined ? 'action_end' : 'action_start');
          if (call.joined) {
            expect(use?.body).toMatchObject({ data: { tool_response: { success: call.success } } });
          }
          if (opened) expect(use?.parent_identity).toBe(prompts[0]?.identity);
        }
        const ends = captured.filter(
          (item) => 'signal' in item && item.signal === 'turn_end' && item.turn_id === turn.execution_id,
        );
        expect(ends.length).toBe(1);
      }
      expect(new Set(drafts.map((draft) => draft.identity)).size).toBe(drafts.length);
    },
  );

  it('takes back exactly what was said and done in reverted turns', async () => {
    const all = [...(await read)!.bySession.values()];
    const undone = new Set<string>();
    for (const { captured } of all) {
      for (const item of captured)
        if ('signal' in item && item.signal === 'revert') item.identities.forEach((i) => undone.add(i));
    }
    const drafts = all.flatMap(({ captured }) => draftsOf(captured));
    for (const text of gold!.reverted_texts) {
      const holders = drafts.filter((draft) => JSON.stringify(draft.body).includes(text));
      const inDroppedTurns = holders.filter((draft) => undone.has(draft.identity));
      expect(inDroppedTurns.length, text).toBeGreaterThan(0);
    }
    const revertedTurns = new Set(
      gold!.sessions.flatMap((s) => s.turn_list.filter((t) => t.reverted).map((t) => t.execution_id)),
    );
    for (const draft of drafts) {
      if (revertedTurns.has(draft.turn_id ?? '')) expect(undone.has(draft.identity)).toBe(true);
    }
  });

  it('never hands out what is nobody’s words, and reads moved outputs whole', async () => {
    const drafts = [...(await read)!.bySession.values()].flatMap(({ captured }) => draftsOf(captured));
    const injected = z
      .object({ texts: z.array(z.object({ kind: z.string(), text: z.string() })) })
      .parse(JSON.parse(readFileSync(path.join(folder!, 'injected.json'), 'utf8')));
    const withheld = ['system_prompt', 'synthetic_prompt', 'unknown_row', 'unread_session', 'snapshot_file'];
    const bodies = JSON.stringify(drafts.map((draft) => draft.body));
    for (const { kind, text } of injected.texts) {
      if (withheld.includes(kind)) expect(bodies, kind).not.toContain(text);
    }
    const large = drafts.filter((draft) => JSON.stringify(draft.body).length > 60_000);
    expect(large.length).toBeGreaterThanOrEqual(2);
  });

  it('gives the same identities each time', async () => {
    const again = await readAll(path.join(folder!, 'home', '.kiro'));
    const ids = (from: Read) =>
      [...from.bySession.values()]
        .flatMap(({ captured }) => draftsOf(captured))
        .map((d) => `${d.identity} ${d.valid_time}`);
    expect(ids(again)).toEqual(ids((await read)!));
  });
});
