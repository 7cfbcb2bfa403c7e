import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import type {
  PartKey,
  TranscriptionPart,
  Work,
  WorkKey,
} from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { WorkTurn } from '#shared/domain/transcriptions/parts/work-turn.ts';
import type { RecordingTrack } from '#shared/domain/transcriptions/recording.ts';

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
