import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { asciiJson } from '#shared/runtime/ascii-json.ts';

type Event = { readonly organizationId: string };

/** SQS takes ten messages. */
const messagesPerBatch = 10;

/** Sends events to a queue in the largest possible batches, one after the other, in the groups of their organizations. */
export async function sendInBatches(
  sqs: SQSClient,
  QueueUrl: string | undefined,
  events: readonly Event[],
): Promise<void> {
  for (let from = 0; from < events.length; from += messagesPerBatch) {
    const Entries = events.slice(from, from + messagesPerBatch).map((event, index) => ({
      Id: String(index),
      MessageBody: asciiJson(event),
      MessageGroupId: event.organizationId,
    }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
}
