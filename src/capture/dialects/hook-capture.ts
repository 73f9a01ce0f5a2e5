import type { CaptureSignal, EventDraft } from '../../contract/event-draft';
import type { HookFrame } from '../../contract/hook-frame';
import type { HookOutput } from './hook-output';

export interface HookInvocation {
  /** The word that the hook file passes; may be empty, and the payload's own word wins. */
  event: string;
  frame: HookFrame;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

export type HookCapture =
  | {
      outcome: 'event';
      dialect: string;
      eventName: string;
      draft: EventDraft;
      /**
       * True where the answer should carry what is remembered. Where the host delivers nothing at this event
       * (`deliversContext`), the answer waits for the session's next event that it does deliver.
       */
      retrieve: boolean;
      output: HookOutput;
    }
  | {
      /** The payload holds no prompt on this build (Kiro#10346): the newest `user` row of the session does. */
      outcome: 'prompt_in_session_file';
      dialect: string;
      eventName: string;
      sessionId: string;
      /** Complete but for its text. */
      draft: EventDraft;
      output: HookOutput;
    }
  | { outcome: 'signal'; dialect: string; signal: CaptureSignal }
  | { outcome: 'skip'; dialect?: string; reason: string };
