import type { Connection } from '#shared/contracts/platforms/connection.ts';
import type { PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import { eventIdOf, uuidOf } from '../ids.ts';
import type { NewEvent } from '../platform.ts';
import type { RecordedTrack, RecordingPayload } from './payload.ts';

/** The most tracks of one event. */
const tracksPerEvent = 100;

/** The session of a recording. */
type RecordedSession = Pick<PlatformSession, 'roomName'> & {
  readonly roomSessionId: string;
  readonly participants: PlatformSession['participants'] | undefined;
};

/** The events of a recording: one for a file, or one for each hundred tracks, all with the same dates. */
export function recordingEvents(
  connection: Connection,
  { bucket, key, start: startDate, end: endDate, tracks }: RecordingPayload,
  { roomName, roomSessionId, participants = {} }: RecordedSession,
): readonly NewEvent[] {
  const finished = (part: readonly string[], files: object): NewEvent => ({
    id: eventIdOf('recording', bucket, key, ...part),
    type: 'recording.finished',
    organizationId: connection.organizationId,
    createdAt: endDate,
    data: {
      recordingId: uuidOf(connection, `recording|${bucket}|${key}`),
      ...{ roomName, roomSessionId, startDate, endDate },
      ...files,
    },
  });
  if (!tracks) return [finished([], { filename: key.slice(key.lastIndexOf('/') + 1), location: { bucket, key } })];
  const named = tracksOf(tracks, bucket, participants);
  return Array.from({ length: Math.ceil(named.length / tracksPerEvent) }, (_, index) =>
    finished([`tracks ${index}`], { tracks: named.slice(index * tracksPerEvent, (index + 1) * tracksPerEvent) }),
  );
}

/**
 * The tracks with their participants. A connection without a known participant is a participant itself. Endpoints are compared exactly:
 * a nick that differs in case alone is that of another connection. Two tracks of one participant that begin in the same millisecond would
 * count as one, so the second one begins a millisecond later.
 */
function tracksOf(tracks: readonly RecordedTrack[], bucket: string, participants: Readonly<Record<string, string>>) {
  const known = new Map(Object.entries(participants));
  const taken = new Set<string>();
  return tracks.map(({ endpoint_id: endpoint, key, start, end: endDate }) => {
    const participantId = known.get(endpoint) ?? endpoint;
    let startDate = start;
    while (taken.has(JSON.stringify([participantId, startDate])))
      startDate = new Date(Date.parse(startDate) + 1).toISOString();
    taken.add(JSON.stringify([participantId, startDate]));
    return { participantId, location: { bucket, key }, startDate, endDate: endDate < startDate ? startDate : endDate };
  });
}
