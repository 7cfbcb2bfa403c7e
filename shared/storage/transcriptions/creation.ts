import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { TranscriptionRecord } from '../../domain/transcription.ts';
import { isLostRace } from '../lost-race.ts';
import { recordingKey } from './keys.ts';
import { toRow } from './row.ts';

/** What makes one recording have at most one unfinished transcription. */
export function transcriptionCreation(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tables: { readonly transcriptions: string; readonly recordings: string },
) {
  return {
    /**
     * Stores a new transcription and makes it its recording's newest, in one transaction. False where the recording has
     * another newest one than `previousId` by now. An answer that is lost does no harm: the SDK repeats the transaction
     * under the same client token.
     */
    async create(
      record: TranscriptionRecord & { readonly recordingId: string },
      previousId: string | undefined,
    ): Promise<boolean> {
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
              ConditionExpression: 'attribute_not_exists(transcriptionId)',
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
