import type { SQSClient } from '@aws-sdk/client-sqs';
import type { ChangeMessage } from '../contracts/change-messages.ts';
import { messageSender } from './send.ts';

/** Returns the function that asks for what follows from a change of a transcript, at once or after some seconds. */
export function transcriptChanges(
  sqs: Pick<SQSClient, 'send'>,
  queueUrl: string,
): (message: ChangeMessage, delaySeconds?: number) => Promise<void> {
  const { send } = messageSender<ChangeMessage>(sqs, queueUrl);
  return (message, delaySeconds) =>
    send(message.organizationId, [message], delaySeconds === undefined ? {} : { delaySeconds });
}
