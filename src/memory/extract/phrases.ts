/**
 * How one language words what matters to a memory. Patterns are tried on a sentence in lower case, quotes and
 * code blanked, leading fillers ("please", "ok, ") removed.
 */
export interface Phrases {
  /** A standing rule or preference. */
  rule: readonly RegExp[];
  /** A rule only beside a stronger sentence of the same prompt. */
  weakRule: readonly RegExp[];
  /** Something was chosen. */
  decision: readonly RegExp[];
  /** Opens a correction of what the agent did or said; tried on the sentence with its fillers. */
  correction: readonly RegExp[];
  /** Consents to what was proposed, and no more; tried on the sentence with its fillers. */
  approval: readonly RegExp[];
  /** Thinking aloud: nothing in the prompt is meant. */
  aloud: readonly RegExp[];
  /** Somebody else's opinion. */
  reported: readonly RegExp[];
  /** The user turns an opinion down. */
  rejected: readonly RegExp[];
  /** Says why; joins the sentence before. */
  reason: readonly RegExp[];
  /** Looks like a rule and is none: an observation, a complaint, a one-off. */
  not: readonly RegExp[];
  /** A proposal in the agent's words, which an approval makes a decision. */
  proposal: readonly RegExp[];
  /** Named groups `old` and, where it is said, `new`: what gave way to what. */
  replaced: readonly RegExp[];
  /** Text that a page or a tool addresses to agents: never kept from outside sources. */
  directive: readonly RegExp[];
}

export const PHRASE_GROUPS = [
  'rule',
  'weakRule',
  'decision',
  'correction',
  'approval',
  'aloud',
  'reported',
  'rejected',
  'reason',
  'not',
  'proposal',
  'replaced',
  'directive',
] as const satisfies readonly (keyof Phrases)[];
