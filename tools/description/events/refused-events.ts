import type { eventEndpoints } from '#shared/contracts/platforms/event-endpoints.ts';
import { RefusedEvent, RefusedEventPage, refusedEventsPerHour } from '#shared/contracts/platforms/refused-events.ts';
import { described, type OperationsTexts } from '../texts.ts';
import { eventTexts } from './event-texts.ts';

const { id, type, data } = eventTexts['room.client.rated'].example;

const refused: RefusedEvent = {
  eventId: id,
  type,
  roomSessionId: data.roomSessionId,
  recordingId: null,
  receivedAt: '2026-03-02T09:31:02.114Z',
  reasons: [{ path: 'data.rating', message: 'must be from 1 to 5' }],
  limitReached: false,
};

/** The response schemas of the endpoints about events. */
export const eventResponses = {
  RefusedEvent: described(RefusedEvent, {
    description: 'An event that the service refused. It changed nothing, and the list has nothing else of its content.',
    fields: {
      eventId: 'Identifier of the event; `null` if it could not be read.',
      type: 'Type of the event; `null` if it could not be read.',
      roomSessionId: 'Identifier of the room session; `null` if the event has none, or it could not be read.',
      recordingId: 'Identifier of the recording; `null` if the event has none, or it could not be read.',
      receivedAt: 'When the queue received the event.',
      reasons: 'The problems of the event: the path of each, and what the value must be. At most ten.',
      limitReached: `Whether the organization's ${refusedEventsPerHour} places of an hour were in use when this event was listed. Others may then be missing.`,
    },
    example: refused,
  }),
  RefusedEventPage: described(RefusedEventPage, {
    description: 'One page of the refused events.',
    fields: {
      results: 'The elements of this page, the latest first.',
      cursor: 'Position of the next page: send it as `cursor`. `null` on the last page.',
    },
    example: { results: [refused], cursor: null },
  }),
};

/** The texts of the endpoints about events. */
export const eventOperations: OperationsTexts<typeof eventEndpoints> = {
  listRefusedEvents: {
    summary: 'List refused events',
    description:
      "The organization's events that the service refused, the latest first, for 14 days after they were received. An event " +
      'is listed if its `organizationId` can be read. Repair the event and send it again: nothing of a refused event is ' +
      `recorded. Of the events that are refused in an hour, at most ${refusedEventsPerHour} are listed, and \`limitReached\` says when these places were in use. A limit of the whole deployment can leave out more.`,
    errors: [],
    query: {
      cursor: { description: 'The `cursor` of the previous page.' },
      limit: { description: 'Maximum number of elements in a page.', example: 50 },
    },
    success: {
      description: 'One page.',
      examples: { lastPage: { summary: 'The only page', value: { results: [refused], cursor: null } } },
    },
  },
};
