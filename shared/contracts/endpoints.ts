import type { Endpoint } from './endpoint.ts';
import { eventEndpoints } from './event-endpoints.ts';
import { insightEndpoints } from './insight-endpoints.ts';
import { transcriptionEndpoints } from './transcription-endpoints.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

/**
 * Every endpoint that takes an access token. Routes, validation and the description of the API are derived from it. A
 * function imports the module of its own tag instead, so that its bundle contains no other schemas.
 */
export const endpoints = {
  ...transcriptionEndpoints,
  ...insightEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
} as const satisfies Record<string, Endpoint>;

/** Operation id of an endpoint that takes an access token. */
export type OperationId = (typeof endpoints)[keyof typeof endpoints]['operationId'];

/** The same endpoints as a list. */
export const endpointList: readonly (Endpoint & { readonly operationId: OperationId })[] = Object.values(endpoints);
