import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ReplayStore } from '../../use-cases/notice-ports.ts';
import { pastConflicts } from '../past-conflicts.ts';
import { unlessRefused } from '../unless-refused.ts';
import { webhookReader } from './reader.ts';
import { webhookKey } from './rows.ts';

/** Implements `ReplayStore` with DynamoDB. */
export function webhookReplays(
  documents: DynamoDBDocumentClient,
  TableName: string,
  now: () => Date = () => new Date(),
): ReplayStore {
  return {
    ...webhookReader(documents, TableName),

    progress(webhook, { replayId, state, planned }) {
      const update = new UpdateCommand({
        TableName,
        Key: webhookKey(webhook),
        UpdateExpression: 'SET replay.#state = :state, replay.planned = :planned, replay.updatedAt = :now',
        ConditionExpression: 'replay.replayId = :replayId',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: {
          ':replayId': replayId,
          ':state': state,
          ':planned': planned,
          ':now': now().toISOString(),
        },
      });
      return unlessRefused(() => pastConflicts(() => documents.send(update)));
    },
  };
}
