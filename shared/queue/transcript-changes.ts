import type { SQSClient } from '@aws-sdk/client-sqs';
import type { TranscriptChangeMessage } from '../contracts/messages.ts';
import { messageSender } from './send.ts';

/** Returns the function that asks for the files of a transcript to be written again, at once or after some seconds. */
export function transcriptChanges(
  sqs: Pick<SQSClient, 'send'>,
  queueUrl: string,
): (message: TranscriptChangeMessage, delaySeconds?: number) => Promise<void> {
  const { send } = messageSender<TranscriptChangeMessage>(sqs, queueUrl);
  return (message, delaySeconds) =>
    send(message.organizationId, [message], delaySeconds === undefined ? {} : { delaySeconds });
}
