import { z } from 'zod';
import { defineTool, texts } from './tool';
import { fullRecord, REFERENCE } from './render';

const MOST = 10;

export const getMemory = defineTool({
  name: 'get_memory',
  title: 'Read notes of project memory',
  description:
    'Shows notes in full: facts, files, dates, what replaced them, and the evidence with the ids and times of its events.',
  readOnly: true,
  input: z.object({ record_ids: texts(MOST, 64, 'Ids of notes (mr_…), at most 10.') }),
  run: async ({ record_ids: ids = [] }, { memory, project }) => {
    if (ids.length === 0) return 'Name at least one id, such as mr_01….';
    const parts: string[] = [];
    for (const id of new Set(ids)) {
      const details = await memory.get(id);
      parts.push(details ? fullRecord(details) : `[${id.slice(0, 64)}] is no note of project "${project}".`);
    }
    return [REFERENCE, ...parts].join('\n\n');
  },
});
