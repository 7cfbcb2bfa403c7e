import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { slowPlacesOfOrganization } from '#shared/domain/webhooks/webhook-pace.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import type { SlowPlaceStore } from '#shared/use-cases/webhooks/delivery-ports.ts';
import { unlessRefused } from '../common/unless-refused.ts';

/** A run that dies keeps its place for so long: as long as its turn. */
const heldMs = 90_000;
/** Expiry removes places long after they were held. */
const keptSeconds = 24 * 3_600;

/** Implements `SlowPlaceStore` in the table of the organizations' points, with an item for each place. */
export function slowPlaces(documents: DynamoDBDocumentClient, TableName: string): SlowPlaceStore {
  const keyOf = (organizationId: string, place: number) => ({
    [attributeNames.organizationId]: organizationId,
    [attributeNames.minute]: `slow-run#${place}`,
  });
  return {
    async take({ organizationId }, { runId, now }) {
      for (let place = 1; place <= slowPlacesOfOrganization; place++) {
        const update = new UpdateCommand({
          TableName,
          Key: keyOf(organizationId, place),
          UpdateExpression: 'SET runId = :runId, runUntil = :runUntil, expiresAt = :expiresAt',
          // A place of this run is one of which the answer was lost.
          ConditionExpression: 'attribute_not_exists(runUntil) OR runUntil <= :now OR runId = :runId',
          ExpressionAttributeValues: {
            ':runId': runId,
            ':runUntil': new Date(now.getTime() + heldMs).toISOString(),
            ':now': now.toISOString(),
            ':expiresAt': Math.ceil(now.getTime() / 1_000) + keptSeconds,
          },
        });
        if (await unlessRefused(() => documents.send(update))) return place;
      }
      return undefined;
    },

    async free({ organizationId }, { runId, place }) {
      const update = new UpdateCommand({
        TableName,
        Key: keyOf(organizationId, place),
        UpdateExpression: 'REMOVE runId, runUntil',
        ConditionExpression: 'runId = :runId',
        ExpressionAttributeValues: { ':runId': runId },
      });
      await unlessRefused(() => documents.send(update));
    },
  };
}
