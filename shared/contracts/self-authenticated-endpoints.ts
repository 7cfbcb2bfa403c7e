import type { SelfAuthenticatedEndpoint } from './common/endpoint.ts';
import { HookPath } from './platforms/connection.ts';
import { LinkPath } from './transcriptions/transcription-operations.ts';

/** Every endpoint whose function authenticates requests. */
export const selfAuthenticatedEndpoints = {
  followAccessLink: {
    operationId: 'follow-access-link',
    tag: 'transcriptions',
    method: 'GET',
    answersHead: true,
    path: '/v1/links/{token}',
    requestsPerMinutePerKey: 120,
    params: LinkPath,
    successStatus: 302,
  },
  receiveHook: {
    operationId: 'receive-hook',
    tag: 'events',
    method: 'POST',
    path: '/v1/hooks/{connectionId}/{proxy+}',
    requestsPerMinutePerKey: 6000,
    params: HookPath,
    takesAnyQuery: true,
    successStatus: 200,
  },
} as const satisfies Record<string, SelfAuthenticatedEndpoint>;

type Name = keyof typeof selfAuthenticatedEndpoints;

/** Operation id of a self-authenticated endpoint. */
export type SelfAuthenticatedOperationId = (typeof selfAuthenticatedEndpoints)[Name]['operationId'];

/** The same endpoints as a list. */
export const selfAuthenticatedEndpointList: readonly (SelfAuthenticatedEndpoint & {
  readonly operationId: SelfAuthenticatedOperationId;
})[] = Object.values(selfAuthenticatedEndpoints);
