import type { FileLocation } from '../contracts/events.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type {
  RoomCreated,
  RoomRetraction,
  SessionEvent,
  SessionFact,
  SessionRetraction,
} from '../contracts/session-events.ts';
import type { Failure } from '../contracts/transcription.ts';
import type { RoomKey, RoomRecord } from '../domain/insight-records.ts';
import type { SessionKey, SessionsWithId, Visitor } from '../domain/participant-record.ts';
import type { RecordingRecord, RecordingSize } from '../domain/recording.ts';
import type { TranscriptFile } from '../domain/render-transcript.ts';
import type { MarkedVisitors, OtherStarts, SessionChange } from '../domain/session-change.ts';
import type { SessionState } from '../domain/session-drift.ts';
import type { StoredTranscription, Tombstone, TranscriptionKey, TranscriptionRecord } from '../domain/transcription.ts';
import type { JobRemoval, JobStart, JobState } from '../domain/transcription-job.ts';

/** Outcome of a conditional write. `stored` is the item that did not meet the condition, or undefined if there is no item. */
export type ConditionalOutcome =
  | { readonly applied: true }
  | { readonly applied: false; readonly stored: StoredTranscription | undefined };

/**
 * The transcriptions of all organizations. Every write is a transition of `shared/domain/transcription-states.ts`: it is
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
    dates: { readonly jobStartedAt: string; readonly dueAt: string },
  ): Promise<ConditionalOutcome>;
  /** Ends a transcription successfully. */
  markReady(
    record: TranscriptionRecord,
    facts: Pick<TranscriptionRecord, 'filename' | 'durationInSeconds'>,
  ): Promise<ConditionalOutcome>;
  /** Ends a transcription with the reason for its failure. A failed transcription is not billed. */
  markFailed(record: TranscriptionRecord, failure: Failure): Promise<ConditionalOutcome>;
  /** Fails a transcription whose job may still write its output. The reconciler removes the output after `dueAt`. */
  abandon(record: TranscriptionRecord, failure: Failure, dueAt: string): Promise<ConditionalOutcome>;
  /** Replaces the record with its tombstone. Returns false if its state has changed since it was read, other than by a deletion. */
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

/** The recordings of all organizations. */
export type RecordingStore = {
  /** Reads the recording, with strong consistency. */
  find(organizationId: OrganizationId, recordingId: string): Promise<RecordingRecord | undefined>;
};

/** What an event says about a recording. */
export type Registered = Omit<RecordingRecord, 'latestTranscriptionId'>;

/**
 * Result of a registration. `outdated`: a later report of the recording is stored, and only the file has been claimed. `foreign-file`:
 * another organization owns the file. `lost-race`: another writer was faster. The last two have written nothing.
 */
export type RegistrationOutcome = 'registered' | 'outdated' | 'foreign-file' | 'lost-race';

/** Registers a recording and claims its file for its organization. A repetition changes nothing. */
export type RecordingRegistration = {
  register(recording: Registered): Promise<RegistrationOutcome>;
};

/** The recordings' media files. */
export type RecordingFiles = {
  /** Returns the size in bytes, or why it is not known. */
  size(location: FileLocation): Promise<RecordingSize>;
};

/** The transcripts bucket. */
export type TranscriptFileStore = {
  read(key: string, maxBytes: number): Promise<{ readonly text: string } | 'missing' | 'too-large'>;
  write(key: string, file: TranscriptFile): Promise<void>;
  /** Removes every file that the service or Transcribe has written for a transcription. */
  removeGenerated(owner: TranscriptionKey): Promise<void>;
  /** Removes every file that the platform has stored for a live transcription. */
  removeLive(owner: TranscriptionKey): Promise<void>;
  /** Removes every file of a transcription: what the service has written, and what the platform has stored for it. */
  removeAllOf(owner: TranscriptionKey): Promise<void>;
};

/** Transcribe's jobs, at most one per transcription. */
export type TranscriptionJobs = {
  /** Starts the job. Succeeds without a second job if the job exists. */
  start(record: TranscriptionRecord, media: FileLocation): Promise<JobStart>;
  state(owner: TranscriptionKey): Promise<JobState>;
  remove(organizationId: OrganizationId, transcriptionId: string): Promise<JobRemoval>;
};

/** The session events that insights are computed from. */
export type FactStore = {
  /** Stores a fact, unless a fact with the same identity is stored. Returns the stored one. */
  keep(fact: SessionFact): Promise<SessionFact>;
  /** Counts the retractions of the session, and which of these are not stored yet. */
  countRetractions(
    session: SessionsWithId,
    retractions: readonly SessionRetraction[],
  ): Promise<{ stored: number; missing: number }>;
  /** Stores a creation of a room, or the retraction of one. Does nothing if it is stored already. */
  keepOfRoom(event: RoomCreated | RoomRetraction): Promise<void>;
};

/** The rows of rooms, sessions and participants. Every read is strongly consistent. */
export type InsightStore = {
  /**
   * Reads the session's version first. So `commit` fails if the session changes during or after the other reads. Of several
   * participants, it leaves out the `large` ones: their facts fill the memory, so each must be read alone.
   */
  readSession(
    key: SessionKey,
    participantIds: readonly string[],
  ): Promise<SessionState & { readonly large: readonly string[] }>;
  readCounted(key: SessionKey, visitors: readonly Visitor[]): Promise<MarkedVisitors>;
  readOtherStarts(key: SessionKey): Promise<OtherStarts>;
  readRoom(key: RoomKey): Promise<RoomRecord | undefined>;
  /** Reads all events of the session, or of all sessions with the id, one page at a time. Only events that are taken back need them. */
  eventsOf(sessions: SessionsWithId): AsyncIterable<SessionEvent>;
  /** Reads the creations of the room that were not taken back. */
  readCreations(key: RoomKey): Promise<RoomCreated[]>;
  isRetracted(event: RoomCreated): Promise<boolean>;
  /** Lists the ids of participants who were connected until the session's end, if their rows contain another end than `endedAt`. */
  listParticipantsToEnd(key: SessionKey, endedAt: string | null): Promise<string[]>;
  /** Writes the whole change, or nothing if another writer has changed the session or the room since it was read. */
  commit(change: SessionChange): Promise<'committed' | 'session-changed' | 'room-changed'>;
  /** Writes the room. Returns false if another writer has changed it since it was read. */
  commitRoom(room: RoomRecord): Promise<boolean>;
};
