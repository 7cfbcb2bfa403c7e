import type { RecordingFiles } from '#shared/adapters/s3/recording-files.ts';
import type { TranscribeJobs } from '#shared/adapters/transcribe/transcribe-jobs.ts';
import { TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import { busyPauseSeconds, deadlines } from '#shared/domain/deadlines.ts';
import { failure, preflightFailure } from '#shared/domain/failures.ts';
import { billableSeconds, isDeleted } from '#shared/domain/transcription.ts';
import { type LogFacts, log } from '#shared/logger.ts';
import type { MessageSender } from '#shared/queue/send.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import type { DueTranscriptions } from '#shared/storage/due-transcriptions.ts';
import type { TranscriptionRepository } from '#shared/storage/transcriptions.ts';

type Deps = {
  readonly queue: WorkerQueue;
  readonly transcriptions: Pick<TranscriptionRepository, 'find' | 'markFailed' | 'markJobStarted'>;
  readonly due: Pick<DueTranscriptions, 'postpone'>;
  readonly recordings: RecordingFiles;
  readonly jobs: Pick<TranscribeJobs, 'start' | 'remove'>;
  readonly jobMessages: MessageSender<TranscriptionJobMessage>;
  readonly now?: () => Date;
};

/**
 * Fed by create and by the reconciler through the transcription-jobs queue, possibly twice and late: looks whether the
 * transcription still waits, refuses what Transcribe could not do before it costs anything, starts the job under the one
 * name it can have, and notes when to ask for it. Where Transcribe is busy the message is put back afresh, so that a long
 * wait never counts as a failure.
 */
export const createHandler = ({
  queue,
  transcriptions,
  due,
  recordings,
  jobs,
  jobMessages,
  now = () => new Date(),
}: Deps) =>
  worker({ name: 'start-transcription', schema: TranscriptionJobMessage, queue, factsOf }, async (message) => {
    const { organizationId, transcriptionId, attempt } = message;
    const record = await transcriptions.find(organizationId, transcriptionId);
    if (!record || isDeleted(record) || record.state !== 'in_progress' || !record.location) return;

    const recordingSeconds = billableSeconds(record.startDate, record.endDate ?? record.startDate);
    const refusal = preflightFailure(recordingSeconds, await recordings.size(record.location));
    if (refusal) return void (await transcriptions.markFailed(record, failure(refusal)));

    const outcome = await jobs.start(record, record.location);
    if (outcome === 'busy') {
      const delaySeconds = busyPauseSeconds(attempt);
      log.info('transcribe is busy', { delaySeconds });
      await jobMessages.send([{ ...message, attempt: attempt + 1 }], { delaySeconds });
      await due.postpone(record, deadlines.jobStartAfterPause(now(), delaySeconds));
    } else if (outcome === 'started') {
      const dates = { jobStartedAt: now().toISOString(), dueAt: deadlines.jobEnd(now(), recordingSeconds) };
      const isWanted = await transcriptions.markJobStarted(record, dates);
      if (!isWanted) await jobs.remove(organizationId, transcriptionId);
    } else {
      await transcriptions.markFailed(record, failure(outcome.refused));
    }
  });

function factsOf({ organizationId, transcriptionId, attempt }: TranscriptionJobMessage): LogFacts {
  return { organizationId, transcriptionId, attempt };
}
