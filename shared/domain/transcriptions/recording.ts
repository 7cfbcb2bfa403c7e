import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';

/** The most files of participants that a recording can have. More are not transcribed. */
export const maxTracks = 1_000;

/** A recording that a platform has reported, and the newest transcriptions made from it. */
export type RecordingRecord = {
  readonly organizationId: OrganizationId;
  readonly recordingId: string;
  readonly roomName: string;
  readonly roomSessionId: string;
  /** The dates of the event that finished the recording. None while it is open. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly filename?: string | undefined;
  /** The mixed file. A recording without one has tracks. */
  readonly location?: FileLocation | undefined;
  /** How often a track was stored or replaced. Undefined without tracks. */
  readonly trackRevision?: number | undefined;
  /** Time of the event that finished the recording. If there are two such events, the later one counts. None while it is open. */
  readonly finishedAt?: string | undefined;
  /** How often it was told in notices that the recording was received. Undefined before the first one. */
  readonly revision?: number | undefined;
  /** Its newest transcription without options. */
  readonly latestTranscriptionId?: string | undefined;
  /** Its newest transcriptions with options, each with a hash of them. The newest is the first. */
  readonly otherTranscriptions?: readonly { readonly options: string; readonly transcriptionId: string }[] | undefined;
};

/** One file of one participant. Two reports of the same participant, start and source are of the same track. */
export type RecordingTrack = {
  readonly organizationId: OrganizationId;
  readonly recordingId: string;
  readonly participantId: string;
  readonly startDate: string;
  readonly endDate?: string | undefined;
  readonly source: 'microphone' | 'screen';
  readonly location: FileLocation;
  /** Time of the event that reported it. The latest report counts. */
  readonly reportedAt: string;
};

/** True if no more tracks are expected of a recording, because its session ended long enough ago. */
export function isClosedByTime(endedAt: string | null | undefined, now: Date, closeMinutes: number): boolean {
  return typeof endedAt === 'string' && now.getTime() - Date.parse(endedAt) >= closeMinutes * 60_000;
}

/** The time that tracks span together, from the first start to the last end. Undefined without tracks. */
export function spanOf(
  tracks: readonly Pick<RecordingTrack, 'startDate' | 'endDate'>[],
): { readonly startDate: string; readonly endDate: string } | undefined {
  const startDate = tracks.map((track) => track.startDate).toSorted()[0];
  const endDate = tracks
    .map((track) => track.endDate ?? track.startDate)
    .toSorted()
    .at(-1);
  return startDate === undefined || endDate === undefined ? undefined : { startDate, endDate };
}
