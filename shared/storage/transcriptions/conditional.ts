import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Pause } from '#shared/runtime/retry.ts';
import type { ConditionalOutcome } from '#shared/use-cases/transcriptions/ports.ts';
import { pastConflicts } from '../common/past-conflicts.ts';
import { toStored } from './row.ts';

/**
 * Runs a single write that returns the old item when its condition fails. If the answer to a write is lost, the SDK repeats the
 * write and the repetition fails its own condition. So callers treat "refused, but already as intended" as done.
 */
export async function conditional(write: () => Promise<unknown>, pause?: Pause): Promise<ConditionalOutcome> {
  try {
    await pastConflicts(write, pause);
    return { applied: true };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { applied: false, stored: error.Item && toStored(unmarshall(error.Item)) };
  }
}
