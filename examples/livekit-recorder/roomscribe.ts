import { createReadStream } from 'node:fs';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { v5 } from 'uuid';

/** The namespace of Roomscribe's UUIDs of sessions. It never changes. */
const namespace = '7b1f0c1e-6d3b-4a57-9a57-0f5d0b9b8c66';

/** Where recordings and events go. */
export type Destination = {
  readonly organizationId: string;
  readonly recordingsBucket: string;
  readonly roomEventsQueueUrl: string;
};

/** A session of a LiveKit room. Roomscribe's LiveKit webhooks give it the same UUID. */
export type Session = { readonly roomName: string; readonly roomSessionId: string; readonly recordingId: string };

/** The session with this sid. A recorder that is started again for it continues the same recording. */
export function sessionOf(
  { organizationId }: Pick<Destination, 'organizationId'>,
  room: { readonly name: string; readonly sid: string },
): Session {
  const name = `${organizationId}|livekit|${room.sid}`;
  return {
    roomName: `/${room.name}`,
    roomSessionId: v5(name, namespace),
    recordingId: v5(`${name}|recorder`, namespace),
  };
}

/** A queue of Roomscribe that takes events. The SDK takes credentials, region and endpoint from the environment. */
export class EventQueue {
  readonly #sqs = new SQSClient({ maxAttempts: 10 });
  readonly #organizationId: string;
  readonly #url: string;

  constructor(organizationId: string, url: string) {
    this.#organizationId = organizationId;
    this.#url = url;
  }

  /** Sends an event. The same id is the same event, so an event may be sent again. */
  async send(id: string, type: string, data: object): Promise<void> {
    const organizationId = this.#organizationId;
    const MessageBody = JSON.stringify({ id, type, organizationId, createdAt: new Date().toISOString(), data });
    await this.#sqs.send(new SendMessageCommand({ QueueUrl: this.#url, MessageBody, MessageGroupId: organizationId }));
  }
}

/** Sends files and events. The SDK takes credentials, region and endpoints from the environment. */
export class Roomscribe {
  readonly #s3 = new S3Client({ maxAttempts: 10 });
  readonly #events: EventQueue;
  readonly #destination: Destination;

  constructor(destination: Destination) {
    this.#destination = destination;
    this.#events = new EventQueue(destination.organizationId, destination.roomEventsQueueUrl);
  }

  /** Uploads a file of this length to the recordings bucket. */
  async upload(path: string, key: string, bytes: number): Promise<{ readonly bucket: string; readonly key: string }> {
    const { recordingsBucket: bucket } = this.#destination;
    const file = { Body: createReadStream(path), ContentLength: bytes, ContentType: 'audio/wav' };
    await this.#s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, ...file }));
    return { bucket, key };
  }

  /** Sends an event. The same id is the same event, so an event may be sent again. */
  send(id: string, type: string, data: object): Promise<void> {
    return this.#events.send(id, type, data);
  }
}
