import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Failure, Transcription } from '#shared/contracts/transcriptions/transcription.ts';
import type { TranscriptionDetail } from '#shared/contracts/transcriptions/transcription-operations.ts';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import { TranscriptionNotFound } from '#shared/runtime/errors.ts';
import { shownOptions } from './effective-options.ts';

/** Identifies a transcription, its files and its job. */
export type TranscriptionKey = { readonly organizationId: OrganizationId; readonly transcriptionId: string };

/** A transcription as the service stores it: what the API shows, and what only the service needs. */
export type TranscriptionRecord = Omit<Transcription, 'failure'> & {
  readonly organizationId: OrganizationId;
  readonly failure?: Failure | undefined;
  /** The gateway's id of the API request that created it. A live transcription has none. */
  readonly correlationId?: string | undefined;
  /** The recording that it is made from. A live transcription has none. */
  readonly recordingId?: string | undefined;
  /** The media to transcribe or, for a live transcription, the transcript that the platform wrote. */
  readonly location?: FileLocation | undefined;
  /** When its links were last revoked. A link that was created before belongs to an earlier value, or to none. */
  readonly linksValidFrom?: string | undefined;
  /** The work that it has taken over: the id of the deleted transcription that began it. Without one, its work is its own. */
  readonly workId?: string | undefined;
  /** Set if it is made from tracks: the revision of the recording's tracks at its creation. `location` is then the mixed file. */
  readonly trackRevision?: number | undefined;
  /** The options that took effect, without those that are built in. `tracks` is false if there were tracks that it is not made from. */
  readonly options?: TranscriptionOptions | undefined;
  /** The number of parts of its work, once they are prepared. Without it, the work is one job for the file at `location`. */
  readonly partCount?: number | undefined;
  /** The seconds counted against the organization's ceiling, if they are not those of the recording's dates. */
  readonly countedSeconds?: number | undefined;
  /** When its Transcribe job was started, or its first ones. */
  readonly jobStartedAt?: string | undefined;
  /** When the reconciler checks it. Set while it is in progress, and after it has failed while its job may still write output. */
  readonly dueAt?: string | undefined;
  /** How many of its changes were told in notices. Rows from before notices have none. */
  readonly revision?: number | undefined;
};

/** Replaces a deleted transcription until it expires. It keeps a late event from bringing the transcription back. */
export type Tombstone = {
  readonly organizationId: OrganizationId;
  readonly transcriptionId: string;
  readonly deletedAt: string;
  /** When the reconciler checks it. Set while its Transcribe job may still run and write output. */
  readonly dueAt?: string | undefined;
  /** The work whose job may still run, if it was taken over from an earlier transcription. */
  readonly workId?: string | undefined;
  /** What the job is asked for, as long as a new transcription can take the work over. */
  readonly jobFingerprint?: string | undefined;
  /** The transcription that has taken the work over. The work is no longer this one's. */
  readonly takenOverBy?: string | undefined;
  /** The revision of the notice of the deletion, the last one of the transcription. */
  readonly revision?: number | undefined;
};

/** The item that the table stores under a transcription's id. */
export type StoredTranscription = TranscriptionRecord | Tombstone;

/** True for the tombstone of a deleted transcription. */
export function isDeleted(stored: StoredTranscription): stored is Tombstone {
  return 'deletedAt' in stored;
}

/** True if there is no transcription, because there never was one or because it was deleted. */
export function isGone(stored: StoredTranscription | undefined): stored is Tombstone | undefined {
  return !stored || isDeleted(stored);
}

/** True if the transcription exists and has not ended yet. */
export function isInProgress(
  stored: StoredTranscription | undefined,
): stored is TranscriptionRecord & { readonly state: 'in_progress' } {
  return !isGone(stored) && stored.state === 'in_progress';
}

/** True if the transcription exists and is ready. */
export function isReady(stored: StoredTranscription | undefined): boolean {
  return !isGone(stored) && stored.state === 'ready';
}

/** True if the transcription exists and has failed. */
export function isFailed(stored: StoredTranscription | undefined): boolean {
  return !isGone(stored) && stored.state === 'failed';
}

/** Returns the transcription. Throws `TranscriptionNotFound` if it does not exist or was deleted. */
export function existing(stored: StoredTranscription | undefined): TranscriptionRecord {
  if (isGone(stored)) throw new TranscriptionNotFound();
  return stored;
}

/** A transcription as the API shows it. */
export function toTranscription(record: TranscriptionRecord): Transcription {
  const { transcriptionId, roomSessionId, roomName, createdAt, startDate, endDate } = record;
  const { state, durationInSeconds, type, filename, storageType, failure } = record;
  const { recordedSeconds, submittedSeconds = recordedSeconds, missing, approximateTimes } = record; // one file is submitted as it is
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
    ...(recordedSeconds !== undefined && { recordedSeconds }),
    ...(submittedSeconds !== undefined && { submittedSeconds }),
    ...(missing && { missing }),
    ...(approximateTimes && { approximateTimes }),
    ...(failure && { failure }),
  };
}

/** A transcription as the API shows it alone, except for who speaks in it. */
export function toDetail(record: TranscriptionRecord): TranscriptionDetail {
  if (record.type === 'LIVE_TRANSCRIPTION') return toTranscription(record);
  return { ...toTranscription(record), options: shownOptions(record.options, record.trackRevision !== undefined) };
}

/** The billed seconds between two times. A started second counts as a whole one. */
export function billableSeconds(startDate: string, endDate: string): number {
  return Math.max(0, Math.ceil((Date.parse(endDate) - Date.parse(startDate)) / 1000));
}
