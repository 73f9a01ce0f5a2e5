import type { EventDetail } from '../contract/event';
import type { EventDraft } from '../contract/event-draft';
import { LIMITS } from '../contract/limits';
import { truncateBody } from '../capture/truncate';
import type { ScrubContext, Scrubber } from '../privacy/scrub';
import { isEmptyBody, scrubBody } from '../privacy/scrub-body';

const TEXT_FIELDS = [
  'label',
  'display_message',
  'action_name',
  'action_display_name',
  'platform',
  'author',
  'role',
  'source_uri',
] as const satisfies readonly (keyof EventDetail)[];

/**
 * A draft fit for the disk: what was injected, private or secret is gone and the body is cut. Undefined where
 * nothing is left.
 */
export function scrubDraft(draft: EventDraft, scrubber: Scrubber): EventDraft | undefined {
  const context: ScrubContext = draft.session_id ? { sessionId: draft.session_id } : {};
  const body = scrubBody(draft.body, draft.kind === 'prompt', scrubber, context);
  if (isEmptyBody(body)) return undefined;
  const clean: EventDraft = {
    ...draft,
    body: truncateBody(body, LIMITS.bodyBytes, (text) => scrubber.scrubCutEdge(text)),
  };
  for (const field of TEXT_FIELDS) {
    const value = clean[field];
    if (value !== undefined) clean[field] = scrubber.scrubText(value, context);
  }
  if (draft.session_title !== undefined)
    clean.session_title = scrubber.scrubText(draft.session_title, context);
  if (draft.meta !== undefined) {
    const meta = scrubber.scrubJson(draft.meta, context);
    if (meta && typeof meta === 'object' && !Array.isArray(meta)) clean.meta = meta;
    else delete clean.meta;
  }
  return clean;
}
