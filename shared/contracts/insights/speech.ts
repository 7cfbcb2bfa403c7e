import * as z from 'zod/mini';
import { Identifier, Timestamp, Uuid } from '../common/fields.ts';
import { event } from './event.ts';

/** What one event may carry. It has as much time as an event of samples, so that one invocation can store it. */
export const speechLimits = { intervals: 1_000, spanMs: 24 * 3_600_000 } as const;

const countMessage = `must have 1 to ${speechLimits.intervals} elements`;

const SpokenInterval = z
  .object({ from: Timestamp, to: Timestamp })
  .check(z.refine(({ from, to }) => to >= from, { error: 'must not be before from', path: ['to'] }));
/** One time for which a participant spoke. */
export type SpokenInterval = z.infer<typeof SpokenInterval>;

/** When one participant spoke, as the platform detected it. The platform sends it to the network-samples queue, for example once a minute. */
export const ClientSpoke = event(
  'room.client.spoke',
  z
    .object({
      roomSessionId: Uuid,
      participantId: Identifier,
      intervals: z
        .array(SpokenInterval)
        .check(z.minLength(1, countMessage), z.maxLength(speechLimits.intervals, countMessage)),
    })
    .check(
      z.refine(({ intervals }) => intervals.length === 0 || spanOf(intervals) <= speechLimits.spanMs, {
        error: 'must not span more than 24 hours',
        path: ['intervals'],
      }),
    ),
);
export type ClientSpoke = z.infer<typeof ClientSpoke>;

/** The milliseconds from the first start to the last end. */
function spanOf(intervals: readonly SpokenInterval[]): number {
  const starts = intervals.map(({ from }) => Date.parse(from));
  const ends = intervals.map(({ to }) => Date.parse(to));
  return Math.max(...ends) - Math.min(...starts);
}
