import { setTimeout } from 'node:timers/promises';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { maxItemsPerTransaction } from '#shared/domain/insights/change-size.ts';
import { isLostRace } from '#shared/storage/common/lost-race.ts';
import type { Write } from '#shared/storage/insights/session-writes.ts';
import { UserError } from '#tools/shared/user-error.ts';
import type { Deployment } from './deployment.ts';
import type { Row } from './rows.ts';

/** DynamoDB writes at most 4 MB in one transaction. The keys and small attributes take less than the rest. */
const maxBytes = 3 * 1024 * 1024;
const maxAttempts = 10;
const pauseMs = 100;

/**
 * Replaces rows in their order, in one transaction if they fit into one. Returns false, and writes no further rows, if a row does not
 * meet its condition.
 */
export async function replaceRows(
  { documents }: Pick<Deployment, 'documents'>,
  writes: readonly Write[],
): Promise<boolean> {
  for (const TransactItems of transactionsOf(writes)) {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems }));
    } catch (error) {
      if (isLostRace(error)) return false;
      throw error;
    }
  }
  return true;
}

/** Repeats reading and replacing rows while others write them. Throws a `UserError` after 10 attempts. */
export async function untilReplaced(
  attempt: () => Promise<boolean>,
  pause: (ms: number) => Promise<unknown> = setTimeout,
): Promise<void> {
  for (let lost = 1; !(await attempt()); lost += 1) {
    if (lost === maxAttempts)
      throw new UserError('Events of a session of the person still arrive. Run the command again later.');
    await pause(Math.random() * pauseMs * lost);
  }
}

function transactionsOf(writes: readonly Write[]): Write[][] {
  const transactions: Write[][] = [];
  let bytes = 0;
  for (const write of writes) {
    const size = sizeOf(write.Put?.Item ?? {});
    bytes += size;
    const last = transactions.at(-1);
    if (last && last.length < maxItemsPerTransaction && bytes <= maxBytes) {
      last.push(write);
      continue;
    }
    transactions.push([write]);
    bytes = size;
  }
  return transactions;
}

function sizeOf(row: Row): number {
  const sizes = Object.values(row).map((value) =>
    value instanceof Uint8Array ? value.byteLength : Buffer.byteLength(JSON.stringify(value ?? null)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
