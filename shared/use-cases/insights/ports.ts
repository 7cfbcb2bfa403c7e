import type { RoomCreated, RoomRetraction } from '#shared/contracts/insights/session-events.ts';
import type { RoomKey, RoomRecord, SessionRecord } from '#shared/domain/insights/insight-records.ts';
import type { ParticipantRecord, SessionId, SessionKey } from '#shared/domain/insights/participant-record.ts';
import type { VisitorSegment } from '#shared/domain/insights/room-visitors.ts';
import type { OtherStarts, SessionChange } from '#shared/domain/insights/session/session-change.ts';
import type { SessionBlock } from '#shared/domain/insights/session/session-log.ts';
import type { SessionPeople } from '#shared/domain/insights/session/session-people.ts';
import type { Settled } from '#shared/domain/insights/session/settled-session.ts';
import type { StoredFact } from '#shared/domain/insights/talk-facts.ts';
import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';
import type { AssertTimeLeft } from '#shared/runtime/time-left.ts';

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
