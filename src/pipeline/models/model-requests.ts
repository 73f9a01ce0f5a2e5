import type { ModelRequest } from '../../memory/models/provider';
import { ModelFailedError, ModelUnavailableError } from '../../memory/models/provider';
import type { WindowModels } from '../../memory/models/window-provider';

interface Waiting {
  request: ModelRequest;
  taken: boolean;
  settle(result: { text: string } | { error: Error }): void;
}

const TAKE_MS = 10_000;

/**
 * Questions to the model of a window. Every window hears that one waits; those whose user allows it ask for it, and
 * the first one gets it. What it holds leaves this process for that window alone.
 */
export class ModelRequests implements WindowModels {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  constructor(
    private readonly announce: (requestId: number) => void,
    private readonly takeMs: number = TAKE_MS,
  ) {}

  ask(request: ModelRequest, signal: AbortSignal): Promise<string> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      const settle: Waiting['settle'] = (result) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', late);
        this.waiting.delete(id);
        if ('text' in result) resolve(result.text);
        else reject(result.error);
      };
      const late = () => settle({ error: new ModelFailedError('The model did not answer in time.') });
      const timer = setTimeout(() => {
        if (this.waiting.get(id)?.taken) return;
        const message = 'No open window offers a model.';
        settle({ error: new ModelUnavailableError('no_window', message) });
      }, this.takeMs);
      signal.addEventListener('abort', late, { once: true });
      this.waiting.set(id, { request, taken: false, settle });
      this.announce(id);
    });
  }

  /** The request, for the first one that asks for it. */
  take(requestId: number): ModelRequest | undefined {
    const found = this.waiting.get(requestId);
    if (!found || found.taken) return undefined;
    found.taken = true;
    return found.request;
  }

  answer(requestId: number, result: { text: string } | { error: string }): void {
    const found = this.waiting.get(requestId);
    if (!found?.taken) return;
    if ('text' in result) found.settle(result);
    else found.settle({ error: new ModelUnavailableError('refused', result.error.slice(0, 300)) });
  }
}
