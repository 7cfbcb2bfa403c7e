import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Allowance } from '#shared/contracts/organization/rate-limit.ts';
import type { Failure } from '#shared/contracts/transcriptions/transcription.ts';
import type { MediaContainer } from '#shared/domain/media/media-plan.ts';
import type { OptionDefaults } from '#shared/domain/transcriptions/effective-options.ts';
import type { NewestTranscriptions } from '#shared/domain/transcriptions/newest-transcription.ts';
import type { WorkKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { JobOwner, WorkOwner } from '#shared/domain/transcriptions/parts/work.ts';
import type { TranscriptFile } from '#shared/domain/transcriptions/render-transcript.ts';
import type {
  StoredTranscription,
  Tombstone,
  TranscriptionKey,
  TranscriptionRecord,
} from '#shared/domain/transcriptions/transcription.ts';
import type { JobRemoval, JobStart, JobState } from '#shared/domain/transcriptions/transcription-job.ts';

/** Outcome of a conditional write. `stored` is the item that did not meet the condition, or undefined if there is no item. */
export type ConditionalOutcome =
  | { readonly applied: true }
  | { readonly applied: false; readonly stored: StoredTranscription | undefined };

/**
 * The transcriptions of all organizations. Every write is a transition of `shared/domain/transcriptions/transcription-states.ts`: it is
 * conditional, safe to repeat, and returns the stored item if the condition fails.
 */
export type TranscriptionStore = {
  /** Reads the transcription or its tombstone, with strong consistency. */
  find(organizationId: OrganizationId, transcriptionId: string): Promise<StoredTranscription | undefined>;
  /** Stores a live transcription that has started. */
  beginLive(record: TranscriptionRecord): Promise<ConditionalOutcome>;
  /** Stores a live transcription that has ended, whether or not its start event has arrived. */
  endLive(record: TranscriptionRecord & { readonly state: 'ready' | 'failed' }): Promise<ConditionalOutcome>;
  /** Stores when the job was started, and when the reconciler checks it. */
  markJobStarted(
    record: TranscriptionRecord,
    facts: Pick<TranscriptionRecord, 'jobStartedAt' | 'dueAt' | 'recordedSeconds'>,
  ): Promise<ConditionalOutcome>;
  /** Stores that the parts of its work are prepared, and what is known about its media. */
  markPrepared(
    record: TranscriptionRecord,
    facts: Pick<TranscriptionRecord, 'partCount' | 'recordedSeconds' | 'submittedSeconds' | 'dueAt'>,
  ): Promise<ConditionalOutcome>;
  /** Ends a transcription successfully, and adds it and the seconds that Transcribe bills to the usage of the day. */
  markReady(
    record: TranscriptionRecord,
    facts: Pick<
      TranscriptionRecord,
      'filename' | 'durationInSeconds' | 'recordedSeconds' | 'submittedSeconds' | 'missing' | 'approximateTimes'
    >,
    transcribedSeconds: number,
  ): Promise<ConditionalOutcome>;
  /** Ends a transcription with the reason for its failure. A failed transcription is not billed. */
  markFailed(record: TranscriptionRecord, failure: Failure): Promise<ConditionalOutcome>;
  /** Fails a transcription whose job may still write its output. The reconciler removes the output after `dueAt`. */
  abandon(record: TranscriptionRecord, failure: Failure, dueAt: string): Promise<ConditionalOutcome>;
  /** Replaces the record with its tombstone. Returns false if its state has changed since it was read, other than by a deletion. */
  replaceWithTombstone(record: TranscriptionRecord, tombstone: Tombstone, expiresAt: number): Promise<boolean>;
  /**
   * Keeps new transcriptions from taking over the work of a deleted one, so that the caller can remove it. Returns false if one has
   * taken it over.
   */
  withdrawWork(tombstone: Tombstone): Promise<boolean>;
  /**
   * Stores a new `linksValidFrom`, which is no change of state. Does nothing if the stored one is no longer that of `record`: then
   * another call has revoked the links in the meantime. Does nothing either if the transcription was deleted.
   */
  revokeLinks(record: TranscriptionRecord, linksValidFrom: string): Promise<void>;
};

/** The defaults of options. */
export type OptionDefaultsReader = {
  /** The defaults of an organization, and then those of the stage. */
  of(organizationId: OrganizationId): Promise<readonly OptionDefaults[]>;
};

/** Result of a creation. `exceeded`: the organization has too few seconds left on this day. Only `created` has written anything. */
export type CreationResult = 'created' | 'lost-race' | { readonly exceeded: Allowance };

/** Creates a transcription, makes it the newest one of its recording, and counts its seconds, in one transaction. */
export type TranscriptionCreation = {
  /**
   * Takes over the work of `takesOver`, the tombstone of the recording's newest transcription with these options, if it is given. Loses
   * the race if the newest transcriptions are no longer those that were read, or if that work can no longer be taken over.
   */
  create(
    record: TranscriptionRecord & { readonly recordingId: string },
    asRead: NewestTranscriptions,
    takesOver?: Tombstone,
  ): Promise<CreationResult>;
};

/** Fails transcriptions that have cost nothing. */
export type TranscriptionRefusal = {
  /** Abandons the record, and takes its seconds off the count of its day, in one transaction. */
  abandonAndGiveBack(
    record: TranscriptionRecord,
    failure: Failure,
    dueAt: string,
    seconds: number,
  ): Promise<ConditionalOutcome | 'lost-race'>;
};

/** A transcription or tombstone, and the date at which the reconciler checks it, as the caller has read it. */
export type Due = TranscriptionKey & { readonly dueAt: string };

/** Unfinished transcriptions, and failed or deleted ones whose job may still run, of all organizations. Sorted by the date of the next check. */
export type DueStore = {
  /** Returns everything that is due at `now`, shard by shard. Within a shard the longest overdue comes first. */
  listDue(now: Date): AsyncIterable<Due>;
  /** Changes the date to `dueAt`. Does nothing if `due` has no date, or if the date has changed since it was read. */
  postpone(due: TranscriptionKey & { readonly dueAt?: string | undefined }, dueAt: string): Promise<void>;
  /** Removes the date. Does nothing if the date has changed since it was read. */
  settle(due: Due): Promise<void>;
};

/** Corrects what a transcription counts on the day of its creation. */
export type CountCorrection = {
  /**
   * Stores the seconds that a transcription counts, and counts the difference, in one transaction. `exceeded`: fewer seconds are left on
   * the day. `ended`: it is no longer in progress. Only `corrected` has written anything.
   */
  correct(record: TranscriptionRecord, seconds: number): Promise<'corrected' | 'exceeded' | 'ended' | 'lost-race'>;
};

/** The transcripts bucket. */
export type TranscriptFileStore = {
  read(key: string, maxBytes: number): Promise<{ readonly text: string } | 'missing' | 'too-large'>;
  write(key: string, file: TranscriptFile): Promise<void>;
  /** Removes every file that the service or Transcribe has written for a transcription, including the output of its work. */
  removeGenerated(owner: WorkOwner): Promise<void>;
  /** Removes every intermediate file of a work. */
  removeWork(key: WorkKey): Promise<void>;
  /** Removes every file that the platform has stored for a live transcription. */
  removeLive(owner: TranscriptionKey): Promise<void>;
  /** Removes every file of a transcription: those of `removeGenerated`, and what the platform has stored for it. */
  removeAllOf(owner: WorkOwner): Promise<void>;
};

/** Transcribe's jobs, at most one per work, or per part of a work. */
export type TranscriptionJobs = {
  /** Starts the job, unless it exists. */
  start(
    owner: JobOwner & Pick<TranscriptionRecord, 'correlationId' | 'options'>,
    media: FileLocation,
    container?: MediaContainer,
  ): Promise<JobStart>;
  state(owner: JobOwner): Promise<JobState>;
  remove(owner: JobOwner): Promise<JobRemoval>;
};
