import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { replaceRows, untilReplaced } from '#operations/erasure/writes.ts';
import { type Answer, answering } from '../../support/client/fake-client.ts';

/** Replaces rows with as many bytes each. Returns the outcome, and the numbers of the rows in each transaction. */
async function replace(bytes: readonly number[], answer: Answer = () => ({})) {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' }));
  const { client, calls } = answering(documents, answer);
  const writes = bytes.map((size, number) => ({
    Put: { TableName: 'InsightFacts', Item: { number, events: new Uint8Array(size) } },
  }));
  const isReplaced = await replaceRows({ documents: client as DynamoDBDocumentClient }, writes);
  const numbersIn = (items: unknown) => (items as typeof writes).map(({ Put }) => Put.Item.number);
  return { isReplaced, transactions: calls.map(({ input }) => numbersIn(input.TransactItems)) };
}

const canceled = (Code: string) =>
  new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons: [{ Code }] });
const mebibyte = 1024 * 1024;

describe('rows of an erasure', () => {
  test('are replaced in one transaction, and in several beyond 100 rows or 3 MB', async () => {
    expect((await replace(Array(100).fill(1))).transactions).toHaveLength(1);
    expect((await replace(Array(101).fill(1))).transactions.map(({ length }) => length)).toEqual([100, 1]);
    const { isReplaced, transactions } = await replace([2 * mebibyte, mebibyte / 2, mebibyte, 1]);
    expect([isReplaced, transactions]).toEqual([
      true,
      [
        [0, 1],
        [2, 3],
      ],
    ]);
  });

  test('stay from the first one on that was written since', async () => {
    const lost: Answer = (_, index) => {
      if (index === 1) throw canceled('ConditionalCheckFailed');
      return {};
    };
    const { isReplaced, transactions } = await replace(Array(300).fill(1), lost);
    expect([isReplaced, transactions.length]).toEqual([false, 2]);
  });

  test('end the command with an error that is no race', async () => {
    const throttled: Answer = () => {
      throw canceled('ThrottlingError');
    };
    await expect(replace([1], throttled)).rejects.toThrow(TransactionCanceledException);
  });

  test('are tried ten times', async () => {
    let attempts = 0;
    const losing = async () => {
      attempts += 1;
      return attempts === 10;
    };
    await untilReplaced(losing, async () => {});
    expect(attempts).toBe(10);
    await expect(
      untilReplaced(
        async () => false,
        async () => {},
      ),
    ).rejects.toThrow('Run the command again later');
  });
});
