import { z } from 'zod';

/** How the work that waits for a model is doing; absent where no model is set. */
export const modelStateSchema = z.object({
  provider: z.string(),
  /**
   * `idle`: nothing waits. `working`: a call runs or is due. `waiting`: the next try is at `retry_at`. `spent`: the
   * day's tokens are used; the rules go on alone. `unset`: something is missing, `message` says what.
   */
  state: z.enum(['idle', 'working', 'waiting', 'spent', 'unset']),
  /** Turns that wait. */
  pending: z.number().int(),
  /** Turns that were given up after several tries; `retryModel` puts them back. */
  failed: z.number().int(),
  tokens_today: z.number().int(),
  daily_tokens: z.number().int(),
  retry_at: z.string().optional(),
  /** Why the last call failed; for people, without any text of a prompt or a reply. */
  message: z.string().optional(),
});
export type ModelState = z.infer<typeof modelStateSchema>;
