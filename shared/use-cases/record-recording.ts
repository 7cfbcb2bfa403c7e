import type { RoomEvent } from '../contracts/events.ts';
import { UnreadableMessage } from '../errors.ts';
import type { Pause } from '../retry.ts';
import { type AssertTimeLeft, noTimeLimit } from '../time-left.ts';
import type { RecordingRegistration } from './ports.ts';
import { untilCommitted } from './until-committed.ts';

type RecordingFinished = Extract<RoomEvent, { type: 'recording.finished' }>;

/** The store and the settings that recording a finished recording needs. */
export type RecordRecordingDependencies = {
  readonly registration: RecordingRegistration;
  readonly transcriptsBucket: string;
  readonly pause?: Pause | undefined;
};

/**
 * Records that a recording is finished, so that its organization can transcribe it. The first event that names a file makes its
 * organization the owner. Throws `UnreadableMessage` if another organization owns the file, or if it is a transcript.
 */
export async function recordRecording(
  { registration, transcriptsBucket, pause }: RecordRecordingDependencies,
  { organizationId, createdAt: finishedAt, data }: RecordingFinished,
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<void> {
  if (data.location.bucket === transcriptsBucket)
    throw refused('data.location.bucket', 'must not be that of transcripts');
  await untilCommitted(
    async () => {
      const outcome = await registration.register({ organizationId, ...data, finishedAt });
      if (outcome === 'foreign-file') throw refused('data.location', 'must not be a file of another organization');
      return outcome === 'lost-race' ? outcome : 'done';
    },
    { assertTimeLeft, pause },
  );
}

function refused(path: string, message: string): UnreadableMessage {
  return new UnreadableMessage([{ path, message }]);
}
