import type { Endpoint } from '../contracts/endpoint.ts';
import type { IdempotencyHeaders } from '../contracts/idempotency.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { EndpointResponse } from './endpoint.ts';
import type { EndpointRequest } from './request.ts';

/** Runs work once for a key; see `idempotentCalls` of the storage. */
export type RunOnce = <Result>(
  call: {
    readonly organizationId: OrganizationId;
    readonly operationId: string;
    readonly key: string;
    readonly body: unknown;
    readonly context: EndpointRequest<Endpoint>['context'];
  },
  work: () => Promise<Result>,
) => Promise<Result>;

type KeyedEndpoint = Endpoint & { readonly headers: typeof IdempotencyHeaders };

/** A handler that answers every repetition of a request with an `Idempotency-Key` as it answered the first. */
export function idempotent<Definition extends KeyedEndpoint>(
  { operationId }: Definition,
  runOnce: RunOnce,
  handle: (request: EndpointRequest<Definition>) => Promise<EndpointResponse<Definition>>,
) {
  return async (request: EndpointRequest<Definition>): Promise<EndpointResponse<Definition>> => {
    const { organizationId, body, context } = request;
    const { 'idempotency-key': key } = request.headers as { readonly 'idempotency-key'?: string };
    if (key === undefined) return handle(request);
    return runOnce({ organizationId, operationId, key, body, context }, () => handle(request));
  };
}
