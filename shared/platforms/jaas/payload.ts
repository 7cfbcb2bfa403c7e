import * as z from 'zod/mini';
import { EpochMilliseconds, Flag, MaybeText, maybe, RequiredText } from '../payload-fields.ts';

/** What every webhook of JaaS has. */
export const Envelope = z.object({
  idempotencyKey: MaybeText,
  sessionId: RequiredText,
  /** When it happened. */
  timestamp: EpochMilliseconds,
  /** `<AppID>/<room>`. */
  fqn: RequiredText,
});
export type Envelope = z.infer<typeof Envelope>;

/** Where an event happened: in the meeting, or in one of its breakout rooms. */
export const PlaceData = z.prefault(z.object({ isBreakout: Flag, breakoutRoomId: MaybeText }), {});

/** Somebody who came or went. `id` is the user's id in the token; those who call have a `nick` and no id. */
export const ParticipantData = z
  .object({
    ...{ id: MaybeText, participantJid: MaybeText, participantId: MaybeText, name: MaybeText, nick: MaybeText },
    ...{ moderator: Flag, isBreakout: Flag, breakoutRoomId: MaybeText },
  })
  .check(
    z.refine(
      ({ id, participantJid, participantId }) => (id ?? participantJid ?? participantId) !== undefined,
      'must have id, participantJid or participantId',
    ),
  );
export type ParticipantData = z.infer<typeof ParticipantData>;

/** A rating from 1 to 5, or -1 if somebody only commented. */
export const FeedbackData = z.object({ rating: maybe(z.number()), comments: MaybeText, userId: MaybeText });

/** The devices of those who have joined since the last webhook of this type. */
export const UsageData = z.array(z.unknown());
/** A device of a user. */
export const Usage = z.object({ deviceId: MaybeText, userId: MaybeText });

/** By JID: for how many milliseconds somebody spoke. The entries are read one by one, so no log names the JID of one that is wrong. */
export const SpeakerData = z.record(z.string(), z.unknown());
/** For how long somebody spoke. */
export const Speaker = z.object({ time: maybe(z.number()), id: MaybeText });
