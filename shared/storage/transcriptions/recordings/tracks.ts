import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { RecordingTrack } from '#shared/domain/transcriptions/recording.ts';
import type { RecordingTracks } from '#shared/use-cases/transcriptions/parts/ports.ts';
import { trackPrefix } from '../keys.ts';
import { StoredLocation } from '../stored-location.ts';

const Track = z.object({
  organizationId: OrganizationId,
  recordingId: z.string(),
  participantId: z.string(),
  startDate: z.string(),
  endDate: z.optional(z.string()),
  source: z.enum(['microphone', 'screen']),
  location: StoredLocation,
  reportedAt: z.string(),
});

/** The tracks of all organizations. Each is read through its organization only. */
export function trackRepository(documents: Pick<DynamoDBDocumentClient, 'send'>, tableName: string): RecordingTracks {
  return {
    async listTracks(organizationId, recordingId) {
      const tracks: RecordingTrack[] = [];
      let after: Record<string, unknown> | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await documents.send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: 'organizationId = :organizationId AND begins_with(trackKey, :recording)',
            ExpressionAttributeValues: { ':organizationId': organizationId, ':recording': trackPrefix(recordingId) },
            ConsistentRead: true,
            ExclusiveStartKey: after,
          }),
        );
        tracks.push(...Items.map((item) => Track.parse(item)));
        after = LastEvaluatedKey;
      } while (after);
      return tracks;
    },
  };
}
