import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Failure } from '../../contracts/transcription.ts';
import { isDeleted, type TranscriptionRecord } from '../../domain/transcription.ts';
import { type ToldRecord, toldAfter, transcriptionNotice } from '../../domain/transcription-notices.ts';
import { type ChangeEvent, mayChange, type ReplaceEvent, transitions } from '../../domain/transcription-states.ts';
import { type Pause, retry, tryAgain } from '../../retry.ts';
import type { TranscriptionStore } from '../../use-cases/ports.ts';
import { dueShard } from '../keys.ts';
import { conflictRetries } from '../past-conflicts.ts';
import { toRow } from './row.ts';
import { toldWrite } from './told-write.ts';
import { conditionOf, updateOf, withRevisionAsRead } from './transition-writes.ts';
import { untoldTranscriptions } from './untold.ts';

type Tables = { readonly transcriptions: string; readonly notices: string };
type Options = { readonly now?: (() => Date) | undefined; readonly pause?: Pause | undefined };

const returningOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
const liveEnds = { ready: 'liveFinished', failed: 'liveFailed' } as const;

/** The facts of a failed transcription. It is not billed. */
export function failedWith(failure: Failure) {
  return { failure, state: transitions.failed.to, filename: null, durationInSeconds: 0 } as const;
}

/** Implements `TranscriptionStore` with DynamoDB. Every key contains the organization. What others are told of is written with its notice. */
export function transcriptionRepository(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  { transcriptions: TableName, notices }: Tables,
  { now = () => new Date(), pause }: Options = {},
): TranscriptionStore {
  const telling = { documents, notices, pause };

  const begin = (record: TranscriptionRecord) => {
    const told = toldAfter(undefined, record);
    const put = { TableName, Item: toRow(told), ...conditionOf('liveStarted'), ...returningOld };
    return toldWrite(telling, { Put: put }, transcriptionNotice('liveStarted', told, now()));
  };

  const replace = (
    event: Exclude<ReplaceEvent, 'created' | 'liveStarted'>,
    told: ToldRecord,
    Item: Record<string, unknown>,
    asRead: TranscriptionRecord | undefined,
  ) => {
    const condition = withRevisionAsRead(conditionOf(event, asRead), asRead);
    const put = { TableName, Item, ...condition, ...returningOld };
    return toldWrite(telling, { Put: put }, transcriptionNotice(event, told, now()));
  };

  const end = (event: Exclude<ChangeEvent, 'jobStarted' | 'prepared'>, asRead: TranscriptionRecord, facts: object) => {
    const told = toldAfter(asRead, { ...asRead, ...facts });
    const update = { TableName, ...updateOf(event, told), ...returningOld };
    return toldWrite(telling, { Update: update }, transcriptionNotice(event, told, now()));
  };

  return {
    ...untoldTranscriptions(documents, TableName, { pause }),

    beginLive: begin,

    endLive(record) {
      const event = liveEnds[record.state];
      // Most often it has begun. What is stored instead tells the revision, without a read.
      let before: TranscriptionRecord | undefined = {
        ...record,
        state: 'in_progress',
        failure: undefined,
        revision: 1,
      };
      const attempt = async () => {
        const told = toldAfter(before, record);
        const outcome = await replace(event, told, toRow(told), before);
        if (outcome.applied || !mayChange(event, outcome.stored)) return outcome;
        before = outcome.stored as TranscriptionRecord | undefined; // no event changes a tombstone
        return tryAgain;
      };
      return retry(attempt, { ...conflictRetries, pause });
    },

    markReady: (record, result) => end('transcribed', record, { ...result, state: transitions.transcribed.to }),

    markFailed: (record, failure) => end('failed', record, failedWith(failure)),

    abandon: (record, failure, dueAt) => end('abandoned', record, { ...failedWith(failure), dueAt }),

    async replaceWithTombstone(record, tombstone, expiresAt) {
      const told = toldAfter(record, record);
      const shard = tombstone.dueAt && { dueShard: dueShard(tombstone.transcriptionId) };
      const item = { ...tombstone, revision: told.revision, expiresAt, ...shard };
      const outcome = await replace('deleted', told, item, record);
      return outcome.applied || (outcome.stored !== undefined && isDeleted(outcome.stored));
    },
  };
}
