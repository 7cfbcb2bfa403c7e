import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '../../contracts/organization.ts';
import type { Failure } from '../../contracts/transcription.ts';
import {
  type Conditional,
  isDeleted,
  type StoredTranscription,
  type Tombstone,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '../../domain/transcription.ts';
import { conditional } from './conditional.ts';
import { dueShard, listAttributes, transcriptionKey } from './keys.ts';
import { toRow, toStored } from './row.ts';

/** What finds transcriptions and moves them from state to state. */
export type TranscriptionRepository = ReturnType<typeof transcriptionRepository>;

type Documents = Pick<DynamoDBDocumentClient, 'send'>;

/** What a transcription becomes when it is ready. */
export type ReadyFacts = Pick<TranscriptionRecord, 'filename' | 'durationInSeconds'>;

/**
 * The transcriptions of all organizations, each reached through its organization only. Every write has a condition and
 * can be repeated; where the condition fails, what is stored instead tells why.
 */
export function transcriptionRepository(documents: Documents, tableName: string) {
  const end = (record: TranscriptionRecord, ended: TranscriptionRecord & { readonly state: 'ready' | 'failed' }) => {
    const { state, failure, filename, durationInSeconds } = ended;
    const { organizationState, durationInSecondsSort } = listAttributes(ended);
    return conditional(() =>
      documents.send(
        new UpdateCommand({
          TableName: tableName,
          Key: transcriptionKey(record.organizationId, record.transcriptionId),
          UpdateExpression: `SET #state = :state, organizationState = :organizationState, filename = :filename,
            durationInSeconds = :durationInSeconds, durationInSecondsSort = :durationInSecondsSort${failure ? ', failure = :failure' : ''} REMOVE dueShard, dueAt`,
          ConditionExpression: '#state = :inProgress',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: {
            ':state': state,
            ':organizationState': organizationState,
            ':inProgress': 'in_progress',
            ':filename': filename,
            ':durationInSeconds': durationInSeconds,
            ':durationInSecondsSort': durationInSecondsSort,
            ':failure': failure,
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
  };

  return {
    /** What is stored under the id right now: a transcription, its tombstone, or nothing. */
    async find(organizationId: OrganizationId, transcriptionId: string): Promise<StoredTranscription | undefined> {
      const Key = transcriptionKey(organizationId, transcriptionId);
      const { Item } = await documents.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
      return Item && toStored(Item);
    },

    /** Stores a live transcription that has just begun, unless anything of it is known already. */
    async begin(record: TranscriptionRecord): Promise<Conditional> {
      return conditional(() =>
        documents.send(
          new PutCommand({
            TableName: tableName,
            Item: toRow(record),
            ConditionExpression: 'attribute_not_exists(transcriptionId)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
    },

    /** Stores a live transcription that has ended, whether or not its beginning has arrived. The first end stands. */
    async endLive(record: TranscriptionRecord & { readonly state: 'ready' | 'failed' }): Promise<Conditional> {
      return conditional(() =>
        documents.send(
          new PutCommand({
            TableName: tableName,
            Item: toRow(record),
            ConditionExpression: 'attribute_not_exists(transcriptionId) OR (#state = :inProgress AND #type = :type)',
            ExpressionAttributeNames: { '#state': 'state', '#type': 'type' },
            ExpressionAttributeValues: { ':inProgress': 'in_progress', ':type': record.type },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
    },

    /** Ends a transcription well. The first end stands. */
    async markReady(record: TranscriptionRecord, facts: ReadyFacts): Promise<Conditional> {
      return end(record, { ...record, ...facts, state: 'ready' });
    },

    /** Ends a transcription with the reason why; nothing of it is billed. The first end stands. */
    async markFailed(record: TranscriptionRecord, failure: Failure): Promise<Conditional> {
      return end(record, { ...record, failure, state: 'failed', filename: null, durationInSeconds: 0 });
    },

    /** Notes that the job runs and when to ask what became of it, unless the transcription has ended or is gone. */
    async markJobStarted(
      id: TranscriptionKey,
      { jobStartedAt, dueAt }: { readonly jobStartedAt: string; readonly dueAt: string },
    ): Promise<Conditional> {
      return conditional(() =>
        documents.send(
          new UpdateCommand({
            TableName: tableName,
            Key: transcriptionKey(id.organizationId, id.transcriptionId),
            UpdateExpression: 'SET jobStartedAt = :jobStartedAt, dueAt = :dueAt',
            ConditionExpression: '#state = :inProgress',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: { ':jobStartedAt': jobStartedAt, ':dueAt': dueAt, ':inProgress': 'in_progress' },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
    },

    /** Puts the tombstone in the record's place; false where the record has changed its state meanwhile. */
    async bury(record: TranscriptionRecord, tombstone: Tombstone, expiresAt: number): Promise<boolean> {
      const outcome = await conditional(() =>
        documents.send(
          new PutCommand({
            TableName: tableName,
            Item: {
              ...tombstone,
              expiresAt,
              ...(tombstone.dueAt && { dueShard: dueShard(tombstone.transcriptionId) }),
            },
            ConditionExpression: '#state = :state',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: { ':state': record.state },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
      return outcome.applied || (outcome.stored !== undefined && isDeleted(outcome.stored));
    },
  };
}
