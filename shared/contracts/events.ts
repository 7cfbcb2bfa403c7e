import * as z from 'zod/mini';
import { Identifier, maxBytes, oneOf, RoomName, Timestamp, Uuid, wellFormed } from './common/fields.ts';
import { event, maxCharacters, text } from './insights/event.ts';
import { FactRetracted, RoomCreated, sessionEvents } from './insights/session-events.ts';
import { StorageType } from './transcriptions/transcription.ts';

/** The name of a bucket, by the rules of S3: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
export const BucketName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of an S3 bucket'));

/**
 * A segment that no key may have. S3 takes a key literally, but a program that opens a URL removes such
 * segments, so a link to one key would open another.
 */
const isNoSegment = (segment: string) => ['', '.', '..'].includes(segment);
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is refused
const control = /[\x00-\x1f\x7f-\x9f]/;

/** The bucket and key of a file of the platform. The service never changes a key: it is an opaque name. */
export const FileLocation = z.object({
  bucket: BucketName,
  key: z.string().check(
    z.minLength(1, { error: 'must not be empty', abort: true }),
    wellFormed,
    z.refine((key) => !control.test(key), 'must not contain control characters'),
    z.refine((key) => !key.split('/').some(isNoSegment), 'must not have a segment that is empty, "." or ".."'),
    ...maxBytes(1024),
  ),
});
export type FileLocation = z.infer<typeof FileLocation>;

const notBackwards = z.refine<{ startDate: string; endDate?: string | undefined }>(
  ({ startDate, endDate }) => endDate === undefined || endDate >= startDate,
  { error: 'must not be before startDate', path: ['endDate'] },
);

const room = { roomName: RoomName, roomSessionId: Uuid };

/** What a track recorded: a participant's microphone, or what their shared screen played. */
const TrackSource = oneOf(['microphone', 'screen']);
const maxTracksPerEvent = 100;

const track = {
  participantId: Identifier,
  location: FileLocation,
  startDate: Timestamp,
  source: z.optional(TrackSource),
};
const RecordedTrack = z.object({ ...track, endDate: z.optional(Timestamp) }).check(notBackwards);
type RecordedTrack = z.infer<typeof RecordedTrack>;

/** Names the later one of two reports of the same track. */
const eachTrackOnce = z.check<readonly RecordedTrack[]>(({ value, issues }) => {
  const names = value.map(({ participantId, startDate, source }) =>
    JSON.stringify([participantId, startDate, source ?? 'microphone']),
  );
  const double = names.findIndex((name, index) => names.indexOf(name) < index);
  const message = 'must not have the participantId, startDate and source of another track';
  if (double >= 0) issues.push({ code: 'custom', input: value, path: [double], message });
});

const locationOrTracks = z.refine<{ location?: unknown; tracks?: unknown }>(
  ({ location, tracks }) => location !== undefined || tracks !== undefined,
  'must have location, tracks or both',
);
const filenameOfLocation = z.refine<{ location?: unknown; filename?: unknown }>(
  ({ location, filename }) => location === undefined || filename !== undefined,
  { error: 'is required with a location', path: ['filename'] },
);

const RecordingFinished = z
  .object({
    recordingId: Uuid,
    ...room,
    startDate: Timestamp,
    endDate: Timestamp,
    filename: z.optional(text(1024)),
    location: z.optional(FileLocation),
    tracks: z.optional(
      z
        .array(RecordedTrack)
        .check(
          z.minLength(1, 'must have at least one track'),
          z.maxLength(maxTracksPerEvent, `must be at most ${maxTracksPerEvent} tracks`),
          eachTrackOnce,
        ),
    ),
  })
  .check(notBackwards, locationOrTracks, filenameOfLocation);

const RecordingTrackFinished = z
  .object({ recordingId: Uuid, ...room, ...track, endDate: Timestamp })
  .check(notBackwards);

const liveTranscription = { transcriptionId: Uuid, ...room, startDate: Timestamp };

/** Name and location of the transcript file. The event that ends the transcription carries them. */
const liveFile = { filename: z.optional(text(1024)), location: z.optional(FileLocation) };
const storageType = z.optional(StorageType);
/** Ten years: longer than any session. */
const maxDurationInSeconds = 315_360_000;
const durationMessage = `must be from 0 to ${maxDurationInSeconds}`;

const LiveTranscriptionStarted = z.object({ ...liveTranscription, storageType });

const LiveTranscriptionFinished = z
  .object({
    ...liveTranscription,
    endDate: z.optional(Timestamp),
    durationInSeconds: z.optional(
      z.int().check(z.nonnegative(durationMessage), z.maximum(maxDurationInSeconds, durationMessage)),
    ),
    storageType,
    ...liveFile,
  })
  .check(notBackwards);

/** A text, or an object with a `message`, which many platforms send instead. */
const LiveTranscriptionError = z.union([
  z.string().check(maxCharacters(1024), wellFormed),
  z.pipe(
    z.object({ message: z.optional(z.string().check(maxCharacters(1024), wellFormed)) }),
    z.transform(({ message }) => message),
  ),
]);

const LiveTranscriptionFailed = z
  .object({
    ...liveTranscription,
    endDate: z.optional(Timestamp),
    error: z.optional(LiveTranscriptionError),
    storageType,
    ...liveFile,
  })
  .check(notBackwards);

const roomEvents = [
  RoomCreated,
  ...sessionEvents,
  FactRetracted,
  event('recording.finished', RecordingFinished),
  event('recording.track.finished', RecordingTrackFinished),
  event('transcription.started', LiveTranscriptionStarted),
  event('transcription.finished', LiveTranscriptionFinished),
  event('transcription.failed', LiveTranscriptionFailed),
] as const;
const roomEventTypes = roomEvents.flatMap(({ shape }) => shape.type.def.values);

/** An event that a platform sends to the room-events queue, at least once and in any order. Other types are refused. */
export const RoomEvent = z.discriminatedUnion(
  'type',
  roomEvents,
  `must be an event type that this queue accepts: ${roomEventTypes.join(', ')}`,
);
export type RoomEvent = z.infer<typeof RoomEvent>;
/** The events of live transcriptions. */
export type LiveTranscriptionEvent = Extract<RoomEvent, { type: `transcription.${string}` }>;
