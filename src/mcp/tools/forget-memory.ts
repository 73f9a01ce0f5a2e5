import { z } from 'zod';
import type { Forgotten } from '../project-memory';
import { defineTool, text } from './tool';

const ANSWERS: Record<Forgotten, string> = {
  forgotten: 'is hidden now. The user can restore it in the Memories panel.',
  waits: 'is hidden now, and will be for all once an IDE window takes this in. The user can restore it.',
  pinned: 'was pinned by the user and stays. It can be forgotten in the Memories panel.',
  already: 'is hidden already.',
  not_found: 'is no note of this project.',
};

export const forgetMemory = defineTool({
  name: 'forget_memory',
  title: 'Hide a note of project memory',
  description:
    'Hides a note that is wrong or that the user no longer wants. Nothing is deleted: the user can restore it.',
  readOnly: false,
  input: z.object({ record_id: text(64, 'Id of the note (mr_…).') }),
  run: async ({ record_id }, { memory, frame }) =>
    `[${record_id}] ${ANSWERS[await memory.forget(record_id, frame())]}`,
});
