import { z } from 'zod';
import type { Disposable } from '../../contract/disposable';
import { ApiError, LOCAL_API, type LocalApi } from '../../contract/local-api';
import {
  fromPageSchema,
  PAGE_ACTIONS,
  type ActionParsedParams,
  type ActionResult,
  type FromPage,
  type PageAction,
  type PageInit,
  type PageMethod,
  type PanelTarget,
  type ToPage,
} from '../../contract/webview-messages';
import type { Log } from '../../platform/log';

/** What the host does for a page beside the local API. */
export type ActionHandlers = {
  [A in PageAction]: (params: ActionParsedParams<A>) => Promise<ActionResult<A>>;
};

export interface PageSessionOptions {
  post: (message: ToPage) => void;
  api: LocalApi;
  actions: ActionHandlers;
  /** Gathers what a page needs to draw itself; asked at every `ready`, so a page made anew gets the truth. */
  init: () => Promise<PageInit>;
  /** Asked before anything is erased; false keeps everything. */
  confirmErase: (records: number) => Promise<boolean>;
  saveState: (state: unknown) => void;
  log: Log;
}

const maxEarly = 200;

/**
 * The host's end of one page: waits for its `ready`, answers its typed calls, forwards the stream. A message
 * of unknown form is logged and passed over; a call always gets a reply.
 */
export class PageSession implements Disposable {
  private readonly subscription: { dispose(): void };
  private ready = false;
  private starting = false;
  private disposed = false;
  private readonly early: ToPage[] = [];

  constructor(private readonly options: PageSessionOptions) {
    this.subscription = options.api.subscribe((event) => this.send({ type: 'stream', event }));
  }

  /** Brings a record, event, injection or search into view; waits for the page if need be. */
  show(target: PanelTarget): void {
    this.send({ type: 'show', target });
  }

  /** Tells the page anew what it is part of, after folders, trust or set-up changed. */
  async refresh(): Promise<void> {
    if (!this.ready || this.disposed) return;
    const { state: _kept, target: _shown, ...init } = await this.options.init();
    if (!this.disposed) this.options.post({ type: 'init', init });
  }

  /** Takes one message of the page. */
  async receive(raw: unknown): Promise<void> {
    const parsed = fromPageSchema.safeParse(raw);
    if (!parsed.success) {
      this.options.log.warn('panel', 'a message of unknown form came from the page');
      return;
    }
    await this.handle(parsed.data);
  }

  dispose(): void {
    this.disposed = true;
    this.early.length = 0;
    this.subscription.dispose();
  }

  private async handle(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        await this.begin();
        break;
      case 'call':
        await this.reply(message.id, () => this.callApi(message.method, message.params));
        break;
      case 'action':
        await this.reply(message.id, () => this.act(message.action, message.params));
        break;
      case 'state':
        this.options.saveState(message.state);
        break;
      case 'trouble':
        this.options.log.warn('panel', `the page reports: ${message.message}`);
        break;
    }
  }

  private async begin(): Promise<void> {
    if (this.starting) return;
    this.starting = true;
    this.ready = false;
    try {
      const init = await this.options.init();
      if (this.disposed) return;
      this.options.post({ type: 'init', init });
      this.ready = true;
      for (const message of this.early.splice(0)) this.options.post(message);
    } finally {
      this.starting = false;
    }
  }

  private async callApi(method: PageMethod, raw: unknown): Promise<unknown> {
    const params = LOCAL_API[method].params.parse(raw);
    if (method === 'eraseMemories') {
      const { record_ids: ids } = LOCAL_API.eraseMemories.params.parse(raw);
      if (!(await this.options.confirmErase(ids.length))) return { erased: 0, events_erased: 0 };
    }
    return this.options.api.call(method, params as never);
  }

  private act<A extends PageAction>(action: A, raw: unknown): Promise<ActionResult<A>> {
    const params = PAGE_ACTIONS[action].params.parse(raw) as ActionParsedParams<A>;
    return this.options.actions[action](params);
  }

  private async reply(id: number, work: () => Promise<unknown>): Promise<void> {
    let message: ToPage;
    try {
      message = { type: 'reply', id, result: await work() };
    } catch (error) {
      message = { type: 'reply', id, error: describe(error) };
    }
    if (!this.disposed) this.options.post(message);
  }

  private send(message: ToPage): void {
    if (this.disposed) return;
    if (this.ready) this.options.post(message);
    else if (message.type === 'show' && this.early.length < maxEarly) this.early.push(message);
  }
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  if (error instanceof z.ZodError)
    return { code: 'bad_request', message: 'The request has an unknown form.' };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}
