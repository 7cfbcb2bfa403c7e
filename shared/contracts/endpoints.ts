import type { Endpoint } from './common/endpoint.ts';
import { insightEndpoints } from './insights/insight-endpoints.ts';
import { eventEndpoints } from './platforms/event-endpoints.ts';
import { transcriptionEndpoints } from './transcriptions/transcription-endpoints.ts';
import { webhookEndpoints } from './webhooks/webhook-endpoints.ts';

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
