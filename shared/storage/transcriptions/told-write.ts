import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { type Pause, retry, tryAgain } from '#shared/runtime/retry.ts';
import type { ConditionalOutcome } from '#shared/use-cases/transcriptions/ports.ts';
import { isLostRace } from '../common/lost-race.ts';
import { conflictRetries } from '../common/past-conflicts.ts';
import { noticePut } from '../notices/notice-put.ts';
import { toStored } from './row.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The client, the table of notices, and the pause between attempts. */
export type Telling = {
  readonly documents: Pick<DynamoDBDocumentClient, 'send'>;
  readonly notices: string;
  readonly pause?: Pause | undefined;
};

/**
 * Writes a transcription, the notice of it and what it counts, all or nothing. The write returns the old item when its condition fails. Tries again while
 * another writer has the item. A lost answer does no harm: the SDK repeats a transaction under the same token.
 */
export function toldWrite(
  { documents, notices, pause }: Telling,
  write: Write,
  notice: OrganizationNotice,
  counts: readonly Write[] = [],
): Promise<ConditionalOutcome> {
  let cause: unknown;
  const attempt = async () => {
    const TransactItems = [write, noticePut(notices, notice), ...counts];
    try {
      await documents.send(new TransactWriteCommand({ TransactItems }));
      return { applied: true } as const;
    } catch (error) {
      if (!isLostRace(error)) throw error;
      cause = error;
      const [refused] = error.CancellationReasons ?? [];
      if (refused?.Code !== 'ConditionalCheckFailed') return tryAgain;
      return { applied: false, stored: refused.Item && toStored(unmarshall(refused.Item)) } as const;
    }
  };
  return retry<ConditionalOutcome>(attempt, { ...conflictRetries, pause, cause: () => cause });
}
