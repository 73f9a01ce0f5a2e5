import type { ApiMethod, ApiParsedParams, ApiResult } from '../../contract/local-api';

/** One handler a method; the groups below each fill a part, the compiler sees that none is missing. */
export type MethodTable = {
  [M in ApiMethod]: (params: ApiParsedParams<M>) => Promise<ApiResult<M>> | ApiResult<M>;
};

export type Methods<M extends ApiMethod> = Pick<MethodTable, M>;
