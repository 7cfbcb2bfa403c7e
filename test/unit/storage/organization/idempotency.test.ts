import { type AttributeValue, ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test, vi } from 'vitest';
import { IdempotencyKeyInUse } from '#shared/runtime/errors.ts';
import { idempotentCalls } from '#shared/storage/organization/idempotency.ts';
import { answering } from '../../../support/client/fake-client.ts';
import { organizationId } from '../../../support/operations/records.ts';

test.each([
  ['runs', {}],
  ['has passed its time limit', { in_progress_expiration: -1 }],
  ['expires at this moment', { status: 'COMPLETED', expiresAt: 1 }],
])('a key whose call %s is reported as in use, and the work is not run', async (_what, kept) => {
  const { client } = answering(
    DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' })),
    ({ input }) => {
      const Item = { ...(input.Item as Record<string, AttributeValue>), ...marshall(kept) };
      throw new ConditionalCheckFailedException({ message: 'There is one.', $metadata: {}, Item });
    },
  );
  const work = vi.fn(async () => ({ statusCode: 201 }));
  const context = { getRemainingTimeInMillis: () => 29_000 };
  const call = { organizationId: organizationId(), operationId: 'create', key: 'key', body: {}, context };
  await expect(idempotentCalls(client, 'keys')(call, work)).rejects.toThrow(IdempotencyKeyInUse);
  expect(work).not.toHaveBeenCalled();
});
