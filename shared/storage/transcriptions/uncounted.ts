import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Failure } from '#shared/contracts/transcriptions/transcription.ts';
import { isDeleted, type TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import {
  type ToldRecord,
  toldAfter,
  transcriptionNotice,
} from '#shared/domain/transcriptions/transcription-notices.ts';
import { type ReplaceEvent, transitions } from '#shared/domain/transcriptions/transcription-states.ts';
import type { Pause } from '#shared/runtime/retry.ts';
import type { TranscriptionStore } from '#shared/use-cases/transcriptions/ports.ts';
import { dueShard } from '../common/keys.ts';
import { toRow } from './row.ts';
import { toldWrite } from './told-write.ts';
import { conditionOf, updateOf, withRevisionAsRead } from './transition-writes.ts';
import { untoldTranscriptions } from './untold.ts';

/** The tables of transcriptions and of notices. */
export type ToldTables = { readonly transcriptions: string; readonly notices: string };
/** The clock, and the pause between attempts. */
export type RepositoryOptions = { readonly now?: (() => Date) | undefined; readonly pause?: Pause | undefined };
/** The changes of transcriptions that usage does not count: all but those that make one ready. They need no table of usage. */
export type UncountedTranscriptions = Omit<TranscriptionStore, 'markReady' | 'endLive'>;

const returningOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** The facts of a failed transcription. It is not billed. */
export function failedWith(failure: Failure) {
  return { failure, state: transitions.failed.to, filename: null, durationInSeconds: 0 } as const;
}

/** The write that replaces the item of a transcription by another one, if it is as it was read. */
export function replacement(
  TableName: string,
  event: Exclude<ReplaceEvent, 'created' | 'liveStarted'>,
  Item: Record<string, unknown>,
  asRead: TranscriptionRecord | undefined,
) {
  const condition = withRevisionAsRead(conditionOf(event, asRead), asRead);
  return { Put: { TableName, Item, ...condition, ...returningOld } };
}

/** The write of the end of a transcription of a recording. */
export function ending(TableName: string, event: 'transcribed' | 'failed' | 'abandoned', told: ToldRecord) {
  return { Update: { TableName, ...updateOf(event, told), ...returningOld } };
}

/** Implements `UncountedTranscriptions` with DynamoDB. Every key contains the organization. What others are told of is written with its notice. */
export function uncountedTranscriptions(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  { transcriptions: TableName, notices }: ToldTables,
  { now = () => new Date(), pause }: RepositoryOptions = {},
): UncountedTranscriptions {
  const telling = { documents, notices, pause };

  const fail = (event: 'failed' | 'abandoned', asRead: TranscriptionRecord, facts: object) => {
    const told = toldAfter(asRead, { ...asRead, ...facts });
    return toldWrite(telling, ending(TableName, event, told), transcriptionNotice(event, told, now()));
  };

  return {
    ...untoldTranscriptions(documents, TableName, { pause }),

    beginLive(record) {
      const told = toldAfter(undefined, record);
      const put = { TableName, Item: toRow(told), ...conditionOf('liveStarted'), ...returningOld };
      return toldWrite(telling, { Put: put }, transcriptionNotice('liveStarted', told, now()));
    },

    markFailed: (record, failure) => fail('failed', record, failedWith(failure)),

    abandon: (record, failure, dueAt) => fail('abandoned', record, { ...failedWith(failure), dueAt }),

    async replaceWithTombstone(record, tombstone, expiresAt) {
      const told = toldAfter(record, record);
      const shard = tombstone.dueAt && { dueShard: dueShard(tombstone.transcriptionId) };
      const item = { ...tombstone, revision: told.revision, expiresAt, ...shard };
      const write = replacement(TableName, 'deleted', item, record);
      const outcome = await toldWrite(telling, write, transcriptionNotice('deleted', told, now()));
      return outcome.applied || (outcome.stored !== undefined && isDeleted(outcome.stored));
    },
  };
}
