import type { LocalApi, StreamEvent } from '../contract/local-api';
import type { HostMessage, WorkerMessage } from '../contract/worker-messages';

interface WindowModelDeps {
  /** Whether the user lets kiro-learn use a model of this window. */
  allowed(): boolean;
  /** The local API of whoever leads right now. */
  api(): LocalApi | undefined;
  post(message: WorkerMessage): void;
}

/**
 * Lends the model of one window: takes requests that the leader announces, hands them to the extension host and
 * brings the answers back, whether this window leads or follows.
 */
export class WindowModel {
  constructor(private readonly deps: WindowModelDeps) {}

  /** True where the event was meant for this, and is nothing to be shown. */
  hears(event: StreamEvent): boolean {
    if (event.stream !== 'model_request') return false;
    if (this.deps.allowed()) void this.take(event.request_id).catch(() => undefined);
    return true;
  }

  reply({ id, text, error }: Extract<HostMessage, { to: 'model_reply' }>): void {
    const answer =
      text === undefined ? { error: (error ?? '').slice(0, 2000) } : { text: text.slice(0, 2_000_000) };
    void this.deps
      .api()
      ?.call('answerModelRequest', { request_id: id, ...answer })
      .catch(() => undefined);
  }

  private async take(requestId: number): Promise<void> {
    const { request } = (await this.deps.api()?.call('takeModelRequest', { request_id: requestId })) ?? {};
    if (!request) return;
    const { system, prompt, max_tokens: maxTokens } = request;
    this.deps.post({ from: 'model_request', id: requestId, system, prompt, maxTokens });
  }
}
