import type { FileLocation, RoomEvent } from '#shared/contracts/events.ts';
import { maxTracks, type RecordingTrack } from '#shared/domain/transcriptions/recording.ts';
import { UnreadableMessage } from '#shared/runtime/errors.ts';
import type { Pause } from '#shared/runtime/retry.ts';
import { type AssertTimeLeft, noTimeLimit } from '#shared/runtime/time-left.ts';
import { untilCommitted } from '../common/until-committed.ts';
import type { FileClaim, RecordingRegistration, TrackReport } from './recording-ports.ts';

type RecordingFinished = Extract<RoomEvent, { type: 'recording.finished' }>;
type TrackFinished = Extract<RoomEvent, { type: 'recording.track.finished' }>;

/** The store and the settings that recording a finished recording or track needs. */
export type RecordRecordingDependencies = {
  readonly registration: RecordingRegistration;
  readonly transcriptsBucket: string;
  readonly pause?: Pause | undefined;
};

/** A file that an event names, and the path of its location in the event. */
type NamedFile = { readonly location: FileLocation; readonly path: string };

/**
 * Records that a recording is finished, so that its organization can transcribe it. The first event that names a file makes its
 * organization the owner. All files are claimed before the first track is stored, and the recording is shown after the last one, so
 * that a refused event or a crash leaves no part of it that counts. Throws `UnreadableMessage` if another organization owns a file, or
 * if one is a transcript.
 */
export async function recordRecording(
  deps: RecordRecordingDependencies,
  { id, organizationId, createdAt, data }: RecordingFinished,
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<void> {
  const { tracks = [], ...recording } = data;
  const { recordingId, location } = recording;
  const ofTracks = tracks.map((track, index) => ({ ...track, path: `data.tracks.${index}` }));
  const files = [
    ...ofTracks.map(({ location, path }) => ({ location, path: `${path}.location` })),
    ...(location ? [{ location, path: 'data.location' }] : []),
  ];
  refuseTranscripts(deps, files);
  if (ofTracks.length > 0)
    await claim(deps, { organizationId, recordingId, claimedAt: createdAt }, files, assertTimeLeft);
  for (const { path, ...track } of ofTracks) {
    const report = { ...reported(track), organizationId, recordingId, reportedAt: createdAt, reportedBy: id };
    await store(deps, report, path, assertTimeLeft);
  }
  await untilCommitted(
    async () => {
      const outcome = await deps.registration.register({ organizationId, ...recording, finishedAt: createdAt });
      if (outcome === 'foreign-file') throw foreignFile('data.location');
      return outcome === 'lost-race' ? outcome : 'done';
    },
    { assertTimeLeft, pause: deps.pause },
  );
}

/**
 * Records one track of a recording that is still open, or that was finished before this event arrived. Throws `UnreadableMessage` as
 * `recordRecording` does, and if the recording has more tracks than are transcribed.
 */
export async function recordTrack(
  deps: RecordRecordingDependencies,
  { id, organizationId, createdAt, data }: TrackFinished,
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<void> {
  const { roomName, roomSessionId, ...track } = data;
  const { recordingId, location } = track;
  const files = [{ location, path: 'data.location' }];
  refuseTranscripts(deps, files);
  await claim(deps, { organizationId, recordingId, claimedAt: createdAt }, files, assertTimeLeft);
  const room = { roomName, roomSessionId };
  const report = { ...reported(track), organizationId, recordingId, reportedAt: createdAt, reportedBy: id, room };
  await store(deps, report, 'data', assertTimeLeft);
}

type NamedTrack = NonNullable<RecordingFinished['data']['tracks']>[number];

function reported({ source = 'microphone', ...track }: NamedTrack): NamedTrack & Pick<RecordingTrack, 'source'> {
  return { ...track, source };
}

function refuseTranscripts({ transcriptsBucket }: RecordRecordingDependencies, files: readonly NamedFile[]): void {
  const path = files.find(({ location }) => location.bucket === transcriptsBucket)?.path;
  if (path !== undefined) throw refused(`${path}.bucket`, 'must not be that of transcripts');
}

async function claim(
  { registration, pause }: RecordRecordingDependencies,
  by: FileClaim,
  files: readonly NamedFile[],
  assertTimeLeft: AssertTimeLeft,
): Promise<void> {
  const attempt = async () => {
    const outcome = await registration.claimFiles(
      by,
      files.map(({ location }) => location),
    );
    if (outcome === 'lost-race') return outcome;
    if (outcome === 'claimed') return 'done';
    const { bucket, key } = outcome.foreignFile;
    const named = files.find(({ location }) => location.bucket === bucket && location.key === key);
    throw foreignFile(String(named?.path));
  };
  await untilCommitted(attempt, { assertTimeLeft, pause });
}

async function store(
  { registration, pause }: RecordRecordingDependencies,
  report: TrackReport,
  path: string,
  assertTimeLeft: AssertTimeLeft,
): Promise<void> {
  const attempt = async () => {
    const outcome = await registration.storeTrack(report);
    if (outcome === 'too-many') throw refused(path, `must be of a recording with at most ${maxTracks} tracks`);
    return outcome === 'lost-race' ? outcome : 'done';
  };
  await untilCommitted(attempt, { assertTimeLeft, pause });
}

function foreignFile(path: string): UnreadableMessage {
  return refused(path, 'must not be a file of another organization');
}

function refused(path: string, message: string): UnreadableMessage {
  return new UnreadableMessage([{ path, message }]);
}
