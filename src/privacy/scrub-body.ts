import type { EventBody } from '../contract/event';
import { stripInjected } from './injected-blocks';
import type { ScrubContext, Scrubber } from './scrub';

/** A body without what was private or secret; of a prompt, without what memory tools injected into it. */
export function scrubBody(
  body: EventBody,
  isPrompt: boolean,
  scrubber: Scrubber,
  context: ScrubContext,
): EventBody {
  const clean = (text: string) => scrubber.scrubText(isPrompt ? stripInjected(text) : text, context);
  switch (body.type) {
    case 'text':
      return { type: 'text', content: clean(body.content).trim() };
    case 'message':
      return {
        type: 'message',
        turns: body.turns.map((turn) => ({
          role: scrubber.scrubText(turn.role, context),
          content: clean(turn.content),
        })),
      };
    case 'json':
      return { type: 'json', data: scrubber.scrubJson(body.data, context) };
  }
}

/** Nothing is left to keep. */
export function isEmptyBody(body: EventBody): boolean {
  if (body.type === 'text') return body.content === '';
  return body.type === 'message' && body.turns.every((turn) => turn.content.trim() === '');
}
