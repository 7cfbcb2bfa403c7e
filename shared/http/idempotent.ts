import type { Endpoint } from '../contracts/endpoint.ts';
import type { IdempotencyHeaders, KeyedCall } from '../contracts/idempotency.ts';
import type { LogFacts } from '../logger.ts';
import type { EndpointResponse } from './endpoint.ts';
import type { EndpointRequest } from './request.ts';

/** Runs work once for a key. `idempotentCalls` in shared/storage implements it. */
export type RunOnce = <Result>(call: KeyedCall, work: () => Promise<Result>) => Promise<Result>;

type KeyedEndpoint = Endpoint & { readonly headers: typeof IdempotencyHeaders };

/** Wraps a handler. A repeated request with the same `Idempotency-Key` gets the response of the first request. */
export function idempotent<Definition extends KeyedEndpoint>(
  { operationId }: Definition,
  runOnce: RunOnce,
  handle: (request: EndpointRequest<Definition>) => Promise<EndpointResponse<Definition>>,
) {
  return async (request: EndpointRequest<Definition>): Promise<EndpointResponse<Definition>> => {
    const { organizationId, body, context } = request;
    const { 'idempotency-key': key } = request.headers as { readonly 'idempotency-key'?: string };
    if (key === undefined) return handle(request);
    let facts: LogFacts = { isReplayed: true };
    const answer = await runOnce({ organizationId, operationId, key, body, context }, async () => {
      const { facts: ofThisCall = {}, ...kept } = await handle(request);
      facts = ofThisCall;
      return kept;
    });
    return { ...answer, facts } as EndpointResponse<Definition>;
  };
}
