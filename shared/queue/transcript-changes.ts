import type { SQSClient } from '@aws-sdk/client-sqs';
import type { TranscriptChangeMessage } from '../contracts/messages.ts';
import type { SendTranscriptChange } from '../use-cases/ports.ts';
import { messageSender } from './send.ts';

/** Implements `SendTranscriptChange` with a queue. */
export function transcriptChanges(sqs: Pick<SQSClient, 'send'>, queueUrl: string): SendTranscriptChange {
  const { send } = messageSender<TranscriptChangeMessage>(sqs, queueUrl);
  return (message, delaySeconds) =>
    send(message.organizationId, [message], delaySeconds === undefined ? {} : { delaySeconds });
}
