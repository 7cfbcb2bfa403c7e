import { ChangeMessage } from '#shared/contracts/change-messages.ts';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { isGone } from '#shared/domain/transcriptions/transcription.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import type { AssertTimeLeft } from '#shared/runtime/time-left.ts';
import { type ActivityDependencies, measureActivity } from '#shared/use-cases/insights/measure-activity.ts';
import type { RecordSessionDependencies } from '#shared/use-cases/insights/session-update.ts';
import { recordTalk } from '#shared/use-cases/speakers/record-talk.ts';
import {
  type MeasureDependencies,
  measureTranscript,
  type TranscriptOfSession,
} from '#shared/use-cases/transcriptions/speakers/measure-transcript.ts';
import { type WriteDependencies, writeTranscript } from '#shared/use-cases/transcriptions/write-transcript.ts';

type Deps = WriteDependencies &
  MeasureDependencies &
  ActivityDependencies &
  RecordSessionDependencies & { readonly queue: WorkerQueue };

/**
 * Writes the files of a transcript again after its speakers were corrected, and records for how long they speak, also if it became ready or
 * was deleted, and for how long the participants of a session were heard. The message may come twice, late, or after the transcription was deleted.
 */
export const createHandler = ({ queue, ...deps }: Deps) => {
  const measureSession = (session: SessionId, assertTimeLeft: AssertTimeLeft) =>
    recordTalk(deps, session, () => measureActivity(deps, session), assertTimeLeft);
  const measure = (of: TranscriptOfSession, assertTimeLeft: AssertTimeLeft) =>
    recordTalk(deps, of, () => measureTranscript(deps, of), assertTimeLeft);

  return worker(
    { name: 'write-transcript', schema: ChangeMessage, queue, factsOf },
    async (message, assertTimeLeft) => {
      if ('roomName' in message) return measure(message, assertTimeLeft);
      if ('roomSessionId' in message) return measureSession(message, assertTimeLeft);
      const { organizationId, transcriptionId } = message;
      await writeTranscript(deps, { organizationId, transcriptionId });
      const stored = await deps.transcriptions.find(organizationId, transcriptionId);
      if (!isGone(stored)) await measure(stored, assertTimeLeft); // whoever deletes it sends a message for that
    },
  );
};

function factsOf(message: ChangeMessage) {
  const { organizationId } = message;
  if (!('transcriptionId' in message)) return { organizationId, roomSessionId: message.roomSessionId };
  return { organizationId, transcriptionId: message.transcriptionId, correlationId: message.correlationId };
}
