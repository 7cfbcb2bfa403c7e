import type { SelfAuthenticatedEndpoint } from './endpoint.ts';

/** Every endpoint whose function authenticates requests. There is none yet. */
export const selfAuthenticatedEndpoints = {} as const satisfies Record<string, SelfAuthenticatedEndpoint>;

type Name = keyof typeof selfAuthenticatedEndpoints;

/** Operation id of a self-authenticated endpoint. */
export type SelfAuthenticatedOperationId = (typeof selfAuthenticatedEndpoints)[Name]['operationId'];

/** The same endpoints as a list. */
export const selfAuthenticatedEndpointList: readonly (SelfAuthenticatedEndpoint & {
  readonly operationId: SelfAuthenticatedOperationId;
})[] = Object.values(selfAuthenticatedEndpoints);
