import { z } from 'zod';
import { count, defineTool, text } from './tool';
import { indexEntry, REFERENCE } from './render';

export const searchMemory = defineTool({
  name: 'search_memory',
  title: 'Search project memory',
  description:
    'Finds notes of this project from earlier sessions: decisions, failures and their fixes, preferences, what was done when. ' +
    'Returns an index, best first; get_memory gives the details of a note.',
  readOnly: true,
  input: z.object({
    query: text(1000, 'What to look for, in words; dates such as "last week" and file names count.'),
    limit: count(1, 50, 'How many notes at most; 10 where absent.'),
  }),
  run: async ({ query, limit }, { memory, project }) => {
    const found = await memory.search(query, limit ?? 10);
    if (found.length === 0) return `No note of project "${project}" fits.`;
    const entries = found.map(({ record }, index) => `${index + 1}. ${indexEntry(record)}`);
    return [`${found.length} notes of project "${project}", best first. ${REFERENCE}`, ...entries].join('\n');
  },
});
