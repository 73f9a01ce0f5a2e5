import { LOCAL_API, type ApiParams, type ApiResult, type StreamEvent } from '../src/contract/local-api';
import {
  PAGE_ACTIONS,
  toPageSchema,
  type ActionParams,
  type ActionResult,
  type FromPage,
  type PageAction,
  type PageInit,
  type PageMethod,
  type PanelTarget,
} from '../src/contract/webview-messages';

/** What VS Code gives a page. */
export interface VsCodeApi {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** A refused or failed request, in words that may be shown. */
export class RequestError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'RequestError';
  }
}

type Saved = NonNullable<Extract<FromPage, { type: 'state' }>['state']>;

/** The page's end of the wire: typed requests that are always answered, checked on arrival. */
export class HostPort {
  private readonly pending = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >();
  private readonly streamListeners = new Set<(event: StreamEvent) => void>();
  private readonly initListeners = new Set<(init: PageInit) => void>();
  private readonly showListeners = new Set<(target: PanelTarget) => void>();
  private nextId = 1;

  constructor(
    private readonly vscode: VsCodeApi,
    target: Window,
  ) {
    target.addEventListener('message', (event: MessageEvent<unknown>) => this.receive(event.data));
  }

  /** Tells the host that the page can hear it; the host answers with `init`. */
  ready(): void {
    this.vscode.postMessage({ type: 'ready' });
  }

  async call<M extends PageMethod>(method: M, params: ApiParams<M>): Promise<ApiResult<M>> {
    const result = await this.request((id) => ({ type: 'call', id, method, params }));
    return this.read(method, LOCAL_API[method].result.safeParse(result)) as ApiResult<M>;
  }

  async act<A extends PageAction>(action: A, params: ActionParams<A>): Promise<ActionResult<A>> {
    const result = await this.request((id) => ({ type: 'action', id, action, params }));
    return this.read(action, PAGE_ACTIONS[action].result.safeParse(result)) as ActionResult<A>;
  }

  onStream(listener: (event: StreamEvent) => void): () => void {
    this.streamListeners.add(listener);
    return () => void this.streamListeners.delete(listener);
  }

  onInit(listener: (init: PageInit) => void): () => void {
    this.initListeners.add(listener);
    return () => void this.initListeners.delete(listener);
  }

  onShow(listener: (target: PanelTarget) => void): () => void {
    this.showListeners.add(listener);
    return () => void this.showListeners.delete(listener);
  }

  savedState(): unknown {
    return this.vscode.getState();
  }

  /** Kept by VS Code while this page lives, and by the host for the next one. */
  saveState(state: Saved): void {
    this.vscode.setState(state);
    this.vscode.postMessage({ type: 'state', state });
  }

  /** Something that should not be; goes to the log, without any content of events or memories. */
  trouble(message: string): void {
    this.vscode.postMessage({ type: 'trouble', message: message.slice(0, 500) });
  }

  private request(make: (id: number) => FromPage): Promise<unknown> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.vscode.postMessage(make(id));
    });
  }

  private read(name: string, parsed: { success: true; data: unknown } | { success: false }): unknown {
    if (parsed.success) return parsed.data;
    this.trouble(`the reply to ${name} has an unknown form`);
    throw new RequestError('internal', `The reply to ${name} could not be read.`);
  }

  private receive(raw: unknown): void {
    const parsed = toPageSchema.safeParse(raw);
    if (!parsed.success) {
      this.trouble('a message of unknown form came from the host');
      return;
    }
    const message = parsed.data;
    switch (message.type) {
      case 'init':
        for (const listener of [...this.initListeners]) listener(message.init);
        break;
      case 'stream':
        for (const listener of [...this.streamListeners]) listener(message.event);
        break;
      case 'show':
        for (const listener of [...this.showListeners]) listener(message.target);
        break;
      case 'reply': {
        const request = this.pending.get(message.id);
        this.pending.delete(message.id);
        if (message.error === undefined) request?.resolve(message.result);
        else request?.reject(new RequestError(message.error.code, message.error.message));
        break;
      }
    }
  }
}
