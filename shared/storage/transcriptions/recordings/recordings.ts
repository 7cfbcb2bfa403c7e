import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { RecordingStore } from '#shared/use-cases/transcriptions/recording-ports.ts';
import { recordingKey } from '../keys.ts';
import { StoredLocation } from '../stored-location.ts';

const Recording = z.object({
  organizationId: OrganizationId,
  recordingId: z.string(),
  roomName: z.string(),
  roomSessionId: z.string(),
  startDate: z.optional(z.string()),
  endDate: z.optional(z.string()),
  filename: z.optional(z.string()),
  location: z.optional(StoredLocation),
  trackRevision: z.optional(z.int()),
  finishedAt: z.optional(z.string()),
  latestTranscriptionId: z.optional(z.string()),
  otherTranscriptions: z.optional(z.array(z.object({ options: z.string(), transcriptionId: z.string() }))),
});

/** The recordings of all organizations. Each is read through its organization only. */
export function recordingRepository(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
): RecordingStore {
  return {
    async find(organizationId, recordingId) {
      const Key = recordingKey(organizationId, recordingId);
      const { Item } = await documents.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
      // Without a room, only some tracks of the event that finishes it are stored so far.
      return Item?.roomName === undefined ? undefined : Recording.parse(Item);
    },
  };
}
