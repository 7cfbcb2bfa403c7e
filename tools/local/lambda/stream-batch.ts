import { setTimeout as delay } from 'node:timers/promises';
import { failedIds } from './batch-response.ts';
import type { Outcome } from './function-thread.ts';
import { type FunctionRecord, writtenAt } from './stream-event.ts';

/** What happens to records of a stream that a function fails to handle. -1 means without a limit. */
export type RetryPolicy = {
  readonly reportsBatchItemFailures: boolean;
  readonly bisectsOnError: boolean;
  readonly maxRetries: number;
  readonly maxAgeSeconds: number;
};

/** How to run a batch, and who is told of its progress. */
export type BatchOptions = {
  readonly policy: RetryPolicy;
  readonly invoke: (event: { readonly Records: readonly FunctionRecord[] }) => Promise<Outcome>;
  /** All records up to this one are done. */
  readonly onDone: (last: FunctionRecord) => Promise<void>;
  /** These records have failed for the last time, or are too old. */
  readonly onDiscarded: (records: readonly FunctionRecord[], reason: 'retries' | 'age') => void;
  readonly signal: AbortSignal;
};

type Part = { readonly records: readonly FunctionRecord[]; readonly retries: number };

const firstPauseMs = 200;
const longestPauseMs = 60_000;

/**
 * Invokes a function with a batch until each of its records is done or discarded, in their order. Repeats as Lambda does: from the first
 * record that failed; in halves, which count as no retry; then as often as the policy allows. Tells whether nothing failed.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export async function runBatch(batch: readonly FunctionRecord[], options: BatchOptions): Promise<boolean> {
  const { policy, invoke, onDone, signal } = options;
  const parts: Part[] = [{ records: batch, retries: 0 }];
  let hasSucceeded = true;
  for (let part = parts.shift(); part && !signal.aborted; part = parts.shift()) {
    const records = await youngEnough(part.records, options);
    if (records.length === 0) continue;
    const failedFrom = firstFailure(await invoke({ Records: records }), records, policy);
    const lastDone = records[failedFrom - 1];
    if (lastDone) await onDone(lastDone);
    const failed = records.slice(failedFrom);
    if (failed.length === 0) continue;
    hasSucceeded = false;
    parts.unshift(...(await partsToRepeat(failed, part.retries, lastDone !== undefined, options)));
  }
  return hasSucceeded;
}

/** The records without those at their beginning that are too old. These are discarded. */
async function youngEnough(
  records: readonly FunctionRecord[],
  { policy: { maxAgeSeconds }, onDone, onDiscarded }: BatchOptions,
): Promise<readonly FunctionRecord[]> {
  if (maxAgeSeconds < 0) return records;
  const oldest = Date.now() - maxAgeSeconds * 1000;
  const firstYoung = records.findIndex((record) => writtenAt(record) >= oldest);
  const tooOld = firstYoung === -1 ? records : records.slice(0, firstYoung);
  const last = tooOld.at(-1);
  if (!last) return records;
  onDiscarded(tooOld, 'age');
  await onDone(last);
  return records.slice(tooOld.length);
}

/** The index of the first record that failed, or the number of records if none did. */
function firstFailure(
  outcome: Outcome,
  records: readonly FunctionRecord[],
  { reportsBatchItemFailures }: RetryPolicy,
): number {
  if (!outcome.ok) return 0;
  if (!reportsBatchItemFailures) return records.length;
  const ids = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
  const failed = failedIds(outcome.payload, ids);
  const first = ids.findIndex((id) => failed.has(id));
  return first === -1 ? records.length : first;
}

/** The parts in which failed records are repeated: none if they were discarded. */
async function partsToRepeat(
  failed: readonly FunctionRecord[],
  retries: number,
  isRest: boolean,
  { policy: { bisectsOnError, maxRetries }, onDone, onDiscarded, signal }: BatchOptions,
): Promise<Part[]> {
  if (bisectsOnError && isRest) return [{ records: failed, retries }];
  if (bisectsOnError && failed.length > 1) {
    const middle = Math.ceil(failed.length / 2);
    return [failed.slice(0, middle), failed.slice(middle)].map((records) => ({ records, retries }));
  }
  if (maxRetries >= 0 && retries >= maxRetries) {
    onDiscarded(failed, 'retries');
    const last = failed.at(-1);
    if (last) await onDone(last);
    return [];
  }
  await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** retries), signal);
  return [{ records: failed, retries: retries + 1 }];
}

/** Waits, but not longer than until the signal. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => {});
}
