import type { FileLocation } from '../contracts/events.ts';
import type { OrganizationId } from '../contracts/organization.ts';

/** A recording that a platform has finished, and the newest transcription made from it. */
export type RecordingRecord = {
  readonly organizationId: OrganizationId;
  readonly recordingId: string;
  readonly roomName: string;
  readonly roomSessionId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly filename: string;
  /** The mixed file. A recording without one has tracks. */
  readonly location?: FileLocation | undefined;
  /** How often a track was stored or replaced. Undefined without tracks. */
  readonly trackRevision?: number | undefined;
  /** Time of the event that finished the recording. If there are two such events, the later one counts. None while it is open. */
  readonly finishedAt?: string | undefined;
  readonly latestTranscriptionId?: string | undefined;
};

/** One file of one participant. Two reports of the same participant and start are of the same track. */
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

/** The bytes of a recording, or why they are not known: there is no file that the service may read, or S3 cannot read the file. */
export type RecordingSize = number | 'missing' | 'unreadable';
