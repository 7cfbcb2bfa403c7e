import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Allowance } from '#shared/contracts/organization/rate-limit.ts';
import { attributeNames } from '#shared/runtime/names.ts';

/** An item is kept for an hour after its window, which is longer than two clocks can differ. */
const keptSeconds = 3_600;

/** The table of the counts. */
export type CountTable = { readonly documents: Pick<DynamoDBDocumentClient, 'send'>; readonly tableName: string };

/** Points to count, of at most `limit` in a window of time. Each window of a counter is an item of the table. */
export type Spending = {
  readonly counter: string;
  /** Sort key of the item. */
  readonly window: string;
  /** End of the window in epoch seconds. */
  readonly resetsAt: number;
  readonly points: number;
  readonly limit: number;
};

/** The start of the window of this length that contains `now`. */
export function startOfWindow(now: number, lengthMs: number): number {
  return Math.floor(now / lengthMs) * lengthMs;
}

/** The allowance after a count. */
export function allowanceOf({ limit, resetsAt }: Spending, isExceeded: boolean, spent: number): Allowance {
  return { isExceeded, limit, remaining: Math.max(0, limit - spent), resetsAt }; // a deployment may have lowered the limit
}

/**
 * Counts the points if enough are left, and tells the count. Concurrent calls never exceed the limit. Costs one write unit.
 * `kept` tells how many points of the count are never taken off again. It is known only if the limit is exceeded.
 */
export async function countWithinLimit(
  table: CountTable,
  spending: Spending,
): Promise<{ readonly isExceeded: boolean; readonly spent: number; readonly kept?: number }> {
  try {
    const update = { ...countingUpdate(table, spending), ReturnValues: 'UPDATED_NEW' } as const;
    const { Attributes } = await table.documents.send(new UpdateCommand(update));
    return { isExceeded: false, spent: Number(Attributes?.points) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { isExceeded: true, spent: Number(error.Item?.points?.N ?? 0), kept: Number(error.Item?.kept?.N ?? 0) };
  }
}

/** Takes counted points off again. `kept` is how many others are settled, and are never taken off. */
export async function takeOff({ documents, tableName }: CountTable, spending: Spending, kept = 0): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: tableName,
      Key: keyOf(spending),
      UpdateExpression: 'ADD points :points, kept :kept',
      ExpressionAttributeValues: { ':points': -spending.points, ':kept': kept },
    }),
  );
}

/** The update that adds the points if enough are left. If not, its failure has the item, if there is one. */
export function countingUpdate({ tableName }: Pick<CountTable, 'tableName'>, spending: Spending) {
  const { points, limit, resetsAt } = spending;
  return {
    TableName: tableName,
    Key: keyOf(spending),
    UpdateExpression: 'ADD points :points SET expiresAt = :expiresAt',
    // Without an item, everything is left, which can be too little, too.
    ConditionExpression: points > limit ? 'points <= :most' : 'attribute_not_exists(points) OR points <= :most',
    ExpressionAttributeValues: { ':points': points, ':most': limit - points, ':expiresAt': resetsAt + keptSeconds },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
}

/** The update that takes counted points off again, if they are in the count. */
export function takingOffUpdate({ tableName }: Pick<CountTable, 'tableName'>, spending: Omit<Spending, 'limit'>) {
  return {
    TableName: tableName,
    Key: keyOf(spending),
    UpdateExpression: 'ADD points :negative',
    ConditionExpression: 'points >= :points',
    ExpressionAttributeValues: { ':points': spending.points, ':negative': -spending.points },
  };
}

function keyOf({ counter, window }: Pick<Spending, 'counter' | 'window'>) {
  return { [attributeNames.organizationId]: counter, [attributeNames.minute]: window };
}
