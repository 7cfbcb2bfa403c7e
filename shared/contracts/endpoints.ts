import type { Endpoint } from './endpoint.ts';
import { insightEndpoints } from './insight-endpoints.ts';
import { transcriptionEndpoints } from './transcription-endpoints.ts';

/**
 * Every endpoint that takes a token. Routes, validation, policies and the API's description are made from this. A function
 * takes its own from the module of its kind: what it does not serve stays out of its bundle.
 */
export const endpoints = { ...transcriptionEndpoints, ...insightEndpoints } as const satisfies Record<string, Endpoint>;

/** Operation id of an endpoint that takes a token. */
export type OperationId = (typeof endpoints)[keyof typeof endpoints]['operationId'];

/** The same endpoints as a list. */
export const endpointList: readonly (Endpoint & { readonly operationId: OperationId })[] = Object.values(endpoints);
