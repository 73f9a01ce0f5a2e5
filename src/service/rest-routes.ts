import { performance } from 'node:perf_hooks';
import {
  ApiError,
  LOCAL_API,
  type ApiMethod,
  type ApiParams,
  type ApiResult,
  type LocalApi,
} from '../contract/local-api';

/** One request to a JSON route: what is needed of it, already read. */
export interface RestRequest {
  method: string;
  /** Path without the query. */
  path: string;
  query: URLSearchParams;
  body: unknown;
}

/** Where an HTTP method is not offered on a path that exists. */
export class MethodNotAllowedError extends Error {
  constructor(readonly allow: string) {
    super(`Allowed: ${allow}.`);
    this.name = 'MethodNotAllowedError';
  }
}

type Handler = (request: RestRequest) => Promise<unknown>;

/** The routes of the reference collector, answered by the local API. */
export function restRoutes(api: LocalApi, version: string): (request: RestRequest) => Promise<unknown> {
  const routes: Record<string, Record<string, Handler>> = {
    '/healthz': { GET: () => Promise.resolve({ status: 'ok', version }) },
    '/v1/events': {
      GET: ({ query }) => callApi(api, 'listEvents', fromQuery(query, eventQuery)),
      POST: (request) => postEvents(api, request),
    },
    '/v1/memories': { GET: ({ query }) => callApi(api, 'listMemories', fromQuery(query, memoryQuery)) },
    '/v1/memories/search': {
      GET: ({ query }) => callApi(api, 'search', fromQuery(query, searchQuery)),
      POST: ({ body }) => callApi(api, 'search', body),
    },
    '/v1/stats': { GET: ({ query }) => callApi(api, 'stats', fromQuery(query, { namespace: 'text' })) },
  };
  return async (request) => {
    if (request.path.startsWith('/v1/rpc/')) return callRpc(api, request);
    const route = Object.hasOwn(routes, request.path) ? routes[request.path] : undefined;
    if (!route) throw new ApiError('not_found', 'There is no such route.');
    const handler = Object.hasOwn(route, request.method) ? route[request.method] : undefined;
    if (!handler) throw new MethodNotAllowedError(Object.keys(route).join(', '));
    return handler(request);
  };
}

type QueryKind = 'text' | 'number' | 'list';
const eventQuery = {
  namespace: 'text',
  session_id: 'text',
  limit: 'number',
  before: 'text',
  text: 'text',
  kinds: 'list',
  types: 'list',
} as const;
const memoryQuery = {
  namespace: 'text',
  query: 'text',
  limit: 'number',
  offset: 'number',
  types: 'list',
  statuses: 'list',
} as const;
const searchQuery = { namespace: 'text', workspace: 'text', query: 'text', limit: 'number' } as const;

function fromQuery(query: URLSearchParams, kinds: Record<string, QueryKind>): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const value = query.get(name);
    if (value === null) continue;
    if (kind === 'number') params[name] = Number(value);
    else params[name] = kind === 'list' ? value.split(',') : value;
  }
  return params;
}

/** A single event answers for itself; an array answers with `results`, one an event. */
async function postEvents(api: LocalApi, { body, query }: RestRequest): Promise<unknown> {
  const retrieve = query.get('retrieve') === 'true';
  const started = performance.now();
  const many = Array.isArray(body);
  const answer = await callApi(api, 'capture', { events: many ? body : [body], retrieve });
  const retrieval = retrieve
    ? {
        retrieval: {
          context: answer.context ?? '',
          latency_ms: Math.round((performance.now() - started) * 10) / 10,
        },
      }
    : {};
  if (many) return { results: answer.results, ...retrieval };
  const [result] = answer.results;
  if (!result || result.error !== undefined) {
    throw new ApiError('bad_request', result?.error ?? 'The event was not taken.');
  }
  return { event_id: result.event_id, stored: result.stored, ...retrieval };
}

async function callRpc(api: LocalApi, request: RestRequest): Promise<unknown> {
  if (request.method !== 'POST') throw new MethodNotAllowedError('POST');
  const method = request.path.slice('/v1/rpc/'.length);
  if (!isApiMethod(method)) throw new ApiError('not_found', 'There is no such method.');
  return callApi(api, method, request.body);
}

function isApiMethod(name: string): name is ApiMethod {
  return Object.hasOwn(LOCAL_API, name);
}

/** @throws ApiError `bad_request` naming the fields, never their values */
async function callApi<M extends ApiMethod>(
  api: LocalApi,
  method: M,
  params: unknown,
): Promise<ApiResult<M>> {
  const parsed = LOCAL_API[method].params.safeParse(params);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.') || '(body)');
    throw new ApiError('bad_request', `Not valid: ${[...new Set(fields)].slice(0, 10).join(', ')}.`);
  }
  return api.call(method, parsed.data as ApiParams<M>);
}
