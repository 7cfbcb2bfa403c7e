import * as z from 'zod/mini';
import { pageOf, Timestamp, UtcTimestamp, Uuid } from '../common/fields.ts';
import { isLater } from '../common/query-rules.ts';

/**
 * A participant's minute is bad if the mean packet loss is this or more, in at least one direction. It is in the unit of the samples:
 * 5 % if the platform sends percent.
 */
export const badPacketLoss = 5;

/** How many minutes one page has at most: a day. */
export const mostMinutes = 1440;

const count = z.int().check(z.nonnegative());
const figure = z.nullable(z.number());

/** The packet loss of a session in one minute, over the means of its participants. */
export const MinuteLoss = z.object({ median: figure, p95: figure, max: figure });

/** The bit rate of a session in one minute, over the means of its participants. */
export const MinuteBitrate = z.object({ median: figure, p5: figure });

/** The network of a session in one minute, over the means of its participants. A figure without samples is `null`. */
export const SessionMinute = z.object({
  minute: UtcTimestamp,
  participants: count,
  samples: count,
  packetLossSend: MinuteLoss,
  packetLossRecv: MinuteLoss,
  bitrateSend: MinuteBitrate,
  bitrateRecv: MinuteBitrate,
  badParticipants: count,
});
export type SessionMinute = z.infer<typeof SessionMinute>;

/** Query of the network of a session. It returns minutes that begin from `from` on and before `to`. */
export const GetSessionNetwork = z
  .strictObject({
    roomSessionId: Uuid,
    from: z.optional(Timestamp),
    to: z.optional(Timestamp),
    cursor: z.optional(z.string()),
  })
  .check(isLater(['to'], ['from']));
export type GetSessionNetwork = z.infer<typeof GetSessionNetwork>;

/** One page of the minutes of a session, in the order of time. */
export const SessionMinutePage = pageOf(SessionMinute);
export type SessionMinutePage = z.infer<typeof SessionMinutePage>;
