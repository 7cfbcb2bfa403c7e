import type { PublicEndpoint } from './common/endpoint.ts';

/** Every endpoint without authentication. */
export const publicEndpoints = {
  getApiDescription: {
    operationId: 'get-api-description',
    tag: 'description',
    method: 'GET',
    path: '/v1/openapi.json',
    successStatus: 200,
  },
} as const satisfies Record<string, PublicEndpoint>;

/** The same endpoints as a list. */
export const publicEndpointList: readonly PublicEndpoint[] = Object.values(publicEndpoints);
