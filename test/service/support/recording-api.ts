import type { ApiMethod, ApiParams, ApiResult, LocalApi, StreamEvent } from '../../../src/contract/local-api';

/** Stands in for the collector at the edge of the service room: remembers calls, answers what it was told. */
export class RecordingApi implements LocalApi {
  readonly calls: [ApiMethod, unknown][] = [];
  private readonly answers = new Map<ApiMethod, unknown>();
  private readonly failures = new Map<ApiMethod, Error>();
  private readonly listeners = new Set<(event: StreamEvent) => void>();
  private onEmpty: (() => void) | undefined;

  answer<M extends ApiMethod>(method: M, result: ApiResult<M>): void {
    this.answers.set(method, result);
  }

  fail(method: ApiMethod, error: Error): void {
    this.failures.set(method, error);
  }

  call<M extends ApiMethod>(method: M, params: ApiParams<M>): Promise<ApiResult<M>> {
    this.calls.push([method, params]);
    const failure = this.failures.get(method);
    if (failure) return Promise.reject(failure);
    return Promise.resolve((this.answers.get(method) ?? {}) as ApiResult<M>);
  }

  subscribe(listener: (event: StreamEvent) => void): { dispose(): void } {
    this.listeners.add(listener);
    return {
      dispose: () => {
        this.listeners.delete(listener);
        if (this.listeners.size === 0) this.onEmpty?.();
      },
    };
  }

  emit(event: StreamEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  /** Resolves when nobody is subscribed. */
  unsubscribed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.listeners.size === 0) resolve();
      else this.onEmpty = resolve;
    });
  }
}
