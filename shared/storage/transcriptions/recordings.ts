import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { FileLocation } from '../../contracts/events.ts';
import { OrganizationId } from '../../contracts/organization.ts';
import { recordingKey } from './keys.ts';

/** A recording that a platform has finished, and the newest transcription made from it. */
export const Recording = z.object({
  organizationId: OrganizationId,
  recordingId: z.string(),
  roomName: z.string(),
  roomSessionId: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  filename: z.string(),
  location: FileLocation,
  /** When the platform says that the recording was finished; of two such events the later one counts. */
  finishedAt: z.string(),
  latestTranscriptionId: z.optional(z.string()),
});
export type Recording = z.infer<typeof Recording>;

/** What finds and stores recordings. */
export type RecordingRepository = ReturnType<typeof recordingRepository>;

/** The recordings of all organizations, each reached through its organization only. */
export function recordingRepository(documents: Pick<DynamoDBDocumentClient, 'send'>, tableName: string) {
  return {
    /** The recording as it is now, or undefined. */
    async find(organizationId: OrganizationId, recordingId: string): Promise<Recording | undefined> {
      const Key = recordingKey(organizationId, recordingId);
      const { Item } = await documents.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
      return Item && Recording.parse(Item);
    },

    /** Stores what an event says. Repeated, or older than what is stored, it changes nothing. */
    async register({ latestTranscriptionId: _, organizationId, recordingId, ...facts }: Recording): Promise<void> {
      const names = Object.keys(facts) as (keyof typeof facts)[];
      try {
        await documents.send(
          new UpdateCommand({
            TableName: tableName,
            Key: recordingKey(organizationId, recordingId),
            UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
            ConditionExpression: 'attribute_not_exists(#finishedAt) OR #finishedAt <= :finishedAt',
            ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
            ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, facts[name]])),
          }),
        );
      } catch (error) {
        const isOlder = error instanceof ConditionalCheckFailedException;
        if (!isOlder) throw error;
      }
    },
  };
}
