import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '../contracts/organization.ts';
import type { Allowance } from '../contracts/rate-limit.ts';
import { attributeNames } from '../names.ts';
import { type KnownCounts, knownCounts } from './known-counts.ts';

type Documents = Pick<DynamoDBDocumentClient, 'send'>;

const minuteMs = 60_000;
/** A minute's item is kept for an hour after the minute, which is longer than two clocks can differ. */
const keptSeconds = 3_600;

/** A refusal is unlikely if the last known count of this minute leaves at least this part of the limit. */
const farFromLimit = 0.5;

/**
 * Counts the points of each organization per minute, in one item that all functions share. Points are taken only if enough
 * are left, so concurrent requests never spend more than the limit. A request that a remembered count already excludes is
 * refused without a call. The SDK repeats a call whose answer was lost, and that call may count twice.
 */
export function rateLimiter(
  documents: Documents,
  tableName: string,
  { pointsPerMinute: limit, now = Date.now }: { readonly pointsPerMinute: number; readonly now?: () => number },
) {
  const known = knownCounts();
  return {
    /** Takes the points if enough are left in this minute. Costs one write unit, or nothing if too few can be left. */
    spend: (organizationId: OrganizationId, points: number): Promise<Allowance> =>
      take({ documents, tableName, known }, { counter: organizationId, points, limit, startedAt: minuteOf(now()) }),

    /** True if this function has counted for the organization in this minute, and at least half of the points were left. */
    isFarFromLimit(organizationId: OrganizationId): boolean {
      const spent = known.of(organizationId, minuteOf(now()));
      return spent !== undefined && limit - spent >= limit * farFromLimit;
    },
  };
}

/** Counts the requests of each key of a self-authenticated endpoint per minute, in the table of the organizations' points. */
export function keyRateLimiter(
  documents: Documents,
  tableName: string,
  { now = Date.now }: { readonly now?: () => number } = {},
) {
  const known = knownCounts();
  return {
    /**
     * Counts one request of the key. It is exceeded if the key has sent `requestsPerMinute` in this minute. If that is known
     * from an earlier request, nothing is called.
     */
    count: (operationId: string, key: string, requestsPerMinute: number): Promise<Allowance> =>
      take(
        { documents, tableName, known },
        { counter: keyCounter(operationId, key), points: 1, limit: requestsPerMinute, startedAt: minuteOf(now()) },
      ),
  };
}

/** An organization id contains no colon, so the counter of a key never shares an item with that of an organization. */
function keyCounter(operationId: string, key: string): string {
  return `${operationId}:${key}`;
}

function minuteOf(now: number): number {
  return Math.floor(now / minuteMs) * minuteMs;
}

type Counters = { readonly documents: Documents; readonly tableName: string; readonly known: KnownCounts };

type Spending = {
  readonly counter: string;
  readonly points: number;
  readonly limit: number;
  readonly startedAt: number;
};

async function take({ documents, tableName, known }: Counters, spending: Spending): Promise<Allowance> {
  const { counter, points, limit, startedAt } = spending;
  const resetsAt = (startedAt + minuteMs) / 1000;
  const allowance = (isExceeded: boolean, spent: number): Allowance => {
    return { isExceeded, limit, remaining: Math.max(0, limit - spent), resetsAt }; // a deployment may have lowered the limit
  };
  const spentBefore = known.of(counter, startedAt);
  if (points > limit || (spentBefore !== undefined && spentBefore + points > limit)) {
    return allowance(true, spentBefore ?? 0);
  }
  try {
    const { Attributes } = await documents.send(countingUpdate(tableName, spending, resetsAt + keptSeconds));
    const spent = Number(Attributes?.points);
    known.saw(counter, startedAt, spent);
    return allowance(false, spent);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const spent = Number(error.Item?.points?.N);
    known.saw(counter, startedAt, spent);
    return allowance(true, spent);
  }
}

/** Adds the points if enough are left. Returns the count in either case. */
function countingUpdate(
  tableName: string,
  { counter, points, limit, startedAt }: Spending,
  expiresAt: number,
): UpdateCommand {
  return new UpdateCommand({
    TableName: tableName,
    Key: {
      [attributeNames.organizationId]: counter,
      [attributeNames.minute]: new Date(startedAt).toISOString(),
    },
    UpdateExpression: 'ADD points :points SET expiresAt = :expiresAt',
    ConditionExpression: 'attribute_not_exists(points) OR points <= :most',
    ExpressionAttributeValues: { ':points': points, ':most': limit - points, ':expiresAt': expiresAt },
    ReturnValues: 'UPDATED_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
}
