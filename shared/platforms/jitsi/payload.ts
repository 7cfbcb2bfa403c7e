import * as z from 'zod/mini';
import { FileLocation } from '#shared/contracts/events.ts';
import { EpochSeconds, Flag, MaybeText, maybe, perhaps, RequiredText } from '../payload-fields.ts';

/** Somebody in a room. Names and `id` are there only if the user has a token. `id` is the same in every connection of the user. */
export const Occupant = z.object({
  occupant_jid: RequiredText,
  joined_at: EpochSeconds,
  left_at: maybe(EpochSeconds),
  ...{ id: MaybeText, name: MaybeText, affiliation: MaybeText, moderator: Flag },
  /** In milliseconds, of this connection alone. */
  total_dominant_speaker_time: perhaps(z.number()),
});
export type Occupant = z.infer<typeof Occupant>;

/** The room of an event. A breakout room has the name and the address of the room that it belongs to. */
const room = {
  room_name: RequiredText,
  room_jid: RequiredText,
  is_breakout: Flag,
  breakout_room_id: MaybeText,
  /** Only if a module of Prosody adds it to the payload of every event. */
  meeting_id: MaybeText,
};
export const RoomPayload = z.object(room);
export type RoomPayload = z.infer<typeof RoomPayload>;

export const RoomCreatedPayload = z.object({ ...room, created_at: EpochSeconds });
export type RoomCreatedPayload = z.infer<typeof RoomCreatedPayload>;

/** A list of occupants, who are read one by one. Lua writes an empty list as an empty object. */
const Occupants = z.pipe(
  z.optional(z.unknown()),
  z.transform((value): readonly unknown[] => {
    if (Array.isArray(value)) return value;
    const isEmpty = typeof value === 'object' && Object.keys(value ?? {}).length === 0;
    return value === undefined || isEmpty ? [] : [value];
  }),
);

/** The whole session: all occupants with their times. */
export const RoomDestroyedPayload = z.object({
  ...room,
  created_at: EpochSeconds,
  destroyed_at: EpochSeconds,
  all_occupants: Occupants,
});

/** `occupant` is missing if Prosody lost its data. Then the event says nothing. */
export const OccupantPayload = z.object({
  ...room,
  occupant: maybe(Occupant),
  active_occupants_count: perhaps(z.int().check(z.minimum(0))),
});

/** One connection's sound. `endpoint_id` names the connection. */
const RecordedTrack = z
  .object({ endpoint_id: RequiredText, key: FileLocation.shape.key, start: EpochSeconds, end: EpochSeconds })
  .check(z.refine(({ start, end }) => end >= start, { error: 'must not be before start', path: ['end'] }));
export type RecordedTrack = z.infer<typeof RecordedTrack>;

/**
 * What a script at the end of a recording sends: Jibri knows the name of the room, and the multitrack recorder the id of the meeting. With
 * `tracks`, these are the files, and `key` only names the recording.
 */
export const RecordingPayload = z
  .object({
    ...{ room_name: MaybeText, meeting_id: MaybeText },
    ...{ start: EpochSeconds, end: EpochSeconds },
    ...FileLocation.shape,
    tracks: maybe(z.array(RecordedTrack)),
  })
  .check(
    z.refine(
      ({ room_name, meeting_id }) => (room_name ?? meeting_id) !== undefined,
      'must have room_name or meeting_id',
    ),
    z.refine(({ start, end }) => end >= start, { error: 'must not be before start', path: ['end'] }),
  );
export type RecordingPayload = z.infer<typeof RecordingPayload>;
