import type { Endpoint } from './endpoint.ts';
import { insightEndpoints } from './insight-endpoints.ts';
import { transcriptionEndpoints } from './transcription-endpoints.ts';

/**
 * Every endpoint that takes a token. Routes, validation, policies and the API's description are made from this. A function
 * takes its own from the module of its kind: what it does not serve stays out of its bundle.
 */
export const endpoints = { ...transcriptionEndpoints, ...insightEndpoints } as const satisfies Record<string, Endpoint>;

/** The endpoints as a list, for what is made for each of them. */
export const endpointList: readonly Endpoint[] = Object.values(endpoints);
