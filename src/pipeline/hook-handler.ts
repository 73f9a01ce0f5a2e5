import type { Clock } from '../contract/clock';
import type { HookFrame } from '../contract/hook-frame';
import type { Injection } from '../contract/injection';
import { deliversContext, formatHookOutput, type HookOutput } from '../capture/dialects/hook-output';
import { normaliseHook, type HookCapture } from '../capture/dialects/normaliser';
import { mintTime } from '../platform/launcher-key';
import type { NewestPrompt } from '../capture/sessions/latest-prompt';
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
  /** The newest prompt in Kiro's session file, for builds whose hook leaves it out (Kiro#10346). */
  newestPrompt(sessionId: string, signal: AbortSignal): Promise<NewestPrompt | undefined>;
  onStored(result: IngestResult, draft: EventDraft): void;
  onSignal(signal: CaptureSignal, draft?: EventDraft): void;
  onHook(event: string, capture: HookCapture): void;
  onInjection(injection: Injection): void;
}

/** Long enough to read the end of a file that is there, short enough for the hook's deadline. */
const SYNTHETIC_WAIT_MS = 40;
const MAX_WAITING = 100;

/** One hook run: a raw payload in, the text to print out. */
export class HookHandler {
  /** Context for sessions whose host delivers nothing at a prompt (VS Code): it goes with the next event. */
  private readonly waiting = new Map<string, string>();

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
        const newest = await this.deps.newestPrompt(capture.sessionId, signal);
        const text = newest?.kind === 'synthetic' ? '' : (newest?.text ?? '');
        if (!text.trim()) {
          this.deps.log.info(
            'hooks',
            `${event}: the payload has no prompt and the session file has none yet`,
          );
          return '';
        }
        const draft: EventDraft = { ...capture.draft, body: { type: 'text', content: text } };
        return this.store(capture.eventName, draft, true, capture.output, signal);
      }
      case 'event': {
        if (capture.retrieve && (await this.isSynthetic(capture.draft))) {
          this.deps.log.info('hooks', `${event}: nothing kept, the agent prompted itself`);
          return '';
        }
        return this.store(capture.eventName, capture.draft, capture.retrieve, capture.output, signal);
      }
    }
  }

  private async store(
    event: string,
    draft: EventDraft,
    retrieve: boolean,
    output: HookOutput,
    signal: AbortSignal,
  ): Promise<string> {
    const [result] = await this.deps.ingest.ingest([draft]);
    if (!result) return '';
    this.deps.onStored(result, draft);
    if (result.outcome === 'dropped') {
      this.deps.log.info('hooks', `${event}: nothing kept, ${result.reason}`);
      return '';
    }
    const sessionId = result.event.session_id;
    if (!retrieve) return this.deliver(output, event, sessionId);
    // A hook that has gone delivers nothing: what would be logged as shown would never be shown.
    if (signal.aborted || !this.deps.policy.injects(draft.cwd ?? result.project.root)) return '';
    const injection = await this.deps.recall.answer({
      namespaces: [result.project.namespace],
      prompt: promptText(result.event.body),
      sessionId,
      surface: result.event.source.surface,
      eventId: result.event.event_id,
      ...(result.event.source.branch ? { branch: result.event.source.branch } : {}),
    });
    this.deps.onInjection(injection);
    if (injection.context) this.waiting.set(sessionId, injection.context);
    for (const oldest of this.waiting.keys()) {
      if (this.waiting.size <= MAX_WAITING) break;
      this.waiting.delete(oldest);
    }
    return this.deliver(output, event, sessionId);
  }

  /** Hands out what waits for a session, where the host delivers what this event prints; else it goes on waiting. */
  private deliver(output: HookOutput, event: string, sessionId: string): string {
    const context = this.waiting.get(sessionId);
    if (!context || !deliversContext(output, event)) return '';
    this.waiting.delete(sessionId);
    return formatHookOutput(output, event, context);
  }

  /** Kiro's prompt hook also fires for workflow briefs and notices, which only the session file tells apart. */
  private async isSynthetic(draft: EventDraft): Promise<boolean> {
    if (!draft.session_id || draft.body.type !== 'text') return false;
    const newest = await this.deps.newestPrompt(draft.session_id, AbortSignal.timeout(SYNTHETIC_WAIT_MS));
    return newest?.kind === 'synthetic' && newest.text.trim() === draft.body.content.trim();
  }
}
