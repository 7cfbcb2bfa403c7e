import type { FileLocation } from '../contracts/events.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { Failure, Transcription } from '../contracts/transcription.ts';
import { TranscriptionNotFound } from '../errors.ts';

/** What names a transcription, and everything that is made for it. */
export type TranscriptionKey = { readonly organizationId: OrganizationId; readonly transcriptionId: string };

/** A transcription as the service keeps it: what the API shows, and what only the service needs. */
export type TranscriptionRecord = Omit<Transcription, 'failure'> & {
  readonly organizationId: OrganizationId;
  readonly failure?: Failure | undefined;
  /** The call of the API that created it: the gateway's id of that request. None where a live session did. */
  readonly correlationId?: string | undefined;
  /** The recording it is made from; none where it comes from a live session. */
  readonly recordingId?: string | undefined;
  /** Of a recording: the media to transcribe. Of a live transcription: the transcript that the platform wrote. */
  readonly location?: FileLocation | undefined;
  /** When its Transcribe job was started. */
  readonly jobStartedAt?: string | undefined;
  /** While it is in progress: when somebody should ask what became of it. */
  readonly dueAt?: string | undefined;
};

/** What stays of a deleted transcription, until it expires: enough to keep a late event from bringing it back. */
export type Tombstone = {
  readonly organizationId: OrganizationId;
  readonly transcriptionId: string;
  readonly deletedAt: string;
  /** Set while its Transcribe job may still be running, and so may still write. */
  readonly dueAt?: string | undefined;
};

/** What the table holds under a transcription's id. */
export type StoredTranscription = TranscriptionRecord | Tombstone;

/** Tells a deleted transcription from one that is there. */
export function isDeleted(stored: StoredTranscription): stored is Tombstone {
  return 'deletedAt' in stored;
}

/** True where there is no transcription: there never was one, or it was deleted. */
export function isGone(stored: StoredTranscription | undefined): stored is Tombstone | undefined {
  return !stored || isDeleted(stored);
}

/** True if the transcription exists and has not ended yet. */
export function isInProgress(
  stored: StoredTranscription | undefined,
): stored is TranscriptionRecord & { readonly state: 'in_progress' } {
  return !isGone(stored) && stored.state === 'in_progress';
}

/** The transcription that is there; throws `TranscriptionNotFound` for a deleted one and for none alike. */
export function existing(stored: StoredTranscription | undefined): TranscriptionRecord {
  if (isGone(stored)) throw new TranscriptionNotFound();
  return stored;
}

/** A transcription as the API shows it. */
export function toTranscription(record: TranscriptionRecord): Transcription {
  const { transcriptionId, roomSessionId, roomName, createdAt, startDate, endDate } = record;
  const { state, durationInSeconds, type, filename, storageType, failure } = record;
  return {
    transcriptionId,
    roomSessionId,
    roomName,
    createdAt,
    startDate,
    endDate,
    state,
    durationInSeconds,
    type,
    filename,
    storageType,
    ...(failure && { failure }),
  };
}

/** Whole seconds between two instants, a started second counted as one: what is billed. */
export function billableSeconds(startDate: string, endDate: string): number {
  return Math.max(0, Math.ceil((Date.parse(endDate) - Date.parse(startDate)) / 1000));
}
