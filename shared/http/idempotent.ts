import type { Endpoint } from '../contracts/common/endpoint.ts';
import type { IdempotencyHeaders, KeyedCall } from '../contracts/organization/idempotency.ts';
import type { LogFacts } from '../runtime/logger.ts';
import type { EndpointResponse } from './endpoint.ts';
import type { EndpointRequest } from './request.ts';

/** Runs work once for a key. `idempotentCalls` in shared/storage implements it. */
export type RunOnce = <Result>(call: KeyedCall, work: () => Promise<Result>) => Promise<Result>;

type KeyedEndpoint = Endpoint & { readonly headers: typeof IdempotencyHeaders };

/** What is kept of a response for repetitions of its request. The facts are only for the log. */
type Kept = { readonly facts?: LogFacts };

/** Wraps a handler. A repeated request with the same `Idempotency-Key` gets the response of the first request. */
export function idempotent<Definition extends KeyedEndpoint>(
  definition: Definition,
  runOnce: RunOnce,
  handle: (request: EndpointRequest<Definition>) => Promise<EndpointResponse<Definition>>,
) {
  return completedIdempotent(definition, runOnce, handle, async (response) => response);
}

/**
 * Wraps a handler whose response has a part that must not be stored, such as a secret. What `handle` returns is kept for repetitions.
 * `complete` adds that part to it, for the first request and for each repetition.
 */
export function completedIdempotent<Definition extends KeyedEndpoint, Result extends Kept>(
  { operationId, params: hasPath }: Definition,
  runOnce: RunOnce,
  handle: (request: EndpointRequest<Definition>) => Promise<Result>,
  complete: (kept: Result, request: EndpointRequest<Definition>) => Promise<EndpointResponse<Definition>>,
) {
  return async (request: EndpointRequest<Definition>): Promise<EndpointResponse<Definition>> => {
    const { organizationId, body: given, params, context } = request;
    const { 'idempotency-key': key } = request.headers as { readonly 'idempotency-key'?: string };
    if (key === undefined) return complete(await handle(request), request);
    let facts: LogFacts = { isReplayed: true };
    const body = hasPath ? { params, body: given } : given; // the same body for another resource is another request
    const kept = await runOnce({ organizationId, operationId, key, body, context }, async () => {
      const { facts: ofThisCall = {}, ...rest } = await handle(request);
      facts = ofThisCall;
      return rest;
    });
    return { ...(await complete(kept as Result, request)), facts };
  };
}
