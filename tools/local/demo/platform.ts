import { randomUUID } from 'node:crypto';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { FileLocation } from '#shared/contracts/events.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { DemoOptions } from './transcript.ts';

/** A recording as its event has it, and its files by the locations that it names. */
export type FinishedRecording = {
  readonly data: object;
  readonly files: readonly { readonly location: FileLocation; readonly body: Uint8Array }[];
};

/** Uploads the files of a recording and sends its event, as a platform does. */
export async function finishRecording(
  { endpoints, organizationId, signal: abortSignal }: Pick<DemoOptions, 'endpoints' | 'organizationId' | 'signal'>,
  { data, files }: FinishedRecording,
): Promise<void> {
  const s3 = new S3Client(clientSettings(endpoints.s3Url));
  const sqs = new SQSClient(clientSettings(endpoints.sqsUrl));
  try {
    for (const { location, body } of files) {
      const upload = new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body: body });
      await s3.send(upload, { abortSignal });
    }
    const createdAt = new Date().toISOString();
    const event = { id: randomUUID(), type: 'recording.finished', organizationId, createdAt, data };
    const QueueUrl = endpoints.queues.roomEvents;
    const message = { QueueUrl, MessageBody: JSON.stringify(event), MessageGroupId: organizationId };
    await sqs.send(new SendMessageCommand(message), { abortSignal });
  } finally {
    s3.destroy();
    sqs.destroy();
  }
}
