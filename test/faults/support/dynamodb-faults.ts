import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Random } from '#tools/simulation/random.ts';
import { type Call, type FaultPlan, serviceError } from './process.ts';

type Item = Readonly<Record<string, unknown>>;
/** The result that the SDK's middlewares pass on. */
type Answer<Output> = { readonly output: Output };

/** The error of a transaction that was cancelled for these reasons. */
export function cancelled(...codes: readonly string[]): TransactionCanceledException {
  return new TransactionCanceledException({
    $metadata: { httpStatusCode: 400 },
    message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}

/** Throttles a random share of the calls to DynamoDB. */
export function throttling(random: Random, rate: number): FaultPlan {
  const error = serviceError('ProvisionedThroughputExceededException', 400);
  return () => (random.chance(rate) ? { error, when: 'before' } : undefined);
}

/** DynamoDB leaves half of a batch unprocessed, the given number of times. */
export function unprocessedKeys(times: number): FaultPlan {
  let left = times;
  return ({ command, input }) => {
    if (command !== 'BatchGetItemCommand' || left-- <= 0) return undefined;
    const asked = Object.entries((input as BatchGetInput).RequestItems)[0];
    if (!asked) return undefined;
    const [tableName, { Keys }] = asked;
    const unread = Keys.slice(Math.floor(Keys.length / 2)).map((key) => unmarshall(key));
    return { change: (answer) => withoutKeys(answer as Answer<BatchGetOutput>, tableName, unread) };
  };
}

type BatchGetInput = { readonly RequestItems: Record<string, { readonly Keys: Record<string, AttributeValue>[] }> };
type BatchGetOutput = { readonly Responses: Record<string, Item[]> };

function withoutKeys(answer: Answer<BatchGetOutput>, tableName: string, keys: readonly Item[]): object {
  const isUnread = (item: Item) => keys.some((key) => Object.keys(key).every((name) => key[name] === item[name]));
  const read = (answer.output.Responses[tableName] ?? []).filter((item) => !isUnread(item));
  const output = {
    ...answer.output,
    Responses: { [tableName]: read },
    UnprocessedKeys: { [tableName]: { Keys: keys } },
  };
  return { ...answer, output };
}

/** Indexes that stay behind: `repeat` returns the answers that `remember` has recorded, regardless of later writes. */
export function indexesThatAreBehind() {
  const answers: { readonly input: unknown; readonly answer: unknown }[] = [];
  const isOfIndex = ({ command, input }: Call) =>
    command === 'QueryCommand' && (input as { readonly IndexName?: string }).IndexName !== undefined;
  const remember: FaultPlan = (call) => {
    if (!isOfIndex(call)) return undefined;
    const change = (answer: unknown) => {
      answers.push({ input: call.input, answer });
      return answer;
    };
    return { change };
  };
  const repeat: FaultPlan = (call) => {
    const known = isOfIndex(call) && answers.find(({ input }) => isDeepStrictEqual(input, call.input));
    return known ? { change: () => known.answer } : undefined;
  };
  return { remember, repeat };
}
