import { z } from 'zod';
import { LIMITS } from '../../contract/limits';
import { OBSERVATION_TYPES } from '../../contract/memory-record';
import { describeSaved } from './saved';
import { defineTool, text, texts } from './tool';

export const saveObservation = defineTool({
  name: 'save_observation',
  title: 'Save a note to project memory',
  description:
    'Keeps one thing worth knowing in later sessions: a decision with its reason, a failure with its fix, a fact about the project. ' +
    'Write it so that it is understood without this conversation. Secrets and private parts are removed before anything is stored.',
  readOnly: false,
  input: z.object({
    title: text(LIMITS.titleChars, 'One line that says what was learned.'),
    summary: text(LIMITS.summaryChars, 'What was learned and why it holds.'),
    observation_type: z.enum(OBSERVATION_TYPES).describe('What kind of note it is.'),
    facts: texts(LIMITS.facts, LIMITS.factChars, 'Single facts: names, numbers, commands, paths.'),
    concepts: texts(LIMITS.concepts, LIMITS.conceptChars, 'Names under which it may be looked for.'),
    files_touched: texts(LIMITS.files, LIMITS.fileChars, 'Files that it is about.'),
  }),
  run: async ({ facts = [], concepts = [], files_touched = [], ...rest }, { memory, frame }) =>
    describeSaved(await memory.save({ ...rest, facts, concepts, files_touched }, frame())),
});
