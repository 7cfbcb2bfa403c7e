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
  readonly location: FileLocation;
  /** Time of the event that reported the recording. If there are two such events, the later one counts. */
  readonly finishedAt: string;
  readonly latestTranscriptionId?: string | undefined;
};

/** The bytes of a recording, or why they are not known: there is no file that the service may read, or S3 cannot read the file. */
export type RecordingSize = number | 'missing' | 'unreadable';
