import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { OrganizationId } from '../../contracts/organization.ts';
import type { RecordingStore } from '../../use-cases/ports.ts';
import { recordingKey } from './keys.ts';
import { StoredLocation } from './stored-location.ts';

const Recording = z.object({
  organizationId: OrganizationId,
  recordingId: z.string(),
  roomName: z.string(),
  roomSessionId: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  filename: z.string(),
  location: StoredLocation,
  finishedAt: z.string(),
  latestTranscriptionId: z.optional(z.string()),
});

/** The recordings of all organizations. Each is read and written through its organization only. */
export function recordingRepository(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
): RecordingStore {
  return {
    async find(organizationId, recordingId) {
      const Key = recordingKey(organizationId, recordingId);
      const { Item } = await documents.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
      return Item && Recording.parse(Item);
    },

    async register({ organizationId, recordingId, ...facts }) {
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
