import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { UsageChange } from '#shared/domain/insights/usage-day.ts';
import { usageDayKey } from '../common/keys.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/**
 * The write of a change of usage, for the transaction that makes it true. The transaction needs a condition that fails for a repetition:
 * an addition is not safe to repeat.
 */
export function usageUpdate(TableName: string, { add, ...key }: UsageChange): Write {
  const counts = Object.entries(add);
  return {
    Update: {
      TableName,
      Key: usageDayKey(key),
      UpdateExpression: `ADD ${counts.map(([name]) => `#${name} :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(counts.map(([name]) => [`#${name}`, name])), // SESSIONS is a reserved word
      ExpressionAttributeValues: Object.fromEntries(counts.map(([name, count]) => [`:${name}`, count])),
    },
  };
}
