import { randomUUID } from 'node:crypto';
import { type Job, nameOf } from './job.ts';

/** The EventBridge event Amazon Transcribe sends when a job has completed or failed. */
export type TranscribeJobStateChange = {
  version: '0';
  id: string;
  'detail-type': 'Transcribe Job State Change';
  source: 'aws.transcribe';
  account: string;
  time: string;
  region: string;
  resources: string[];
  detail: {
    TranscriptionJobName: string;
    TranscriptionJobStatus: 'COMPLETED' | 'FAILED';
    FailureReason?: string;
  };
};

/** The event of an ended job. Undefined for an unfinished one: Amazon documents no other events. */
export function stateChangeOf(
  job: Job,
  { account, region }: { account: string; region: string },
): TranscribeJobStateChange | undefined {
  if (job.status !== 'COMPLETED' && job.status !== 'FAILED') return undefined;
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Transcribe Job State Change',
    source: 'aws.transcribe',
    account,
    // EventBridge times are whole seconds.
    time: (job.completedAt ?? job.createdAt).replace(/\.\d+Z$/, 'Z'),
    region,
    resources: [],
    detail: {
      TranscriptionJobName: nameOf(job),
      TranscriptionJobStatus: job.status,
      ...(job.failureReason === undefined ? {} : { FailureReason: job.failureReason }),
    },
  };
}
