import { type DynamoDBDocumentClient, GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import type { Pause } from '#shared/runtime/retry.ts';
import type { TranscriptionStore } from '#shared/use-cases/transcriptions/ports.ts';
import { conditional } from './conditional.ts';
import { transcriptionKey } from './keys.ts';
import { toStored } from './row.ts';
import { updateOf } from './transition-writes.ts';

/** Reads of transcriptions, and changes of which nobody is told. They need no table of notices. */
export type UntoldTranscriptions = Pick<
  TranscriptionStore,
  'find' | 'markJobStarted' | 'markPrepared' | 'withdrawWork' | 'revokeLinks'
>;

/** Implements `UntoldTranscriptions` with DynamoDB. Every key contains the organization. */
export function untoldTranscriptions(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  TableName: string,
  { pause }: { readonly pause?: Pause | undefined } = {},
): UntoldTranscriptions {
  const update = (input: Omit<UpdateCommandInput, 'TableName'>) => {
    const returningOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    return conditional(() => documents.send(new UpdateCommand({ ...input, TableName, ...returningOld })), pause);
  };
  const change = (event: 'jobStarted' | 'prepared', record: TranscriptionRecord) => update(updateOf(event, record));

  return {
    async find(organizationId, transcriptionId) {
      const Key = transcriptionKey(organizationId, transcriptionId);
      const { Item } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
      return Item && toStored(Item);
    },

    markJobStarted: (record, facts) => change('jobStarted', { ...record, ...facts }),

    markPrepared: (record, facts) => change('prepared', { ...record, ...facts }),

    async withdrawWork({ organizationId, transcriptionId, jobFingerprint, takenOverBy }) {
      if (jobFingerprint === undefined) return takenOverBy === undefined; // it was never offered, or withdrawn before
      const outcome = await update({
        Key: transcriptionKey(organizationId, transcriptionId),
        UpdateExpression: 'REMOVE jobFingerprint',
        ConditionExpression: 'attribute_exists(deletedAt) AND attribute_not_exists(takenOverBy)',
      });
      return outcome.applied || outcome.stored === undefined; // without a tombstone, nothing can be taken over
    },

    async revokeLinks({ organizationId, transcriptionId, linksValidFrom: asRead }, linksValidFrom) {
      const isAsRead = asRead === undefined ? 'attribute_not_exists(linksValidFrom)' : 'linksValidFrom = :asRead';
      await update({
        Key: transcriptionKey(organizationId, transcriptionId),
        UpdateExpression: 'SET linksValidFrom = :next',
        ConditionExpression: `attribute_exists(#state) AND ${isAsRead}`, // a tombstone has no state
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':next': linksValidFrom, ...(asRead !== undefined && { ':asRead': asRead }) },
      });
    },
  };
}
