import { type JobKey, jobName } from '#shared/adapters/transcriptions/job-name.ts';
import { sqsEvent } from '../http/sqs-events.ts';

/** The event that a job of Transcribe has completed, as its worker gets it. */
export function completedJob(stackName: string, key: JobKey): object {
  return sqsEvent({
    detail: { TranscriptionJobName: jobName(stackName, key), TranscriptionJobStatus: 'COMPLETED' },
  });
}

const word = (content: string, from: number) => ({
  ...{ id: 0, type: 'pronunciation', alternatives: [{ confidence: '0.99', content }], speaker_label: 'spk_0' },
  ...{ start_time: String(from), end_time: String(from + 0.4) },
});
const items = ['Good', 'morning', 'to', 'all'].map((content, index) => word(content, index / 2));

/** What Transcribe writes for a job, as JSON. */
export const jobOutput = JSON.stringify({
  ...{ jobName: 'job', accountId: '123456789012', status: 'COMPLETED' },
  results: { language_code: 'en-US', transcripts: [{ transcript: 'Good morning to all' }], items },
});
