import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import {
  type NewestTranscriptions,
  otherTranscriptionsWith,
} from '#shared/domain/transcriptions/newest-transcription.ts';
import { workOf } from '#shared/domain/transcriptions/parts/work.ts';
import { countedSeconds } from '#shared/domain/transcriptions/recognized-seconds.ts';
import type { Tombstone, TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { toldAfter, transcriptionNotice } from '#shared/domain/transcriptions/transcription-notices.ts';
import type { TranscriptionCreation } from '#shared/use-cases/transcriptions/ports.ts';
import { isLostRace } from '../common/lost-race.ts';
import { allowanceOf, countingUpdate, type Spending } from '../common/window-counts.ts';
import { noticePut } from '../notices/notice-put.ts';
import { secondsOfDay } from '../organization/ceilings.ts';
import { recordingKey, transcriptionKey } from './keys.ts';
import { toRow } from './row.ts';
import { conditionOf } from './transition-writes.ts';

type Tables = {
  readonly [name in 'transcriptions' | 'recordings' | 'rateLimits' | 'notices']: string;
};
type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/**
 * Stores a transcription as its recording's newest one with its options, unless another call has stored a newer one. So a recording has at
 * most one unfinished transcription with the same options. Counts its seconds of the day, unless its organization would exceed the ceiling.
 * Puts the notice of it.
 */
export function transcriptionCreation(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tables: Tables,
  minutesPerDay: number,
  { now = () => new Date() }: { readonly now?: (() => Date) | undefined } = {},
): TranscriptionCreation {
  return {
    // A lost answer does no harm: the SDK repeats the transaction under the same client token.
    async create(record, asRead, takesOver) {
      const count = spendingOf(record, minutesPerDay);
      const told = toldAfter(undefined, record);
      const transaction = new TransactWriteCommand({
        TransactItems: [
          {
            Put: {
              TableName: tables.transcriptions,
              Item: toRow(told),
              ...conditionOf('created'),
            },
          },
          {
            Update: {
              TableName: tables.recordings,
              Key: recordingKey(record.organizationId, record.recordingId),
              ...makeNewest(record, asRead),
            },
          },
          ...(count ? [{ Update: countingUpdate({ tableName: tables.rateLimits }, count) }] : []),
          ...(takesOver ? takeOver(tables.transcriptions, record, takesOver) : []),
          noticePut(tables.notices, transcriptionNotice('created', told, now())),
        ],
      });
      try {
        await documents.send(transaction);
        return 'created';
      } catch (error) {
        if (!isLostRace(error)) throw error;
        const [, ofRecording, ofCount] = error.CancellationReasons ?? [];
        const hasLost = (ofRecording?.Code ?? 'None') !== 'None' || ofCount?.Code !== 'ConditionalCheckFailed';
        if (!count || hasLost) return 'lost-race';
        return { exceeded: allowanceOf(count, true, Number(ofCount.Item?.points?.N ?? 0)) };
      }
    },
  };
}

/** Makes the record the newest one with its options, unless another one is by now. */
function makeNewest({ transcriptionId, options }: TranscriptionRecord, asRead: NewestTranscriptions) {
  const [name, stored, next] = options
    ? ([
        'otherTranscriptions',
        asRead.otherTranscriptions,
        otherTranscriptionsWith(asRead, options, transcriptionId),
      ] as const)
    : (['latestTranscriptionId', asRead.latestTranscriptionId, transcriptionId] as const);
  const isUnchanged = stored === undefined ? `attribute_not_exists(${name})` : `${name} = :previous`;
  return {
    UpdateExpression: `SET ${name} = :next`,
    ConditionExpression: `attribute_exists(recordingId) AND ${isUnchanged}`,
    ExpressionAttributeValues: { ':next': next, ':previous': stored },
  };
}

/** What the record counts on the day of its creation. Undefined if it counts nothing. */
function spendingOf(record: TranscriptionRecord, minutesPerDay: number): Spending | undefined {
  const seconds = countedSeconds(record);
  if (seconds === 0) return undefined;
  return { ...secondsOfDay(record.organizationId, seconds, new Date(record.createdAt)), limit: minutesPerDay * 60 };
}

/**
 * Makes the record the owner of the tombstone's work. The job's end names the transcription that began the work, so the tombstone of
 * that one always names the newest owner. Both tombstones stay due, because a worker may be writing files for them.
 */
function takeOver(TableName: string, record: TranscriptionRecord, from: Tombstone): Write[] {
  const values = {
    ':owner': record.transcriptionId,
    ':expiresAt': deadlines.tombstoneExpiry(new Date(record.createdAt)),
  };
  const write = (transcriptionId: string, isAsExpected: string): Write => ({
    Update: {
      TableName,
      Key: transcriptionKey(record.organizationId, transcriptionId),
      UpdateExpression: 'SET takenOverBy = :owner, expiresAt = :expiresAt REMOVE jobFingerprint',
      ConditionExpression: isAsExpected,
      ExpressionAttributeValues: values,
    },
  });
  const { transcriptionId: beganBy } = workOf(from);
  return [
    write(from.transcriptionId, 'attribute_exists(jobFingerprint)'),
    ...(beganBy === from.transcriptionId ? [] : [write(beganBy, 'attribute_exists(takenOverBy)')]),
  ];
}
