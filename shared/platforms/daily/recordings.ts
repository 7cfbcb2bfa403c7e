import type { PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import { eventIdOf, uuidOf } from '../ids.ts';
import { mustParse } from '../must-parse.ts';
import type { Hook, NewEvent } from '../platform.ts';
import { instantOf, type RecordingPayload } from './payload.ts';
import { DailySettings } from './settings.ts';

/** `<domain>/<room>/<start of the recording>-<session id of the participant>-<cam-audio or screen-audio>-<start of the track>`. */
const trackKey = /\/\d+-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(cam|screen)-audio-(\d{12,14})(?:\.\w+)?$/i;

/** The most tracks of one event. */
const tracksPerEvent = 100;

/**
 * The events of a recording in the customer's bucket. None without a bucket, because no webhook of Daily names it. The tracks of a recording
 * with raw tracks come first, a hundred in an event, and all of its events have the same dates.
 */
export function recordingEvents(
  { connection }: Hook,
  { recording_id, room_name, start_ts, duration, type, s3_key, tracks = [] }: RecordingPayload,
  session: PlatformSession,
): NewEvent[] {
  const { bucket } = mustParse(DailySettings, connection.settings);
  if (bucket === undefined) return [];
  const endDate = instantOf(start_ts + duration);
  const finished = (suffix: string, files: object): NewEvent => ({
    id: eventIdOf('daily recording', recording_id, suffix),
    type: 'recording.finished',
    organizationId: connection.organizationId,
    createdAt: endDate,
    data: {
      recordingId: uuidOf(connection, recording_id),
      roomName: `/${room_name}`,
      roomSessionId: uuidOf(connection, session.sessionId),
      startDate: instantOf(start_ts),
      endDate,
      ...files,
    },
  });
  if (type === 'cloud' || type === 'cloud-audio-only')
    return s3_key === undefined
      ? []
      : [finished('file', { filename: s3_key.split('/').at(-1), location: { bucket, key: s3_key } })];
  if (type !== 'raw-tracks') return [];
  const keys = new Set(tracks.flatMap((track) => track?.s3Key ?? []));
  const recorded = [...keys].flatMap((key) => trackOf(key, bucket, session) ?? []);
  return Array.from({ length: Math.ceil(recorded.length / tracksPerEvent) }, (_, index) =>
    finished(`tracks ${index}`, { tracks: recorded.slice(index * tracksPerEvent, (index + 1) * tracksPerEvent) }),
  );
}

/** The track of a key. Undefined for video. A connection without a known participant is a participant itself. */
function trackOf(key: string, bucket: string, { participants = {} }: PlatformSession) {
  const [, sessionId, medium, startedAt] = trackKey.exec(key) ?? [];
  if (sessionId === undefined) return undefined;
  return {
    participantId: participants[sessionId] ?? sessionId,
    location: { bucket, key },
    startDate: new Date(Number(startedAt)).toISOString(),
    source: medium === 'screen' ? ('screen' as const) : ('microphone' as const),
  };
}
