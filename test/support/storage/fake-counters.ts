import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

type CountingUpdate = {
  readonly Key: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues: { readonly ':points': number; readonly ':most': number };
};

/** Counters of the rate limit in memory, which answer like DynamoDB, and the number of calls. */
export function fakeCounters() {
  const points = new Map<string, number>();
  const counters = {
    calls: 0,
    documents: {
      send: async ({ input: { Key, ExpressionAttributeValues: values } }: { readonly input: CountingUpdate }) => {
        counters.calls++;
        const id = JSON.stringify(Key);
        const before = points.get(id);
        if (before !== undefined && before > values[':most']) {
          const Item = { points: { N: String(before) } };
          throw new ConditionalCheckFailedException({ message: 'The condition failed.', $metadata: {}, Item });
        }
        points.set(id, (before ?? 0) + values[':points']);
        return { Attributes: { points: points.get(id) } };
      },
    } as unknown as Pick<DynamoDBDocumentClient, 'send'>,
  };
  return counters;
}
