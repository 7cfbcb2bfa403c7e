import type { Endpoint } from '../common/endpoint.ts';
import { ListRefusedEvents, RefusedEventPage } from './refused-events.ts';

/** The endpoints about the events that the platform sends. */
export const eventEndpoints = {
  listRefusedEvents: {
    operationId: 'list-refused-events',
    tag: 'events',
    method: 'GET',
    path: '/v1/events/refused',
    right: 'read',
    points: 1,
    query: ListRefusedEvents,
    successStatus: 200,
    response: RefusedEventPage,
    narrowedBy: ['limit'],
  },
} as const satisfies Record<string, Endpoint>;
