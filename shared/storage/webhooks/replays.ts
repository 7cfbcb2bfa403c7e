import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ReplayStore } from '#shared/use-cases/webhooks/delivery-ports.ts';
import { pastConflicts } from '../common/past-conflicts.ts';
import { unlessRefused } from '../common/unless-refused.ts';
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

    progress(webhook, { replayId, state, planned, after, before }) {
      const setting = [
        ...(after === undefined ? [] : ['#after = :after']),
        ...(before === undefined ? [] : ['#before = :before']),
      ];
      const isThere = before === undefined ? 'attribute_not_exists(replay.#after)' : 'replay.#after = :before';
      const update = new UpdateCommand({
        TableName,
        Key: webhookKey(webhook),
        UpdateExpression: `SET replay.#state = :state, replay.planned = :planned, replay.updatedAt = :now${setting.map((each) => `, replay.${each}`).join('')}`,
        ConditionExpression: `replay.replayId = :replayId AND replay.#state = :running AND ${isThere}`,
        ExpressionAttributeNames: {
          '#state': 'state',
          '#after': 'after',
          ...(before !== undefined && { '#before': 'before' }),
        },
        ExpressionAttributeValues: {
          ':replayId': replayId,
          ':state': state,
          ':planned': planned,
          ':now': now().toISOString(),
          ':running': 'running',
          ...(after !== undefined && { ':after': after }),
          ...(before !== undefined && { ':before': before }),
        },
      });
      return unlessRefused(() => pastConflicts(() => documents.send(update)));
    },
  };
}
