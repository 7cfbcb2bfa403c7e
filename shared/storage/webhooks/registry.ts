import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Replay } from '#shared/contracts/webhooks/webhooks.ts';
import type { WebhookKey, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import type { Pause } from '#shared/runtime/retry.ts';
import type { ReplayStart, WebhookChange, WebhookStore } from '#shared/use-cases/webhooks/ports.ts';
import { pastConflicts } from '../common/past-conflicts.ts';
import { unlessRefused } from '../common/unless-refused.ts';
import { webhookDueShard } from './due.ts';
import { webhookReader } from './reader.ts';
import { toWebhookRecord, webhookKey } from './rows.ts';

type Documents = Pick<DynamoDBDocumentClient, 'send'>;
type Update = Pick<UpdateCommandInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues' | 'UpdateExpression'>;

const exists = `attribute_exists(${attributeNames.webhookId})`;

/** Implements `WebhookStore` with DynamoDB. A transaction writes a webhook when the service disables it, so its other writes wait for that. */
export function webhookRegistry(documents: Documents, TableName: string, pause?: Pause): WebhookStore {
  return {
    ...webhookReader(documents, TableName),

    async change(key, change) {
      let changed: WebhookRecord | undefined;
      await unlessRefused(async () => {
        const update = new UpdateCommand({
          TableName,
          Key: webhookKey(key),
          ...updateOf({ ...change, ...(change.dueAt !== undefined && { dueShard: webhookDueShard(key) }) }),
          ConditionExpression: exists,
          ReturnValues: 'ALL_NEW',
        });
        const { Attributes } = await pastConflicts(() => documents.send(update), pause);
        changed = toWebhookRecord(Attributes);
      });
      return changed;
    },

    rotate(asRead, rotation) {
      const { ExpressionAttributeValues: values, ...update } = updateOf(rotation);
      const command = new UpdateCommand({
        TableName,
        Key: webhookKey(asRead),
        ...update,
        ConditionExpression: '#secretVersion = :asRead',
        ExpressionAttributeValues: { ...values, ':asRead': asRead.secretVersion },
      });
      return unlessRefused(() => pastConflicts(() => documents.send(command), pause));
    },

    async remove(key) {
      const removal = new DeleteCommand({ TableName, Key: webhookKey(key) });
      await pastConflicts(() => documents.send(removal), pause);
    },

    async startReplay(key, replay, staleBefore) {
      try {
        const update = new UpdateCommand(startOfReplay(TableName, key, replay, staleBefore));
        await pastConflicts(() => documents.send(update), pause);
        return 'started';
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return reasonOf(error.Item && toWebhookRecord(unmarshall(error.Item)), replay);
      }
    },

    async failReplay(key, replayId) {
      const update = {
        TableName,
        Key: webhookKey(key),
        UpdateExpression: 'SET replay.#state = :failed',
        ConditionExpression: 'replay.replayId = :replayId',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':failed': 'failed', ':replayId': replayId },
      };
      await unlessRefused(() => pastConflicts(() => documents.send(new UpdateCommand(update)), pause));
    },
  };
}

function startOfReplay(TableName: string, key: WebhookKey, replay: Replay, staleBefore: Date) {
  const isFree = 'attribute_not_exists(replay) OR replay.#state <> :running OR replay.updatedAt < :staleBefore';
  return {
    TableName,
    Key: webhookKey(key),
    UpdateExpression: 'SET replay = :replay',
    ConditionExpression: `${exists} AND #state = :enabled AND (${isFree})`,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':replay': replay,
      ':enabled': 'enabled',
      ':running': 'running',
      ':staleBefore': staleBefore.toISOString(),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

/** The SDK repeats a call whose answer was lost, and then finds its own replay. */
function reasonOf(webhook: WebhookRecord | undefined, { replayId }: Replay): ReplayStart {
  if (!webhook) return 'not_found';
  if (webhook.replay?.replayId === replayId) return 'started';
  return webhook.state === 'disabled' ? 'disabled' : 'in_progress';
}

/** The update that sets the values and removes those that are undefined. */
function updateOf(change: WebhookChange & { readonly dueShard?: string }): Update {
  const entries = Object.entries(change);
  const set = entries.filter(([, value]) => value !== undefined);
  const removed = entries.filter(([, value]) => value === undefined);
  const clauses = [
    ...(set.length > 0 ? [`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`] : []),
  ];
  return {
    UpdateExpression: clauses.join(' '),
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
    ...(set.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
    }),
  };
}
