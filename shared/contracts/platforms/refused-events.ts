import * as z from 'zod/mini';
import { ErrorIssue } from '../common/errors.ts';
import { pageOf, queryInteger, UtcTimestamp, Uuid } from '../common/fields.ts';

/** Of an organization's events that are refused in an hour, this many are listed at most. */
export const refusedEventsPerHour = 100;

/** An event that the service refused, and why. An id that could not be read from the event is `null`. */
export const RefusedEvent = z.object({
  eventId: z.nullable(z.string()),
  type: z.nullable(z.string()),
  roomSessionId: z.nullable(Uuid),
  recordingId: z.nullable(Uuid),
  receivedAt: UtcTimestamp,
  reasons: z.array(ErrorIssue),
  limitReached: z.boolean(),
});
export type RefusedEvent = z.infer<typeof RefusedEvent>;

/** Query of the list of refused events. */
export const ListRefusedEvents = z.strictObject({
  cursor: z.optional(z.string()),
  limit: z._default(queryInteger(1, 100), 50),
});
export type ListRefusedEvents = z.infer<typeof ListRefusedEvents>;

/** One page of refused events. `cursor` is null on the last page. */
export const RefusedEventPage = pageOf(RefusedEvent);
export type RefusedEventPage = z.infer<typeof RefusedEventPage>;
