import { isClosedByTime, type RecordingRecord, spanOf } from '#shared/domain/transcriptions/recording.ts';
import type { SessionStore } from '../insights/ports.ts';
import type { RecordingTracks } from './parts/ports.ts';

/** The stores and the setting that tell whether a recording is closed. */
export type ClosingDependencies = {
  readonly sessions: SessionStore;
  readonly tracks: RecordingTracks;
  /** After the end of its session, a recording with tracks is closed after this many minutes. */
  readonly closeMinutes: number;
};

/** A recording with its dates. */
export type ClosedRecording = RecordingRecord & { readonly startDate: string; readonly endDate: string };

/**
 * The recording if it is closed, and undefined if it is open. `recording.finished` closes it. Without this event, it is closed some
 * minutes after the end of its session, and has the dates of its tracks. Nothing is stored: if the end of the session is taken back, the
 * recording is open again.
 */
export async function closedRecording(
  { sessions, tracks, closeMinutes }: ClosingDependencies,
  recording: RecordingRecord,
  now: Date,
): Promise<ClosedRecording | undefined> {
  const { organizationId, recordingId, startDate, endDate } = recording;
  if (startDate !== undefined && endDate !== undefined) return { ...recording, startDate, endDate };
  const session = await sessions.find(recording);
  if (!isClosedByTime(session?.endedAt, now, closeMinutes)) return undefined;
  const span = spanOf(await tracks.listTracks(organizationId, recordingId));
  return span && { ...recording, ...span };
}
