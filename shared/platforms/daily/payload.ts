import * as z from 'zod/mini';
import { MaybeText, maybe, perhaps, RequiredText } from '../payload-fields.ts';

const lastSecond = Date.parse('9998-12-31T23:59:59.999Z') / 1000;
const aboutTime = z
  .number()
  .check(z.minimum(0, 'must not be negative'), z.maximum(lastSecond, 'must be before the year 9999'));

/** Seconds since 1970 with a fraction. Rounded to milliseconds, so that the same number always gives the same time. */
const Seconds = z.pipe(
  aboutTime,
  z.transform((seconds) => instantOf(seconds)),
);

/** The instant of seconds since 1970. */
export function instantOf(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString();
}

/** Seconds, at most a year. */
const Duration = z
  .number()
  .check(z.nonnegative('must not be negative'), z.maximum(31_622_400, 'must be at most a year'));

/** What every webhook of Daily has. */
export const Envelope = z.object({ type: z.string(), payload: z.unknown() });

/** A meeting that starts or ends. Its end names its start, too. */
export const MeetingPayload = z.object({
  meeting_id: RequiredText,
  room: RequiredText,
  start_ts: Seconds,
  end_ts: maybe(Seconds),
});

/** A connection of a participant. `user_id` is the `session_id` if the participant has no token with an id. */
export const ParticipantPayload = z.object({
  ...{
    room: RequiredText,
    session_id: RequiredText,
    user_id: MaybeText,
    user_name: MaybeText,
    owner: perhaps(z.boolean()),
  },
  joined_at: aboutTime,
  /** A leave has it. */
  duration: maybe(Duration),
});
export type ParticipantPayload = z.infer<typeof ParticipantPayload>;

const Track = z.object({ s3Key: RequiredText });
/** A recording that is complete. Without a bucket of the customer, it has no key. */
export const RecordingPayload = z.object({
  ...{ type: MaybeText, recording_id: RequiredText, room_name: RequiredText, start_ts: aboutTime, s3_key: MaybeText },
  duration: Duration,
  tracks: maybe(z.array(perhaps(Track))),
});
export type RecordingPayload = z.infer<typeof RecordingPayload>;
