import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Failure } from '../../contracts/transcription.ts';
import { isDeleted, type TranscriptionRecord } from '../../domain/transcription.ts';
import { type ChangeEvent, type ReplaceEvent, transitions } from '../../domain/transcription-states.ts';
import type { TranscriptionStore } from '../../use-cases/ports.ts';
import { dueShard } from '../keys.ts';
import { conditional } from './conditional.ts';
import { transcriptionKey } from './keys.ts';
import { toRow, toStored } from './row.ts';
import { conditionOf, updateOf } from './transition-writes.ts';

const liveEnds = { ready: 'liveFinished', failed: 'liveFailed' } as const;

/** The facts of a failed transcription. It is not billed. */
export function failedWith(failure: Failure) {
  return { failure, state: transitions.failed.to, filename: null, durationInSeconds: 0 } as const;
}

/** Implements `TranscriptionStore` with DynamoDB. Every key contains the organization. */
export function transcriptionRepository(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
): TranscriptionStore {
  const replace = (event: ReplaceEvent, Item: Record<string, unknown>, asRead?: TranscriptionRecord) => {
    const put = { TableName: tableName, Item, ...conditionOf(event, asRead) };
    return conditional(() =>
      documents.send(new PutCommand({ ...put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })),
    );
  };

  const change = (event: ChangeEvent, record: TranscriptionRecord) => {
    const update = { TableName: tableName, ...updateOf(event, record) };
    return conditional(() =>
      documents.send(new UpdateCommand({ ...update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })),
    );
  };

  return {
    async find(organizationId, transcriptionId) {
      const Key = transcriptionKey(organizationId, transcriptionId);
      const { Item } = await documents.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
      return Item && toStored(Item);
    },

    beginLive: (record) => replace('liveStarted', toRow(record)),

    endLive: (record) => replace(liveEnds[record.state], toRow(record)),

    markJobStarted: (record, facts) => change('jobStarted', { ...record, ...facts }),

    markPrepared: (record, facts) => change('prepared', { ...record, ...facts }),

    markReady: (record, result) => change('transcribed', { ...record, ...result, state: transitions.transcribed.to }),

    markFailed: (record, failure) => change('failed', { ...record, ...failedWith(failure) }),

    abandon: (record, failure, dueAt) => change('abandoned', { ...record, ...failedWith(failure), dueAt }),

    async replaceWithTombstone(record, tombstone, expiresAt) {
      const shard = tombstone.dueAt && { dueShard: dueShard(tombstone.transcriptionId) };
      const outcome = await replace('deleted', { ...tombstone, expiresAt, ...shard }, record);
      return outcome.applied || (outcome.stored !== undefined && isDeleted(outcome.stored));
    },

    async withdrawWork({ organizationId, transcriptionId, jobFingerprint, takenOverBy }) {
      if (jobFingerprint === undefined) return takenOverBy === undefined; // it was never offered, or withdrawn before
      const update = {
        TableName: tableName,
        Key: transcriptionKey(organizationId, transcriptionId),
        UpdateExpression: 'REMOVE jobFingerprint',
        ConditionExpression: 'attribute_exists(deletedAt) AND attribute_not_exists(takenOverBy)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      } as const;
      const outcome = await conditional(() => documents.send(new UpdateCommand(update)));
      return outcome.applied || outcome.stored === undefined; // without a tombstone, nothing can be taken over
    },

    async revokeLinks({ organizationId, transcriptionId, linksValidFrom: asRead }, linksValidFrom) {
      const isAsRead = asRead === undefined ? 'attribute_not_exists(linksValidFrom)' : 'linksValidFrom = :asRead';
      const update = {
        TableName: tableName,
        Key: transcriptionKey(organizationId, transcriptionId),
        UpdateExpression: 'SET linksValidFrom = :next',
        ConditionExpression: `attribute_exists(#state) AND ${isAsRead}`, // a tombstone has no state
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':next': linksValidFrom, ...(asRead !== undefined && { ':asRead': asRead }) },
      };
      await conditional(() => documents.send(new UpdateCommand(update)));
    },
  };
}
