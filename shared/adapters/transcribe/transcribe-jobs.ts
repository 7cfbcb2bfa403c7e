import {
  BadRequestException,
  ConflictException,
  DeleteTranscriptionJobCommand,
  GetTranscriptionJobCommand,
  NotFoundException,
  StartTranscriptionJobCommand,
  type TranscribeClient,
} from '@aws-sdk/client-transcribe';
import type { FileLocation } from '../../contracts/events.ts';
import type { TranscribeJobStateChange } from '../../contracts/messages.ts';
import type { OrganizationId } from '../../contracts/organization.ts';
import type { FailureCode } from '../../contracts/transcription.ts';
import { isThrottled } from '../../dependency-faults.ts';
import { jobOutputKey } from '../../domain/transcript-location.ts';
import type { TranscriptionKey, TranscriptionRecord } from '../../domain/transcription.ts';
import type { JobRemoval, JobStart, JobState } from '../../domain/transcription-job.ts';
import { failureCodeOf } from './failure-reasons.ts';
import { jobName, parseJobName } from './job-name.ts';

/** The maximum number of speakers that Transcribe distinguishes. Its own limit is 30. */
const maxSpeakers = 10;

/** Starts, reads and removes the jobs of transcriptions. */
export type TranscribeJobs = ReturnType<typeof transcribeJobs>;

/** The Amazon Transcribe jobs of this deployment. A transcription has at most one. */
export function transcribeJobs(transcribe: Pick<TranscribeClient, 'send'>, namePrefix: string, outputBucket: string) {
  const nameOf = (owner: TranscriptionKey) => jobName(namePrefix, owner);

  const find = async (owner: TranscriptionKey) => {
    const command = new GetTranscriptionJobCommand({ TranscriptionJobName: nameOf(owner) });
    try {
      return (await transcribe.send(command)).TranscriptionJob;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };

  return {
    /**
     * Starts the job. Returns `started` if the same job exists already. Returns a refusal if a job of that name exists for
     * other media, because that is a defect.
     */
    async start(
      record: TranscriptionKey & Pick<TranscriptionRecord, 'correlationId'>,
      media: FileLocation,
    ): Promise<JobStart> {
      const mediaUri = `s3://${media.bucket}/${media.key}`;
      try {
        await transcribe.send(
          new StartTranscriptionJobCommand({
            TranscriptionJobName: nameOf(record),
            Media: { MediaFileUri: mediaUri },
            IdentifyLanguage: true,
            Settings: { ShowSpeakerLabels: true, MaxSpeakerLabels: maxSpeakers },
            OutputBucketName: outputBucket,
            OutputKey: jobOutputKey(record),
            ...(record.correlationId !== undefined && {
              Tags: [{ Key: 'correlationId', Value: record.correlationId }],
            }),
          }),
        );
        return 'started';
      } catch (error) {
        if (error instanceof ConflictException) {
          const existing = await find(record);
          if (!existing) return 'busy'; // deleted between the two calls
          return existing.Media?.MediaFileUri === mediaUri ? 'started' : { refused: 'engine_error' };
        }
        if (isThrottled(error)) return 'busy'; // LimitExceededException too
        if (error instanceof BadRequestException) return { refused: failureCodeOf(error.message) };
        throw error;
      }
    },

    /** Reads the current state of the job from Transcribe. */
    async state(owner: TranscriptionKey): Promise<JobState> {
      const job = await find(owner);
      if (!job) return 'absent';
      if (job.TranscriptionJobStatus === 'COMPLETED') return 'completed';
      if (job.TranscriptionJobStatus === 'FAILED') return { failureReason: job.FailureReason ?? '' };
      return 'running';
    },

    /**
     * Removes the job. Transcribe rejects this while the job runs and above five requests a second. Try again later
     * then.
     */
    async remove(organizationId: OrganizationId, transcriptionId: string): Promise<JobRemoval> {
      const TranscriptionJobName = nameOf({ organizationId, transcriptionId });
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
     * Returns the owner of an ended job, and its failure if it failed. Returns no owner for a job of another
     * deployment.
     */
    endOf({ detail }: TranscribeJobStateChange): {
      readonly owner?: TranscriptionKey;
      readonly failureCode?: FailureCode;
    } {
      const owner = parseJobName(namePrefix, detail.TranscriptionJobName);
      if (!owner) return {};
      return detail.TranscriptionJobStatus === 'FAILED'
        ? { owner, failureCode: failureCodeOf(detail.FailureReason ?? '') }
        : { owner };
    },

    /** Builds the message of a lost Transcribe event. */
    stateChange(
      owner: TranscriptionKey,
      result: 'completed' | { readonly failureReason: string },
    ): TranscribeJobStateChange {
      const TranscriptionJobName = nameOf(owner);
      if (result === 'completed') return { detail: { TranscriptionJobName, TranscriptionJobStatus: 'COMPLETED' } };
      return {
        detail: { TranscriptionJobName, TranscriptionJobStatus: 'FAILED', FailureReason: result.failureReason },
      };
    },
  };
}

/** Whether a job is unknown. Transcribe reports this with two errors, depending on the operation. */
function isNotFound(error: unknown): boolean {
  if (error instanceof NotFoundException) return true;
  return error instanceof BadRequestException && /couldn't be found|not found/i.test(error.message);
}
