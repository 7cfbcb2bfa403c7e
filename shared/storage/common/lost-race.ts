import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

const raceCodes = new Set(['None', 'ConditionalCheckFailed', 'TransactionConflict']);

/** True if a transaction failed only because of another writer, so the caller can read and try again. False for throttling, for example. */
export function isLostRace(error: unknown): error is TransactionCanceledException {
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).length > 0 &&
    (error.CancellationReasons ?? []).every(({ Code }) => raceCodes.has(Code ?? 'None'))
  );
}
