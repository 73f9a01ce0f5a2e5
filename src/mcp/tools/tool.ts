import { z } from 'zod';
import { cutCodePoints } from '../../text/cut';
import type { AgentRequestFrame } from '../../contract/saved-note';
import type { ProjectMemory } from '../project-memory';

/** What a tool may use while it runs. */
export interface ToolContext {
  memory: ProjectMemory;
  /** For people and models: the name of the folder. */
  project: string;
  /** A frame for a request of its own: a fresh key, the same session. */
  frame(): AgentRequestFrame;
}

/** One tool of the server: a text for a model in, a text for a model out. */
export interface Tool<I extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: I;
  /** Changes nothing, so that hosts may let it run unasked. */
  readOnly: boolean;
  run(input: z.output<I>, context: ToolContext): Promise<string>;
}

/** Keeps the types of input and handler together. */
export function defineTool<I extends z.ZodObject>(tool: Tool<I>): Tool {
  return tool as unknown as Tool;
}

/** A text of at most `max` code points; a longer one is cut, since a model can't count. */
export function text(max: number, description: string) {
  return z
    .preprocess(
      (value) => (typeof value === 'string' ? cutCodePoints(value.trim(), max) : value),
      z.string().min(1),
    )
    .describe(description);
}

/** A list of texts, each and all cut to size; one text with line breaks is taken as a list. */
export function texts(count: number, max: number, description: string) {
  return z
    .preprocess((value) => {
      const items = typeof value === 'string' ? value.split('\n') : value;
      if (!Array.isArray(items)) return items ?? [];
      return items
        .filter((item): item is string => typeof item === 'string' && item.trim() !== '')
        .slice(0, count)
        .map((item) => cutCodePoints(item.trim(), max));
    }, z.array(z.string()).optional())
    .describe(description);
}

/** A whole number, brought into its range; digits in quotes count. */
export function count(min: number, max: number, description: string) {
  return z
    .preprocess((value) => {
      const number = typeof value === 'string' ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
      return Math.min(max, Math.max(min, Math.trunc(number)));
    }, z.number().int().optional())
    .describe(description);
}
