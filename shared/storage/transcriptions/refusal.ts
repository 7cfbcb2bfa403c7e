import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { toldAfter, transcriptionNotice } from '#shared/domain/transcriptions/transcription-notices.ts';
import type { TranscriptionRefusal, TranscriptionStore } from '#shared/use-cases/transcriptions/ports.ts';
import { isLostRace } from '../common/lost-race.ts';
import { takingOffUpdate } from '../common/window-counts.ts';
import { noticePut } from '../notices/notice-put.ts';
import { secondsOfDay } from '../organization/ceilings.ts';

import { toStored } from './row.ts';
import { updateOf } from './transition-writes.ts';
import { failedWith } from './uncounted.ts';

/** Fails transcriptions, tells it, and gives their seconds back. A lost answer does no harm: the SDK repeats a transaction under the same token. */
export function transcriptionRefusal(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tables: { readonly transcriptions: string; readonly rateLimits: string; readonly notices: string },
  { abandon }: Pick<TranscriptionStore, 'abandon'>,
  { now = () => new Date() }: { readonly now?: (() => Date) | undefined } = {},
): TranscriptionRefusal {
  return {
    async abandonAndGiveBack(record, failure, dueAt, seconds) {
      const told = toldAfter(record, { ...record, ...failedWith(failure), dueAt });
      const abandoned = updateOf('abandoned', told);
      const ofDay = secondsOfDay(record.organizationId, seconds, new Date(record.createdAt));
      const transaction = new TransactWriteCommand({
        TransactItems: [
          {
            Update: {
              TableName: tables.transcriptions,
              ...abandoned,
              ...countedAsRead(abandoned, record),
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          },
          { Update: takingOffUpdate({ tableName: tables.rateLimits }, ofDay) },
          noticePut(tables.notices, transcriptionNotice('abandoned', told, now())),
        ],
      });
      try {
        await documents.send(transaction);
        return { applied: true };
      } catch (error) {
        if (!isLostRace(error)) throw error;
        const [ofRecord, ofCount] = error.CancellationReasons ?? [];
        if (ofRecord?.Code === 'ConditionalCheckFailed')
          return { applied: false, stored: ofRecord.Item && toStored(unmarshall(ofRecord.Item)) };
        // An erasure of the organization has removed the count.
        return ofCount?.Code === 'ConditionalCheckFailed' ? abandon(record, failure, dueAt) : 'lost-race';
      }
    },
  };
}

/** The update, on condition that the transcription still counts what the caller has read. Another run may have corrected it. */
function countedAsRead(
  { ConditionExpression, ExpressionAttributeValues }: ReturnType<typeof updateOf>,
  { countedSeconds: asRead }: TranscriptionRecord,
) {
  const isAsRead = asRead === undefined ? 'attribute_not_exists(countedSeconds)' : 'countedSeconds = :asRead';
  return {
    ConditionExpression: `${ConditionExpression} AND ${isAsRead}`,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ...(asRead !== undefined && { ':asRead': asRead }) },
  };
}
