import { z } from 'zod';
import { count, defineTool } from './tool';
import { indexEntry, REFERENCE } from './render';

export const timeline = defineTool({
  name: 'timeline',
  title: 'Project memory by time',
  description:
    'Lists notes in the order of time: around a note (record_id), around a date (at), or the latest. Shows what was done and decided before and after.',
  readOnly: true,
  input: z.object({
    record_id: z.string().max(64).optional().describe('A note (mr_…) to look around.'),
    at: z.string().max(64).optional().describe('A date to look around, ISO 8601, such as 2026-10-22.'),
    before: count(0, 50, 'How many notes before it; 5 where absent.'),
    after: count(0, 50, 'How many notes after it; 5 where absent.'),
  }),
  run: async ({ record_id, at, before, after }, { memory, project }) => {
    if (at !== undefined && Number.isNaN(Date.parse(at)))
      return 'at: not a date. Use a form such as 2026-10-22.';
    const latest = record_id === undefined && at === undefined;
    const { items, anchor } = await memory.timeline({
      record_id,
      at,
      before: before ?? (latest ? 10 : 5),
      after: after ?? 5,
    });
    if (record_id !== undefined && anchor === undefined)
      return `[${record_id}] is no note of project "${project}".`;
    if (items.length === 0) return `Project "${project}" has no notes there.`;
    const entries = items.map((record) => `${record.record_id === anchor ? '> ' : ''}${indexEntry(record)}`);
    return [`${items.length} notes of project "${project}", oldest first. ${REFERENCE}`, ...entries].join(
      '\n',
    );
  },
});
