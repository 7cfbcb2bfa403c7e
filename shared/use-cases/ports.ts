import type { TalkMessage, TranscriptChangeMessage } from '../contracts/change-messages.ts';
import type { FileLocation } from '../contracts/events.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { Allowance } from '../contracts/rate-limit.ts';
import type { RoomCreated, RoomRetraction } from '../contracts/session-events.ts';
import type { Failure, FailureCode } from '../contracts/transcription.ts';
import type { AccessLink } from '../contracts/transcription-operations.ts';
import type { DownloadableFile } from '../domain/access-link.ts';
import type { OptionDefaults } from '../domain/effective-options.ts';
import type { RoomKey, RoomRecord, SessionRecord } from '../domain/insight-records.ts';
import type { LinkToTranscript } from '../domain/link-to-transcript.ts';
import type { MediaContainer } from '../domain/media-plan.ts';
import type { NewestTranscriptions } from '../domain/newest-transcription.ts';
import type { ParticipantRecord, SessionId, SessionKey } from '../domain/participant-record.ts';
import type { Inspected } from '../domain/plan-work.ts';
import type { PreparedPiece } from '../domain/prepared-piece.ts';
import type { RecordingTrack } from '../domain/recording.ts';
import type { TranscriptFile } from '../domain/render-transcript.ts';
import type { VisitorSegment } from '../domain/room-visitors.ts';
import type { OtherStarts, SessionChange } from '../domain/session-change.ts';
import type { SessionBlock } from '../domain/session-log.ts';
import type { SessionPeople } from '../domain/session-people.ts';
import type { Settled } from '../domain/settled-session.ts';
import type { StoredFact } from '../domain/talk-facts.ts';
import type { TranscriptSpeakers } from '../domain/transcript-speakers.ts';
import type { StoredTranscription, Tombstone, TranscriptionKey, TranscriptionRecord } from '../domain/transcription.ts';
import type { JobRemoval, JobStart, JobState } from '../domain/transcription-job.ts';
import type { PartKey, TranscriptionPart, Work, WorkKey } from '../domain/transcription-part.ts';
import type { ParticipantSpan } from '../domain/voices.ts';
import type { JobOwner, WorkOwner } from '../domain/work.ts';
import type { PlannedFile, SourcePlan } from '../domain/work-plan.ts';
import type { WorkTurn } from '../domain/work-turn.ts';
import type { AssertTimeLeft } from '../time-left.ts';

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

/** Who speaks in the transcripts of all organizations. */
export type SpeakerStore = {
  /** Reads who speaks in a transcription, with strong consistency. */
  find(key: TranscriptionKey): Promise<TranscriptSpeakers | undefined>;
  /** Stores who speaks by the evidence. Does nothing if a person has corrected a speaker already. */
  begin(
    key: TranscriptionKey,
    speakers: Pick<TranscriptSpeakers, 'languageCode' | 'languages' | 'speakers'>,
  ): Promise<void>;
  /** Removes the row. Returns false if it named no participant; without a row, that is not known. */
  remove(key: TranscriptionKey): Promise<boolean>;
};

/** Reads a transcription, or its tombstone, and who speaks in it, with strong consistency. */
export type SpokenReader = (key: TranscriptionKey) => Promise<{
  readonly stored: StoredTranscription | undefined;
  readonly speakers: TranscriptSpeakers | undefined;
}>;

/** Changes who speaks in the transcripts of all organizations. */
export type SpeakerChanges = {
  /**
   * Stores other speakers or corrections than those that were read, and the notice of it if the transcription is ready and shows others
   * now. Returns false if the row or the transcription was changed or removed meanwhile.
   */
  change(
    key: TranscriptionKey,
    asRead: ReadSpeakers,
    to: Partial<Pick<TranscriptSpeakers, 'speakers' | 'corrections'>>,
  ): Promise<boolean>;
};

/** Who speaks in a transcription, and the transcription or its tombstone, as they were read. */
export type ReadSpeakers = {
  readonly row: TranscriptSpeakers;
  readonly transcription: StoredTranscription | undefined;
};

/** Asks for the files of a transcript to be written again, or for its talk times to be measured again, at once or after some seconds. */
export type SendTranscriptChange = (
  message: TranscriptChangeMessage | TalkMessage,
  delaySeconds?: number,
) => Promise<void>;

/** The links of this API, by their tokens. No token is stored, only its hash. */
export type LinkStore = {
  /** Stores a link under a new token. A repeated call changes nothing. */
  add(token: string, link: LinkToTranscript): Promise<void>;
  /** Reads the link of a token with one read, also if it has expired. */
  find(token: string): Promise<LinkToTranscript | undefined>;
};

/** A file to sign a link to, and what the link may do. Without a name and a type, the answer has those that are stored with the file. */
export type SigningRequest = Pick<DownloadableFile, 'key'> &
  Partial<DownloadableFile> & {
    readonly method: 'GET' | 'HEAD';
    readonly validForSeconds: number;
    /** Whether a browser saves the file, as by default, or shows it. */
    readonly disposition?: 'attachment' | 'inline';
  };

/** Signs links of S3. */
export type LinkSigner = {
  /** A link, and the time from which S3 rejects it. Undefined if no session that signs lasts as long as the link. */
  sign(request: SigningRequest): Promise<AccessLink | undefined>;
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

/** Open sessions of all organizations, by the hour from which they are closed if no further event comes. */
export type IdleStore = {
  /** The keys of the sessions that are due at `now`. They may have changed since, so the caller reads each one. */
  listDue(now: Date): AsyncIterable<SessionKey>;
  /** Moves the hour of a session to `idleFrom`. Does nothing if the session has changed since it was read. */
  postpone(session: SessionRecord, idleFrom: string): Promise<void>;
};

/** Ended sessions of all organizations, by the time at which their ends are told if no further event comes. */
export type SettlingStore = {
  /** The keys of the sessions that are due at `now`. They may have changed since, so the caller reads each one. */
  listDue(now: Date): AsyncIterable<SessionKey>;
  /**
   * Stores the notice, what the session's row says from then on, and how usage changes. Returns false if the session has changed, or was
   * told or counted, since it was read.
   */
  settle(session: SessionRecord, settled: Settled): Promise<boolean>;
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

/** Finds out what files are by their content: by their head, their tables and their end. */
export type MediaInspector = {
  /** `unfinished`: finding it out takes more reads or time than this function may take. */
  inspect(location: FileLocation): Promise<Inspected | 'unfinished'>;
};

/** What is to be prepared of a source, and who waits for it. */
export type PieceRequest = {
  readonly files: readonly PlannedFile[];
  readonly plan: Extract<SourcePlan, { kind: 'prepare' }>;
  /** Leaves out silence where the codec shows it. */
  readonly leaveOutSilence: boolean;
  /** The indexes of the pieces that are there already. */
  readonly done: ReadonlySet<number>;
  /** Where the file of a piece goes. */
  readonly target: (index: number) => FileLocation;
  /** Called as soon as the file of a piece is whole. */
  readonly onPiece: (piece: PreparedPiece) => Promise<void>;
  /** False if no more should be prepared now. A piece that is not whole is discarded then. */
  readonly goesOn: () => boolean;
};

/** Copies audio into files that Transcribe takes. */
export type MediaPreparer = {
  /** Prepares the pieces that are not done. Throws a MediaError for a broken file; the pieces before it are whole. */
  prepare(request: PieceRequest): Promise<{ readonly bytesRead: number }>;
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

/** The works that have parts. Every write is safe to repeat. Every read is strongly consistent. */
export type WorkStore = {
  find(key: WorkKey): Promise<Work | undefined>;
  /** Stores the head of a work without ended parts, unless one is stored. Returns the stored one. */
  begin(work: Omit<Work, 'endedParts' | 'isCounted'>): Promise<Work>;
  /** Stores that the parts of a work are counted, if it has a head. */
  markCounted(key: WorkKey): Promise<void>;
  /**
   * Stores a part unless it is stored. One that has ended already is counted in its head, once. Returns false if there is no head any
   * more: then the work was removed, and nothing is stored.
   */
  addPart(part: TranscriptionPart): Promise<boolean>;
  findPart(key: PartKey): Promise<TranscriptionPart | undefined>;
  /** All stored parts in the order of their numbers. */
  listParts(key: WorkKey): Promise<TranscriptionPart[]>;
  /** Stores that the job of a waiting part was started. Returns false if the part is no longer waiting. */
  markPartRunning(key: PartKey, jobStartedAt: string): Promise<boolean>;
  /** Stores the end of a part and counts it in its head, in one transaction. Returns false if it has ended before. */
  endPart(key: PartKey, end: { readonly state: 'done' } | PartFailure): Promise<boolean>;
  findTurn(key: WorkKey): Promise<WorkTurn | undefined>;
  /** Stores a turn instead of the one with the id `asRead`, or as the first one. Returns false if another one is stored. */
  storeTurn(key: WorkKey, turn: WorkTurn, asRead: string | undefined): Promise<boolean>;
  /** Removes the head, the turn and all parts. */
  remove(key: WorkKey): Promise<void>;
};

/** The tracks of recordings. */
export type RecordingTracks = {
  /** All tracks of a recording, with strong consistency, in the order of participant and start. */
  listTracks(organizationId: OrganizationId, recordingId: string): Promise<RecordingTrack[]>;
};

/** A failed part, and why. */
export type PartFailure = { readonly state: 'failed'; readonly failureCode: FailureCode };

/** The events that insights are computed from. */
export type FactStore = {
  /** Reads the blocks of a session's log after the one with the number `after`, strongly consistent, in their order. */
  readBlocks(session: SessionId, after: number): Promise<SessionBlock[]>;
  /** Stores the next block of a session's log. Returns undefined if another worker has stored a block with this number. */
  append(session: SessionId, number: number, facts: readonly StoredFact[]): Promise<SessionBlock | undefined>;
  /** Stores a creation of a room, or the retraction of one. Does nothing if it is stored already. */
  keepOfRoom(event: RoomCreated | RoomRetraction): Promise<void>;
};

/** The sessions of all organizations. */
export type SessionStore = {
  /** Reads the session, with strong consistency. */
  find(key: SessionKey): Promise<SessionRecord | undefined>;
};

/** Who was in which session. */
export type SessionPeopleReader = {
  /** Reads who was in a session of a room, in seconds after `clockStart`, with strong consistency. */
  peopleOf(session: SessionKey, clockStart: string): Promise<SessionPeople>;
};

/** Who spoke in which session, as the platform detected it. */
export type SpeechReader = {
  /**
   * Reads when the participants of a session of a room spoke, in seconds after `clockStart`: all that overlaps with the first `seconds`,
   * or with the minute before or after them, because the clock of the platform may be off by that much.
   */
  speechOf(session: SessionKey, clockStart: string, seconds: number): Promise<readonly ParticipantSpan[]>;
};

/** The rows of rooms and sessions, and the lists of participants. Every read is strongly consistent. */
export type InsightStore = {
  /** Reads the sessions of these rooms. */
  readSessions(session: SessionId, roomNames: readonly string[]): Promise<SessionRecord[]>;
  /** Reads all segments of these shards of a room's visitors. */
  readVisitors(key: RoomKey, shards: readonly number[]): Promise<VisitorSegment[]>;
  readOtherStarts(key: SessionKey): Promise<OtherStarts>;
  readRoom(key: RoomKey): Promise<RoomRecord | undefined>;
  /** Reads the creations of the room that were not taken back. */
  readCreations(key: RoomKey): Promise<RoomCreated[]>;
  isRetracted(event: RoomCreated): Promise<boolean>;
  /** Writes the whole change, or nothing if another writer has changed a session or a room since it was read. */
  commit(change: SessionChange): Promise<boolean>;
  /** Writes the room. Returns false if another writer has changed it since it was read. */
  commitRoom(room: RoomRecord): Promise<boolean>;
  /** Writes what differs between the participant lists before and after a version. A list that is newer stays as it is. */
  writeParticipants(session: SessionId, lists: ListsOfParticipants, assertTimeLeft?: AssertTimeLeft): Promise<void>;
  /** Like `writeParticipants`, for lists that another worker has probably written: it reads them first, and writes what is missing. */
  completeParticipants(session: SessionId, lists: ListsOfParticipants, assertTimeLeft?: AssertTimeLeft): Promise<void>;
};

/** The participants of a session before a version and after it. */
export type ListsOfParticipants = {
  readonly before: readonly ParticipantRecord[];
  readonly after: readonly ParticipantRecord[];
  readonly version: number;
};
