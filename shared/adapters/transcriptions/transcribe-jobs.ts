import {
  BadRequestException,
  ConflictException,
  DeleteTranscriptionJobCommand,
  GetTranscriptionJobCommand,
  type MediaFormat,
  NotFoundException,
  StartTranscriptionJobCommand,
  type TranscribeClient,
} from '@aws-sdk/client-transcribe';
import type { FileLocation } from '#shared/contracts/events.ts';
import type { TranscribeJobStateChange } from '#shared/contracts/messages.ts';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import type { MediaContainer } from '#shared/domain/media/media-plan.ts';
import { type JobOwner, workOf } from '#shared/domain/transcriptions/parts/work.ts';
import { jobOutputKey, partOutputKey } from '#shared/domain/transcriptions/transcript-location.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import type { JobRemoval, JobStart, JobState } from '#shared/domain/transcriptions/transcription-job.ts';
import { isThrottled } from '#shared/runtime/dependency-faults.ts';
import { placesThatStartJobs } from '#shared/runtime/names.ts';
import { pace } from '#shared/runtime/pace.ts';
import { failureCodeOf } from './failure-reasons.ts';
import { type JobKey, jobName, parseJobName } from './job-name.ts';
import { denialOf, startAfter } from './start-errors.ts';
import { transcribeSettings } from './transcribe-settings.ts';

type StartOwner = JobOwner & Pick<TranscriptionRecord, 'options'>;

/** Starts, reads and removes the jobs of transcriptions. */
export type TranscribeJobs = ReturnType<typeof transcribeJobs>;

/** The Amazon Transcribe jobs of this deployment. A transcription has at most one, or one for each part of its work. */
export function transcribeJobs(transcribe: Pick<TranscribeClient, 'send'>, namePrefix: string, outputBucket: string) {
  const nameOf = (owner: JobOwner) => jobName(namePrefix, { ...workOf(owner), part: owner.part });

  const find = async (owner: JobOwner) => {
    const command = new GetTranscriptionJobCommand({ TranscriptionJobName: nameOf(owner) });
    try {
      return (await transcribe.send(command)).TranscriptionJob;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };

  const afterConflict = async (record: StartOwner, mediaUri: string): Promise<JobStart> => {
    const existing = await find(record);
    if (!existing) return 'busy'; // deleted between the two calls
    const isSame = existing.Media?.MediaFileUri === mediaUri && !existing.ContentRedaction === !record.options?.redact;
    return isSame ? 'exists' : { refused: 'engine_error' };
  };

  return {
    /**
     * Starts the job, unless the same job exists. Returns a refusal if a job of that name exists for other media, or
     * with other redaction, because that is a defect.
     */
    async start(record: StartOwner, media: FileLocation, container?: MediaContainer): Promise<JobStart> {
      const mediaUri = `s3://${media.bucket}/${media.key}`;
      try {
        await transcribe.send(
          new StartTranscriptionJobCommand({
            TranscriptionJobName: nameOf(record),
            Media: { MediaFileUri: mediaUri },
            ...(container !== undefined && { MediaFormat: mediaFormats[container] }),
            ...transcribeSettings(record.options),
            OutputBucketName: outputBucket,
            OutputKey: outputKeyOf(record),
          }),
        );
        return 'started';
      } catch (error) {
        return error instanceof ConflictException
          ? await afterConflict(record, mediaUri).catch(startAfter)
          : startAfter(error);
      }
    },

    /** Reads the current state of the job from Transcribe. */
    async state(owner: JobOwner): Promise<JobState> {
      const job = await find(owner).catch((error: unknown) => {
        const denied = denialOf(error);
        if (denied === undefined) throw error;
        return { denied };
      });
      if (!job) return 'absent';
      if ('denied' in job) return job;
      if (job.TranscriptionJobStatus === 'COMPLETED') return 'completed';
      if (job.TranscriptionJobStatus === 'FAILED') return { failureReason: job.FailureReason ?? '' };
      return 'running';
    },

    /**
     * Removes the job. Transcribe rejects this while the job runs and above five requests a second. Try again later
     * then.
     */
    async remove(owner: JobOwner): Promise<JobRemoval> {
      const TranscriptionJobName = nameOf(owner);
      try {
        await transcribe.send(new DeleteTranscriptionJobCommand({ TranscriptionJobName }));
        return 'removed';
      } catch (error) {
        if (isNotFound(error)) return 'removed';
        if (error instanceof BadRequestException || isThrottled(error)) return 'later';
        throw error;
      }
    },

    /**
     * Returns the work of an ended job, and its failure if it failed. Returns no work for a job of another
     * deployment.
     */
    endOf({ detail }: TranscribeJobStateChange): {
      readonly work?: JobKey;
      readonly failureCode?: FailureCode;
    } {
      const work = parseJobName(namePrefix, detail.TranscriptionJobName);
      if (!work) return {};
      return detail.TranscriptionJobStatus === 'FAILED'
        ? { work, failureCode: failureCodeOf(detail.FailureReason ?? '') }
        : { work };
    },

    /** Builds the message of a lost Transcribe event. */
    stateChange(owner: JobOwner, result: 'completed' | { readonly failureReason: string }): TranscribeJobStateChange {
      const TranscriptionJobName = nameOf(owner);
      if (result === 'completed') return { detail: { TranscriptionJobName, TranscriptionJobStatus: 'COMPLETED' } };
      return {
        detail: { TranscriptionJobName, TranscriptionJobStatus: 'FAILED', FailureReason: result.failureReason },
      };
    },
  };
}

/**
 * Starts at most so many jobs a second, evenly spaced, together with the other places that start jobs. Each of them has the same share. A start
 * after a quiet time does not wait.
 */
export function pacedStarts(
  { start }: Pick<TranscribeJobs, 'start'>,
  startsPerSecond: number,
  clock?: Parameters<typeof pace>[1],
): Pick<TranscribeJobs, 'start'> {
  const turn = pace(startsPerSecond / placesThatStartJobs, clock);
  return {
    start: async (...job) => {
      await turn();
      return start(...job);
    },
  };
}

/** The names that Transcribe has for containers. M4A is MP4. It has none for those that are never given to it. */
const mediaFormats: Partial<Record<MediaContainer, MediaFormat>> = {
  amr: 'amr',
  flac: 'flac',
  mp3: 'mp3',
  mp4: 'mp4',
  ogg: 'ogg',
  wav: 'wav',
  webm: 'webm',
};

/** The key of the output of a job, which Transcribe changes if it redacts. */
function outputKeyOf(owner: JobOwner): string {
  const { organizationId, transcriptionId: workId } = workOf(owner);
  if (owner.part === undefined) return jobOutputKey({ organizationId, transcriptionId: workId });
  return partOutputKey({ organizationId, workId, part: owner.part });
}

/** Whether a job is unknown. Transcribe reports this with two errors, depending on the operation. */
function isNotFound(error: unknown): boolean {
  if (error instanceof NotFoundException) return true;
  return error instanceof BadRequestException && /couldn't be found|not found/i.test(error.message);
}
