import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '../contracts/organization.ts';
import { attributeNames } from '../names.ts';

const minuteMs = 60_000;
/** How long a minute's item outlives it: longer than any two clocks differ. */
const keptSeconds = 3_600;

/**
 * Counts each organization's points by the minute, in one item that all functions share. Points are taken under the
 * condition that they are left, so no more than the limit is ever spent, however many ask at once. A call whose answer
 * got lost is repeated by the SDK and may count twice.
 */
export function rateLimiter(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
  { pointsPerMinute: limit, now = Date.now }: { readonly pointsPerMinute: number; readonly now?: () => number },
) {
  return {
    /** Takes the points if they are left in this minute, for one write unit either way. */
    async spend(organizationId: OrganizationId, points: number) {
      const startedAt = Math.floor(now() / minuteMs) * minuteMs;
      const resetsAt = (startedAt + minuteMs) / 1000;
      const update = new UpdateCommand({
        TableName: tableName,
        Key: {
          [attributeNames.organizationId]: organizationId,
          [attributeNames.minute]: new Date(startedAt).toISOString(),
        },
        UpdateExpression: 'ADD points :points SET expiresAt = :expiresAt',
        ConditionExpression: 'attribute_not_exists(points) OR points <= :most',
        ExpressionAttributeValues: {
          ':points': points,
          ':most': limit - points,
          ':expiresAt': resetsAt + keptSeconds,
        },
        ReturnValues: 'UPDATED_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        const { Attributes } = await documents.send(update);
        return { isExceeded: false, limit, remaining: limit - Number(Attributes?.points), resetsAt };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const remaining = Math.max(0, limit - Number(error.Item?.points?.N)); // a deployment may have lowered the limit
        return { isExceeded: true, limit, remaining, resetsAt };
      }
    },
  };
}
