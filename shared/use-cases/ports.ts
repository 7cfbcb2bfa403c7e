import type { FileLocation } from '../contracts/events.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { SessionEvent } from '../contracts/session-events.ts';
import type { Failure } from '../contracts/transcription.ts';
import type { RoomKey, RoomRecord } from '../domain/insight-records.ts';
import type { ParticipantRecord, SessionKey, Visitor } from '../domain/participant-record.ts';
import type { RecordingRecord } from '../domain/recording.ts';
import type { TranscriptFile } from '../domain/render-transcript.ts';
import type { CountedVisitors, OtherStarts, SessionChange, SessionState } from '../domain/session-change.ts';
import type { StoredTranscription, Tombstone, TranscriptionKey, TranscriptionRecord } from '../domain/transcription.ts';
import type { JobRemoval, JobStart, JobState } from '../domain/transcription-job.ts';

/** Outcome of a conditional write: applied, or refused because of what is stored (undefined: nothing is stored). */
export type Conditional =
  | { readonly applied: true }
  | { readonly applied: false; readonly stored: StoredTranscription | undefined };

/**
 * The transcriptions of all organizations. Every write is a transition of `shared/domain/transcription-states.ts`: it is
 * conditional, can be repeated, and returns what is stored if the condition fails.
 */
export type TranscriptionStore = {
  /** Reads, strongly consistent, what is stored under the id: a transcription, its tombstone, or nothing. */
  find(organizationId: OrganizationId, transcriptionId: string): Promise<StoredTranscription | undefined>;
  /** Stores a live transcription that has started. */
  beginLive(record: TranscriptionRecord): Promise<Conditional>;
  /** Stores a live transcription that has ended, whether or not its start event has arrived. */
  endLive(record: TranscriptionRecord & { readonly state: 'ready' | 'failed' }): Promise<Conditional>;
  /** Stores that the job has started and when the reconciler asks about it. */
  markJobStarted(
    record: TranscriptionRecord,
    dates: { readonly jobStartedAt: string; readonly dueAt: string },
  ): Promise<Conditional>;
  /** Ends a transcription successfully. */
  markReady(
    record: TranscriptionRecord,
    facts: Pick<TranscriptionRecord, 'filename' | 'durationInSeconds'>,
  ): Promise<Conditional>;
  /** Ends a transcription with the reason for its failure. A failed transcription is not billed. */
  markFailed(record: TranscriptionRecord, failure: Failure): Promise<Conditional>;
  /** Replaces the record with its tombstone. Returns false if the record has changed its state since it was read. */
  replaceWithTombstone(record: TranscriptionRecord, tombstone: Tombstone, expiresAt: number): Promise<boolean>;
};

/** Creates a transcription and makes it the newest one of its recording, in one transaction. */
export type TranscriptionCreation = {
  /** Returns false if `previousId` is no longer the recording's newest transcription. */
  create(
    record: TranscriptionRecord & { readonly recordingId: string },
    previousId: string | undefined,
  ): Promise<boolean>;
};

/** The date at which the reconciler asks about a transcription or a tombstone, as the caller has read it. */
export type Due = TranscriptionKey & { readonly dueAt: string };

/** The unfinished transcriptions of all organizations, by the date at which the reconciler asks about them. */
export type DueStore = {
  /** Everything that is due at `now`: shard after shard, and within a shard the longest overdue first. */
  listDue(now: Date): AsyncIterable<Due>;
  /** Moves the date to `dueAt`, unless it has changed since it was read. Without a date that was read, does nothing. */
  postpone(due: TranscriptionKey & { readonly dueAt?: string | undefined }, dueAt: string): Promise<void>;
  /** Removes the date, unless it has changed since it was read. */
  settle(due: Due): Promise<void>;
};

/** The recordings of all organizations. */
export type RecordingStore = {
  /** Reads the recording, strongly consistent. */
  find(organizationId: OrganizationId, recordingId: string): Promise<RecordingRecord | undefined>;
  /** Stores a recording. Does nothing if the same or a later report of it is stored. */
  register(recording: Omit<RecordingRecord, 'latestTranscriptionId'>): Promise<void>;
};

/** The recordings' media files. */
export type RecordingFiles = {
  /** The size in bytes; undefined if there is no such object, or none that the service may read. */
  size(location: FileLocation): Promise<number | undefined>;
};

/** The transcripts bucket. */
export type TranscriptFileStore = {
  read(key: string, maxBytes: number): Promise<{ readonly text: string } | 'missing' | 'too-large'>;
  write(key: string, file: TranscriptFile): Promise<void>;
  /** Removes every file that the service or its engine has written for a transcription. */
  removeGenerated(owner: TranscriptionKey): Promise<void>;
  /** Removes all files of a transcription that the service keeps. Does not touch a customer's own bucket. */
  removeAllOf(record: TranscriptionRecord): Promise<void>;
};

/** The engine's jobs, at most one per transcription. */
export type TranscriptionJobs = {
  /** Starts the job, or finds that it has been started before. */
  start(record: TranscriptionRecord, media: FileLocation): Promise<JobStart>;
  state(owner: TranscriptionKey): Promise<JobState>;
  remove(organizationId: OrganizationId, transcriptionId: string): Promise<JobRemoval>;
};

/** The session events that insights are computed from. */
export type FactStore = {
  /** Stores an event. Does nothing if it is stored already. */
  keep(event: SessionEvent): Promise<void>;
};

/** The rows of rooms, sessions and participants. Every read is strongly consistent. */
export type InsightStore = {
  /** Reads the session's version before everything else, so that a commit fails if anything changes after that. */
  readSession(key: SessionKey, participantIds: readonly string[]): Promise<SessionState>;
  readCounted(key: SessionKey, visitors: readonly Visitor[]): Promise<CountedVisitors>;
  readOtherStarts(key: SessionKey): Promise<OtherStarts>;
  readRoom(key: RoomKey): Promise<RoomRecord | undefined>;
  /** Participants with connections that the session's end closes, whose rows have no end yet or an earlier one. */
  listNotEndedBy(key: SessionKey, endedAt: string): Promise<Pick<ParticipantRecord, 'participantId'>[]>;
  /** Writes all of the change or nothing: nothing if another writer has changed the session or the room since it was read. */
  commit(change: SessionChange): Promise<'committed' | 'session-changed' | 'room-changed'>;
  /** Writes the room. Returns false if another writer has changed it since it was read. */
  commitRoom(room: RoomRecord): Promise<boolean>;
};
