import { type MediaPreparationMessage, TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import type { MessageSender } from '#shared/queue/send.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import { addToLogContext, type LogFacts } from '#shared/runtime/logger.ts';
import { type Measured, recordMetrics } from '#shared/runtime/metrics.ts';
import {
  type StartPartDependencies,
  type StartPartOutcome,
  startPart,
} from '#shared/use-cases/transcriptions/parts/start-part.ts';
import {
  type StartDependencies,
  type StartOutcome,
  startTranscription,
} from '#shared/use-cases/transcriptions/start-transcription.ts';

type Deps = Omit<StartDependencies & StartPartDependencies, 'sendAgain' | 'sendJobs' | 'sendPreparation'> & {
  readonly queue: WorkerQueue;
  readonly jobMessages: MessageSender<TranscriptionJobMessage>;
  readonly preparations: MessageSender<MediaPreparationMessage>;
};

/**
 * Starts the Transcribe job of a transcription that is in progress, or of one of its parts. Create, prepare-media, the end of another part,
 * the reconciler and this worker send the messages. A message may arrive late or more than once. If Transcribe is busy, the worker sends a new message with a delay.
 */
export const createHandler = ({ queue, jobMessages, preparations, ...deps }: Deps) =>
  worker({ name: 'start-transcription', schema: TranscriptionJobMessage, queue, factsOf }, async (message) => {
    const { part } = message;
    const sendAgain: StartDependencies['sendAgain'] = (again, delaySeconds) =>
      jobMessages.send(again.organizationId, [again], { delaySeconds });
    const sendPreparation: StartDependencies['sendPreparation'] = (preparation) =>
      preparations.send(preparation.organizationId, [preparation]);
    const all = { ...deps, sendAgain, sendPreparation, sendJobs: jobMessages.send };
    const outcome =
      part === undefined ? await startTranscription(all, message) : await startPart(all, { ...message, part });
    addToLogContext({ outcome: outcome.result });
    recordMetrics(measuredOf(outcome));
  });

function measuredOf(outcome: StartOutcome | StartPartOutcome): Measured {
  switch (outcome.result) {
    case 'started':
      return { TranscriptionsStarted: 1, TranscribedTime: outcome.recordingSeconds };
    case 'busy':
      return { TranscribeBusy: 1 };
    case 'failed':
      return { TranscriptionsFailed: 1 };
    case 'refused':
      return { PartsFailed: 1 };
    case 'given-up':
      return { TranscriptionsFailed: 1, JobsGivenUp: 1 };
    case 'parts-given-up':
      return { PartsFailed: 1, JobsGivenUp: 1 };
    case 'preparing':
    case 'denied': // an alarm tells of it once it is given up
    case 'taken-over': // its job was counted when it was started
    case 'ended':
    case 'nothing':
      return {};
  }
}

function factsOf({ organizationId, transcriptionId, correlationId, part, attempt }: TranscriptionJobMessage): LogFacts {
  const ids = { organizationId, transcriptionId, ...(correlationId !== undefined && { correlationId }) };
  return { ...ids, attempt, ...(part !== undefined && { part }) };
}
