import * as z from 'zod/mini';
import { UtcTimestamp, Uuid } from '../common/fields.ts';

const count = z.int().check(z.nonnegative());
const minutes = z.number().check(z.nonnegative());
const averageRating = z.nullable(z.number());

const usage = {
  totalParticipantMinutes: minutes,
  totalRecorderMinutes: minutes,
  totalStreamerMinutes: minutes,
  totalUniqueParticipants: count,
  totalUniqueRecorders: count,
  totalUniqueStreamers: count,
};
const usageFields = Object.keys(usage) as (keyof typeof usage)[];

/** What a platform may not have told: the start or the end of a session, a leave, or a participant. */
export const missingKinds = ['start', 'end', 'leave', 'participant'] as const;
/** A kind of event that a platform did not send. */
export type Missing = (typeof missingKinds)[number];

/** Whether figures rest on the platform's word alone, and what it did not tell. `missing` is empty if the state is `observed`. */
export const Completeness = z.object({
  state: z.enum(['observed', 'inferred']),
  missing: z.array(z.enum(missingKinds)),
});
export type Completeness = z.infer<typeof Completeness>;

/** `asOf` is the time of the latest event, by the clock of the platform. */
const basis = { completeness: Completeness, asOf: UtcTimestamp };
const spokenSeconds = z.nullable(z.number().check(z.nonnegative()));

/**
 * What tells for how long a participant spoke. `platform`: its own count. `activity`: the times at which it heard the participant speak.
 * `transcript`: the turns of a transcription.
 */
export const spokenSources = ['platform', 'activity', 'transcript'] as const;
/** What tells for how long a participant spoke. */
export type SpokenSource = (typeof spokenSources)[number];
/** What tells for how long the participants of a session spoke. `mixed`: not the same for all of them. */
export const spokenSourcesOfSessions = [...spokenSources, 'mixed'] as const;
/** What tells for how long the participants of a session spoke. */
export type SpokenSourceOfSession = (typeof spokenSourcesOfSessions)[number];

/** A room over all its sessions. A value that is not known (yet) is `null`. */
export const RoomInsight = z.object({
  roomName: z.string(),
  createdAt: UtcTimestamp,
  endAt: z.nullable(UtcTimestamp),
  firstSessionStartedAt: z.nullable(UtcTimestamp),
  lastSessionStartedAt: z.nullable(UtcTimestamp),
  ...usage,
  totalSessions: count,
  rating: averageRating,
  totalRatings: count,
  ...basis,
});
export type RoomInsight = z.infer<typeof RoomInsight>;

/** One session of a room, with the room's own times. `endedAt` is null until the session ends. */
export const RoomSessionInsight = z.object({
  roomSessionId: Uuid,
  roomName: z.string(),
  createdAt: UtcTimestamp,
  endAt: z.nullable(UtcTimestamp),
  startedAt: UtcTimestamp,
  endedAt: z.nullable(UtcTimestamp),
  ...usage,
  rating: averageRating,
  totalRatings: count,
  spokenSeconds,
  spokenSource: z.nullable(z.enum(spokenSourcesOfSessions)),
  ...basis,
});
export type RoomSessionInsight = z.infer<typeof RoomSessionInsight>;

/** A person in a session. `leftAt` is null until the person leaves. */
export const SessionParticipant = z.object({
  roomSessionId: Uuid,
  participantId: z.string(),
  deviceId: z.string(),
  userId: z.nullable(z.string()),
  roleName: z.string(),
  displayName: z.string(),
  joinedAt: UtcTimestamp,
  leftAt: z.nullable(UtcTimestamp),
  externalId: z.nullable(z.string()),
  rating: z.nullable(z.number()),
  tags: z.array(z.string()),
  comment: z.nullable(z.string()),
  spokenSeconds,
  spokenSource: z.nullable(z.enum(spokenSources)),
  ...basis,
});
export type SessionParticipant = z.infer<typeof SessionParticipant>;

const samples = z.array(z.nullable(z.number()));

/** The four series of a connection's network samples. Events and responses use the same names. */
export const sampleSeries = ['packetLossSend', 'packetLossRecv', 'bitrateSend', 'bitrateRecv'] as const;

/** What a participant did. The time is the event's own, or that of the join if a leave is dated before its join. */
export const ParticipantEvent = z.object({ type: z.enum(['joined', 'left', 'rated']), timeStamp: UtcTimestamp });
export type ParticipantEvent = z.infer<typeof ParticipantEvent>;

/** One connection of a participant: its events, and four series of equal length with one element per `sampleRateMs`. A missing sample is `null`. */
export const ParticipantSessionDetail = z.object({
  displayName: z.string(),
  userRole: z.string(),
  /** Empty if the join told none. */
  userAgent: z.string(),
  /** When the participant joined. */
  timeStamp: UtcTimestamp,
  /** Time of the first element of each series: `timeStamp`, or later if `from` narrows the response. */
  samplesFrom: UtcTimestamp,
  sampleRateMs: z.int(),
  samples: z.object({ packetLossSend: samples, packetLossRecv: samples, bitrateSend: samples, bitrateRecv: samples }),
  /** In the order of time. */
  events: z.array(ParticipantEvent),
});
export type ParticipantSessionDetail = z.infer<typeof ParticipantSessionDetail>;

/** The numbers and times by which rooms can be sorted. */
export const roomValueFields = [
  'createdAt',
  'endAt',
  'firstSessionStartedAt',
  'lastSessionStartedAt',
  ...usageFields,
  'totalSessions',
  'rating',
  'totalRatings',
] as const;
/** All fields by which rooms can be sorted. The table has an index for each. */
export const roomSortFields = [...roomValueFields, 'roomName'] as const;
/** A field by which rooms can be sorted. */
export type RoomSortField = (typeof roomSortFields)[number];

/** The fields by which the sessions of a room can be sorted. */
export const roomSessionSortFields = ['startedAt', 'endedAt', ...usageFields, 'rating', 'totalRatings'] as const;

/** The fields by which participants can be sorted. */
export const participantSortFields = ['joinedAt', 'leftAt'] as const;

/** True for a field whose value can be null. */
export function mayBeMissing<Shape extends Record<string, z.ZodMiniType>>(
  { shape }: z.ZodMiniObject<Shape>,
  field: keyof Shape,
): boolean {
  return shape[field] instanceof z.ZodMiniNullable;
}
