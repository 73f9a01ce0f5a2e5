import type { Surface } from '../../contract/event';
import type { HookFrame } from '../../contract/hook-frame';
import type { HookOutput } from './hook-output';

export const DIALECTS = ['kiro-0x', 'kiro-1x', 'kiro-cli-v2', 'vscode', 'claude-code'] as const;
export type DialectName = (typeof DIALECTS)[number];

/** One payload in canonical words; undefined means absent, null or of the wrong type. */
export interface HookFields {
  event?: string;
  sessionId?: string;
  cwd?: string;
  /** ISO 8601 with offset. */
  time?: string;
  prompt?: string;
  /** Something else than text stood in place of the prompt. */
  promptMalformed?: boolean;
  /** The host's id of this prompt or tool call, equal in every registration of a hook. */
  promptId?: string;
  toolUseId?: string;
  toolName?: string;
  toolInput?: unknown;
  toolResponse?: unknown;
  /** From a structured field only. */
  success?: boolean;
  answer?: string;
  /** Name of the delegate whose call this is. */
  agent?: string;
  /** Why a session starts: `startup`, `resume`, `clear`, `compact`. */
  source?: string;
  specName?: string;
  taskName?: string;
  taskSuccess?: boolean;
}

/** One host's way to say what happened. */
export interface Dialect {
  name: DialectName;
  output: HookOutput;
  surface(frame: HookFrame): Surface;
  /** Builds that leave out the prompt although the session file holds it (Kiro#10346). */
  promptInSessionFile: boolean;
}

/** A host that speaks JSON objects on standard input. */
export interface JsonDialect extends Dialect {
  /** True where the payload carries this host's marks. Asked in the order of the normaliser's table. */
  matches(payload: Record<string, unknown>): boolean;
  read(payload: Record<string, unknown>): HookFields;
}
