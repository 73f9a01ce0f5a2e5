/** Sizes are bytes of UTF-8 unless said otherwise; times are milliseconds. */
export const LIMITS = {
  /** The most text that is scrubbed; what lies beyond is dropped before anything else sees it. */
  scrubInputBytes: 8 * 1024 * 1024,
  /** A body is cut to this after it was scrubbed. */
  bodyBytes: 512 * 1024,
  /** A serialized event above this is refused. */
  eventBytes: 1024 * 1024,
  titleChars: 200,
  summaryChars: 4000,
  factChars: 500,
  conceptChars: 100,
  fileChars: 500,
  facts: 50,
  concepts: 50,
  files: 100,
  excerptChars: 300,
  evidence: 20,
  idChars: 128,
  projectPathChars: 2048,
  /** A hook payload above this is not read further. */
  hookPayloadBytes: 8 * 1024 * 1024,
  httpBodyBytes: 9 * 1024 * 1024,
  injectionBytes: 6 * 1024,
  injectionTokens: 1200,
  promptDeadlineMs: 1500,
  promptLeaderMs: 400,
  hookDeadlineMs: 500,
  bufferIdleMs: 30_000,
  bufferBytes: 256 * 1024,
  /** Sources without a session id open a new session after this much silence. */
  derivedSessionGapMs: 30 * 60_000,
} as const;

export const TRUNCATION_MARK = '[truncated by kiro-learn]';
