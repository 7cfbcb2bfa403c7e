import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Conditional } from '../domain/transcription.ts';
import { toStored } from './transcription-row.ts';

/**
 * Runs a write that asks for the old item when its condition fails. A write whose answer was lost is tried again by the
 * SDK and then fails its own condition, so callers must treat "refused, but it is what I wanted" as done.
 */
export async function conditional(write: () => Promise<unknown>): Promise<Conditional> {
  try {
    await write();
    return { applied: true };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { applied: false, stored: error.Item && toStored(unmarshall(error.Item)) };
  }
}

const raceCodes = new Set(['None', 'ConditionalCheckFailed', 'TransactionConflict']);

/** True where a transaction failed for nothing but another writer: worth reading again. A throttle, say, is not that. */
export function lostRace(error: unknown): error is TransactionCanceledException {
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).length > 0 &&
    (error.CancellationReasons ?? []).every(({ Code }) => raceCodes.has(Code ?? 'None'))
  );
}
