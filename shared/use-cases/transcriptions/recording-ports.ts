import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { RecordingRecord, RecordingTrack } from '#shared/domain/transcriptions/recording.ts';

/** The recordings of all organizations. */
export type RecordingStore = {
  /** Reads the recording, with strong consistency. Undefined if no event has reported it completely, nor a track of it alone. */
  find(organizationId: OrganizationId, recordingId: string): Promise<RecordingRecord | undefined>;
};

/** What the event that finishes a recording says about it. */
export type Registered = Omit<
  RecordingRecord,
  'latestTranscriptionId' | 'otherTranscriptions' | 'trackRevision' | 'revision'
> & {
  readonly startDate: string;
  readonly endDate: string;
  readonly finishedAt: string;
};

/**
 * Result of a registration. `registered`: it is stored, by this call or by an earlier one. `outdated`: a later report of the recording is stored, and only the file has been claimed. `foreign-file`:
 * another organization owns the file. `lost-race`: another writer was faster. The last two have written nothing.
 */
export type RegistrationOutcome = 'registered' | 'outdated' | 'foreign-file' | 'lost-race';

/** Who claims files of a recording, and the time of the event that names them. */
export type FileClaim = {
  readonly organizationId: OrganizationId;
  readonly recordingId: string;
  readonly claimedAt: string;
};

/**
 * What an event says about a track. Of two events with the same time, the one with the higher id (`reportedBy`) counts. `room`: the
 * event reports the track alone, so it also says of which room the recording is.
 */
export type TrackReport = RecordingTrack & {
  readonly reportedBy: string;
  readonly room?: Pick<RecordingRecord, 'roomName' | 'roomSessionId'> | undefined;
};

/** Registers recordings and their tracks, and claims their files for their organization. A repetition changes nothing. */
export type RecordingRegistration = {
  register(recording: Registered): Promise<RegistrationOutcome>;
  /** Claims all of these files, or none of the first 100 if another organization owns one of them. */
  claimFiles(
    claim: FileClaim,
    locations: readonly FileLocation[],
  ): Promise<'claimed' | 'lost-race' | { readonly foreignFile: FileLocation }>;
  /**
   * Stores a track and counts it in its recording, in one transaction. `outdated`: this report or a later one of the track is stored.
   * `too-many`: the recording has more tracks than a transcription takes. Only `stored` has written anything.
   */
  storeTrack(report: TrackReport): Promise<'stored' | 'outdated' | 'too-many' | 'lost-race'>;
};
