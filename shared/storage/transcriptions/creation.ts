import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { TranscriptionCreation } from '../../use-cases/ports.ts';
import { isLostRace } from '../lost-race.ts';
import { recordingKey } from './keys.ts';
import { toRow } from './row.ts';
import { conditionOf } from './transition-writes.ts';

/** Stores a transcription as its recording's newest one, unless another call has stored a newer one. So a recording has at most one unfinished transcription. */
export function transcriptionCreation(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tables: { readonly transcriptions: string; readonly recordings: string },
): TranscriptionCreation {
  return {
    // A lost answer does no harm: the SDK repeats the transaction under the same client token.
    async create(record, previousId) {
      const isUnchanged =
        previousId === undefined
          ? 'attribute_not_exists(latestTranscriptionId)'
          : 'latestTranscriptionId = :previousId';
      const transaction = new TransactWriteCommand({
        TransactItems: [
          {
            Put: {
              TableName: tables.transcriptions,
              Item: toRow(record),
              ...conditionOf('created'),
            },
          },
          {
            Update: {
              TableName: tables.recordings,
              Key: recordingKey(record.organizationId, record.recordingId),
              UpdateExpression: 'SET latestTranscriptionId = :transcriptionId',
              ConditionExpression: `attribute_exists(recordingId) AND ${isUnchanged}`,
              ExpressionAttributeValues: { ':transcriptionId': record.transcriptionId, ':previousId': previousId },
            },
          },
        ],
      });
      try {
        await documents.send(transaction);
        return true;
      } catch (error) {
        if (isLostRace(error)) return false;
        throw error;
      }
    },
  };
}
