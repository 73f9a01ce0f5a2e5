import { z } from 'zod';
import { LIMITS } from '../../contract/limits';
import { cutCodePoints } from '../../text/cut';
import { describeSaved } from './saved';
import { defineTool, text, texts } from './tool';

const PART = 4000;

export const saveSessionSummary = defineTool({
  name: 'save_session_summary',
  title: 'Save what a session did',
  description: 'Keeps what a session was asked for, learned, did and left open.',
  readOnly: false,
  input: z.object({
    request: text(PART, 'What the user asked for.'),
    investigated: text(PART, 'What was looked into.').optional(),
    learned: text(PART, 'What was learned.').optional(),
    completed: text(PART, 'What was done.').optional(),
    next_steps: text(PART, 'What is left to do.').optional(),
    files_read: texts(LIMITS.files, LIMITS.fileChars, 'Files that were read.'),
    files_modified: texts(LIMITS.files, LIMITS.fileChars, 'Files that were changed.'),
  }),
  run: async (input, { memory, frame }) => {
    const { request, files_read = [], files_modified = [] } = input;
    const observation = {
      observation_type: 'session_summary' as const,
      title: cutCodePoints(request.replace(/\s+/g, ' '), LIMITS.titleChars),
      summary: summaryOf(input) || request,
      facts: [],
      concepts: [],
      files_touched: [...new Set([...files_modified, ...files_read])].slice(0, LIMITS.files),
    };
    return describeSaved(await memory.save(observation, frame()));
  },
});

interface Parts {
  investigated?: string | undefined;
  learned?: string | undefined;
  completed?: string | undefined;
  next_steps?: string | undefined;
}

/** The parts that are there, what was done first; each gets its share where all together are too long. */
function summaryOf({ investigated, learned, completed, next_steps }: Parts): string {
  const parts = [
    ['Done', completed],
    ['Learned', learned],
    ['Open', next_steps],
    ['Looked into', investigated],
  ].filter((part): part is [string, string] => Boolean(part[1]));
  const whole = parts.map(([name, said]) => `${name}: ${said}`).join('\n');
  if (whole.length <= LIMITS.summaryChars) return whole;
  const share = Math.floor(LIMITS.summaryChars / parts.length) - 1;
  return parts.map(([name, said]) => cutCodePoints(`${name}: ${said}`, share, '…')).join('\n');
}
