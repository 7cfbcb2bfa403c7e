import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '../contracts/organization.ts';
import type { Allowance } from '../contracts/rate-limit.ts';
import { attributeNames } from '../names.ts';

type Documents = Pick<DynamoDBDocumentClient, 'send'>;

const minuteMs = 60_000;
/** A minute's item is kept for an hour after the minute, which is longer than two clocks can differ. */
const keptSeconds = 3_600;

/**
 * Counts the points of each organization per minute, in one item that all functions share. Points are taken only if enough
 * are left, so concurrent requests never spend more than the limit. The SDK repeats a call whose answer was lost, and that
 * call may count twice.
 */
export function rateLimiter(
  documents: Documents,
  tableName: string,
  { pointsPerMinute: limit, now = Date.now }: { readonly pointsPerMinute: number; readonly now?: () => number },
) {
  return {
    /** Takes the points if enough are left in this minute. Costs one write unit in either case. */
    spend: (organizationId: OrganizationId, points: number): Promise<Allowance> =>
      take(documents, tableName, { partition: organizationId, points, limit, now: now() }),
  };
}

/** Counts the requests of each key of a self-authenticated endpoint per minute, in the table of the organizations' points. */
export function keyRateLimiter(
  documents: Documents,
  tableName: string,
  { now = Date.now }: { readonly now?: () => number } = {},
) {
  return {
    /** Counts one request of the key. It is exceeded if the key has sent `requestsPerMinute` in this minute. */
    count: (operationId: string, key: string, requestsPerMinute: number): Promise<Allowance> =>
      take(documents, tableName, {
        partition: keyPartition(operationId, key),
        points: 1,
        limit: requestsPerMinute,
        now: now(),
      }),
  };
}

/** An organization id contains no colon, so the counter of a key never shares an item with that of an organization. */
function keyPartition(operationId: string, key: string): string {
  return `${operationId}:${key}`;
}

type Spending = {
  readonly partition: string;
  readonly points: number;
  readonly limit: number;
  readonly now: number;
};

async function take(
  documents: Documents,
  tableName: string,
  { partition, points, limit, now }: Spending,
): Promise<Allowance> {
  const startedAt = Math.floor(now / minuteMs) * minuteMs;
  const resetsAt = (startedAt + minuteMs) / 1000;
  const update = new UpdateCommand({
    TableName: tableName,
    Key: {
      [attributeNames.organizationId]: partition,
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
}
