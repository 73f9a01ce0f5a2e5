import type { Clock } from '../contract/clock';
import type { HookFrame } from '../contract/hook-frame';
import type { Injection } from '../contract/injection';
import { formatHookOutput } from '../capture/dialects/hook-output';
import { normaliseHook, type HookCapture } from '../capture/dialects/normaliser';
import { mintTime } from '../platform/launcher-key';
import type { Log } from '../platform/log';
import type { CapturePolicy } from './capture-policy';
import { promptText, type PromptRecall } from './prompt-recall';
import type { Ingest, IngestResult } from './ingest';
import type { EventDraft } from '../contract/event-draft';
import type { CaptureSignal } from '../contract/event-draft';

interface HookHandlerDeps {
  ingest: Ingest;
  recall: PromptRecall;
  policy: CapturePolicy;
  clock: Clock;
  log: Log;
  /** Text of the newest prompt in Kiro's session file, for builds whose hook leaves it out (Kiro#10346). */
  latestPrompt(sessionId: string, signal: AbortSignal): Promise<string | undefined>;
  onStored(result: IngestResult, draft: EventDraft): void;
  onSignal(signal: CaptureSignal, draft?: EventDraft): void;
  onHook(event: string, capture: HookCapture): void;
  onInjection(injection: Injection): void;
}

/** One hook run: a raw payload in, the text to print out. */
export class HookHandler {
  constructor(private readonly deps: HookHandlerDeps) {}

  /** @returns what the hook prints; empty where there is nothing to say. Rejects only when the store does. */
  async handle(event: string, frame: HookFrame, signal: AbortSignal): Promise<string> {
    // The time that the hook minted: what comes again through the spool is then the same event.
    const receivedAt = mintTime(frame.idempotencyKey, this.deps.clock.now());
    const capture = normaliseHook({ event, frame, receivedAt });
    this.deps.onHook(event, capture);
    switch (capture.outcome) {
      case 'skip':
        this.deps.log.info('hooks', `${event || '(no event)'}: nothing kept, ${capture.reason}`);
        return '';
      case 'signal':
        this.deps.onSignal(capture.signal);
        return '';
      case 'prompt_in_session_file': {
        const text = await this.deps.latestPrompt(capture.sessionId, signal);
        if (!text?.trim()) {
          this.deps.log.info(
            'hooks',
            `${event}: the payload has no prompt and the session file has none yet`,
          );
          return '';
        }
        const draft: EventDraft = { ...capture.draft, body: { type: 'text', content: text } };
        return this.store(event, draft, true, capture.output);
      }
      case 'event':
        return this.store(event, capture.draft, capture.retrieve, capture.output);
    }
  }

  private async store(
    event: string,
    draft: EventDraft,
    retrieve: boolean,
    output: 'text' | 'vscode-json' | 'claude-json',
  ): Promise<string> {
    const [result] = await this.deps.ingest.ingest([draft]);
    if (!result) return '';
    this.deps.onStored(result, draft);
    if (result.outcome === 'dropped') {
      this.deps.log.info('hooks', `${event}: nothing kept, ${result.reason}`);
      return '';
    }
    if (!retrieve || !this.deps.policy.injects(draft.cwd ?? result.project.root)) return '';
    const injection = await this.deps.recall.answer({
      namespaces: [result.project.namespace],
      prompt: promptText(result.event.body),
      sessionId: result.event.session_id,
      surface: result.event.source.surface,
      eventId: result.event.event_id,
      ...(result.event.source.branch ? { branch: result.event.source.branch } : {}),
    });
    this.deps.onInjection(injection);
    return injection.context ? formatHookOutput(output, event, injection.context) : '';
  }
}
