import {
  ApiError,
  LOCAL_API,
  type ApiMethod,
  type ApiParams,
  type ApiResult,
  type LocalApi,
  type StreamEvent,
} from '../../contract/local-api';
import type { Disposable } from '../../contract/disposable';
import type { Collector } from '../collector';
import { adminMethods, type AdminDeps } from './admin-methods';
import { agentMethods } from './agent-methods';
import { eventMethods } from './event-methods';
import { memoryMethods } from './memory-methods';
import { modelMethods } from './model-methods';
import type { MethodTable } from './method-table';
import { recallMethods } from './recall-methods';

/** The local API answered by the collector of this process: every call is validated, then dispatched by name. */
export class CollectorApi implements LocalApi {
  private readonly methods: MethodTable;

  constructor(
    private readonly collector: Collector,
    deps: AdminDeps,
  ) {
    this.methods = {
      ...eventMethods(collector),
      ...memoryMethods(collector),
      ...recallMethods(collector),
      ...agentMethods(collector),
      ...modelMethods(collector),
      ...adminMethods(collector, deps),
    };
  }

  /** @throws ApiError with a message that may be shown. */
  async call<M extends ApiMethod>(method: M, params: ApiParams<M>): Promise<ApiResult<M>> {
    if (!Object.hasOwn(LOCAL_API, method)) throw new ApiError('not_found', 'There is no such method.');
    const parsed = LOCAL_API[method].params.safeParse(params);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new ApiError(
        'bad_request',
        `${issue?.path.join('.') || 'parameters'}: ${issue?.message ?? 'invalid'}`,
      );
    }
    const handler = this.methods[method] as (value: unknown) => Promise<ApiResult<M>> | ApiResult<M>;
    return handler(parsed.data);
  }

  subscribe(listener: (event: StreamEvent) => void): Disposable {
    return this.collector.board.subscribe(listener);
  }
}
