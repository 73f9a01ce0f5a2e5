import type { EventBody, EventDetail, EventKind, Surface } from './event';

/**
 * What capture yields: an event before the project is known, unscrubbed and uncut. Ids are minted from
 * `identity`, so the same record read twice becomes the same event.
 */
export interface EventDraft extends EventDetail {
  kind: EventKind;
  body: EventBody;
  /** Undefined where the source has none (Kiro 0.x, old V2): ingest derives it from window and folder. */
  session_id?: string;
  /** ISO 8601 with offset; undefined means now. */
  valid_time?: string;
  /**
   * Identity of the source record, such as `kiro:<session>:<row id>#<digest>` or an idempotency key. Two
   * drafts of one identity and valid_time are one event for ever.
   */
  identity: string;
  /** Identity of the draft that this one belongs to (a turn's prompt, a delegate's start). */
  parent_identity?: string;
  /** `valid_time` of that draft: an event's id holds its time. */
  parent_valid_time?: string;
  surface: Surface;
  client_id?: string;
  branch?: string;
  /** Where it happened: a working directory or workspace folder as the source spelled it. */
  cwd?: string;
  /** More that tells the project: a session header's `repositories`, all workspace paths. */
  project_hints?: { workspace_paths?: string[]; repositories?: string[] };
  /** Identity of the turn, shared by a prompt, its tool uses and its summary. */
  turn_id?: string;
  /** True on the draft that closes its turn. */
  ends_turn?: boolean;
  /** Session title, shown as the source of what is learned. */
  session_title?: string;
}

/** Later findings about what was already captured. */
export type CaptureSignal =
  | { signal: 'turn_end'; session_id: string; turn_id: string; stop_reason: string }
  /** Rows from `identities` on were undone: what was derived from them is withdrawn. */
  | { signal: 'revert'; session_id: string; identities: string[] }
  /** The model's context was compacted: what was injected before may be injected again. */
  | { signal: 'compaction'; session_id: string };

export type Captured = { draft: EventDraft } | CaptureSignal;
