import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { noticeOf } from '#shared/domain/notices/notice.ts';
import type { WebhookKey, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { isPostponed } from '#shared/domain/webhooks/webhook-pace.ts';
import { type Failing, isParked } from '#shared/domain/webhooks/webhook-parking.ts';
import { retry, tryAgain } from '#shared/runtime/retry.ts';
import type { RunEnd, RunStore, TurnOutcome } from '#shared/use-cases/webhooks/delivery-ports.ts';
import { isLostRace } from '../common/lost-race.ts';
import { pastConflicts } from '../common/past-conflicts.ts';
import { unlessRefused } from '../common/unless-refused.ts';
import { noticePut } from '../notices/notice-put.ts';
import { webhookDueShard } from './due.ts';
import { webhookReader } from './reader.ts';
import { toWebhookRecord, webhookKey } from './rows.ts';

/** For how long a run has the turn. It is longer than a run of deliver-notices can take. */
const turnMs = 90_000;
const maxAttempts = 5;
const maxPauseMs = 50;

/** The tables of webhooks and of notices. */
type Tables = { readonly webhooks: string; readonly notices: string };

/** Values of attributes to set, and undefined for those to remove. */
type Changes = Readonly<Record<string, unknown>>;

/**
 * Implements `RunStore` with DynamoDB. A run changes no attribute that the API changes, except when it disables the webhook, and it
 * changes existing rows only: a webhook that was deleted does not come back.
 */
export function webhookRuns(documents: DynamoDBDocumentClient, tables: Tables): RunStore {
  /** Changes a row if its condition holds. Otherwise returns what it was; undefined if there is no row. */
  const change = async (
    webhook: WebhookKey,
    changes: Changes,
    condition: { readonly if: string; readonly names?: Record<string, string>; readonly values: Changes },
  ): Promise<{ readonly row: WebhookRecord | undefined; readonly isChanged: boolean }> => {
    const { expression, names, values } = updateOf(changes);
    const update = new UpdateCommand({
      TableName: tables.webhooks,
      Key: webhookKey(webhook),
      UpdateExpression: expression,
      ConditionExpression: condition.if,
      ExpressionAttributeNames: { ...names, ...condition.names, '#state': 'state' },
      ExpressionAttributeValues: { ...values, ...condition.values },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      const { Attributes } = await pastConflicts(() => documents.send(update));
      return { row: toWebhookRecord(Attributes), isChanged: true };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { row: error.Item && toWebhookRecord(unmarshall(error.Item)), isChanged: false };
    }
  };

  const wake = (webhook: WebhookKey, runId: string) =>
    unlessRefused(() =>
      pastConflicts(() =>
        documents.send(
          new UpdateCommand({
            TableName: tables.webhooks,
            Key: webhookKey(webhook),
            UpdateExpression: 'ADD wakes :one',
            ConditionExpression: 'runId = :runId',
            ExpressionAttributeValues: { ':one': 1, ':runId': runId },
          }),
        ),
      ),
    );

  /** One try to get the turn. The index of deliveries lags, so a run that is woken looks again some time later. */
  const takeOnce = async (webhook: WebhookKey, runId: string, now: Date): Promise<TurnOutcome | typeof tryAgain> => {
    const runUntil = new Date(now.getTime() + turnMs).toISOString();
    const { row, isChanged } = await change(
      webhook,
      { runId, runUntil, wakes: 0, postponedUntil: undefined, ...dueFrom(webhook, runUntil) },
      {
        if: `attribute_exists(webhookId) AND ${hasPassed('runUntil')} AND (#state = :disabled OR ${hasPassed('parkedUntil')} AND ${hasPassed('postponedUntil')})`,
        values: { ':now': now.toISOString(), ':disabled': 'disabled' },
      },
    );
    if (!row) return 'gone';
    // An answer that was lost makes the SDK try again, and find its own turn.
    if (isChanged || row.runId === runId) return { webhook: row };
    const isTaken = row.runUntil !== undefined && row.runUntil > now.toISOString();
    if (!isTaken) {
      if (row.state === 'enabled' && isParked(row, now)) return 'parked';
      return row.state === 'enabled' && isPostponed(row, now) ? 'postponed' : tryAgain;
    }
    if (row.wakes) return 'woken'; // it looks again already
    return (await wake(webhook, String(row.runId))) ? 'woken' : tryAgain;
  };

  return {
    ...webhookReader(documents, tables.webhooks),

    takeTurn: (webhook, { runId, now }) =>
      retry(() => takeOnce(webhook, runId, now), {
        maxAttempts,
        maxPauseMs: (failedAttempts) => maxPauseMs * failedAttempts,
        exhausted: 'The turn of a webhook changed hands again and again.',
      }),

    async endTurn(webhook, runId, end, { evenIfWoken = false, evenIfChanged = false } = {}) {
      const unchanged = unchangedSince(webhook);
      const conditions = [
        'runId = :own AND attribute_exists(#state)',
        ...(evenIfWoken ? [] : ['wakes = :zero']),
        ...(evenIfChanged ? [] : [unchanged.condition]),
      ];
      const { row, isChanged } = await change(webhook, endOf(webhook, end), {
        if: conditions.join(' AND '),
        names: evenIfChanged ? {} : unchanged.names,
        values: { ':own': runId, ...(!evenIfWoken && { ':zero': 0 }), ...(!evenIfChanged && unchanged.values) },
      });
      if (isChanged) return 'ended';
      if (row?.runId !== runId) return 'lost';
      return !evenIfWoken && row.wakes ? 'woken' : 'changed';
    },

    async disable(webhook, runId, failing, now) {
      const { organizationId, webhookId } = webhook;
      const unchanged = unchangedSince(webhook);
      const revision = (webhook.noticeRevision ?? 0) + 1;
      const data = { revision, webhookId, state: 'disabled' } as const;
      const notice = noticeOf(organizationId, 'webhook.disabled', { kind: 'webhook', id: webhookId }, data, now);
      const dueAt = now.toISOString();
      const { lookAgainAt } = webhook;
      const ended = endOf(webhook, { failing: { ...failing, parkedUntil: undefined }, dueAt, lookAgainAt });
      const { expression, names, values } = updateOf({
        ...ended,
        ...{ state: 'disabled', disabledBy: 'service', noticeRevision: revision },
      });
      const update = {
        TableName: tables.webhooks,
        Key: webhookKey(webhook),
        UpdateExpression: expression,
        ConditionExpression: `runId = :own AND ${unchanged.condition}`,
        ExpressionAttributeNames: { ...names, ...unchanged.names },
        ExpressionAttributeValues: { ...values, ...unchanged.values, ':own': runId },
      };
      const TransactItems = [{ Update: update }, noticePut(tables.notices, notice)];
      try {
        await documents.send(new TransactWriteCommand({ TransactItems }));
        return true;
      } catch (error) {
        if (!isLostRace(error)) throw error;
        return false;
      }
    },
  };
}

/** The owner has not disabled the webhook, and has not made it start afresh: a new address and an enabled webhook have no failures. */
function unchangedSince({ url, state, failingSince, freshStartId }: WebhookRecord) {
  const isAsRead = (name: string, value: unknown) =>
    value === undefined ? `attribute_not_exists(${name})` : `${name} = :was_${name}`;
  return {
    condition: `#url = :url AND #state = :was_state AND ${isAsRead('failingSince', failingSince)} AND ${isAsRead('freshStartId', freshStartId)}`,
    names: { '#url': 'url' },
    values: {
      ':url': url,
      ':was_state': state,
      ...(failingSince !== undefined && { ':was_failingSince': failingSince }),
      ...(freshStartId !== undefined && { ':was_freshStartId': freshStartId }),
    },
  };
}

/** The condition that a time is not in the future. */
function hasPassed(name: string): string {
  return `(attribute_not_exists(${name}) OR ${name} <= :now)`;
}

/** The due attributes of a row: both, or none. */
function dueFrom(webhook: WebhookKey, dueAt: string | undefined): Changes {
  return { dueAt, dueShard: dueAt && webhookDueShard(webhook) };
}

function endOf(webhook: WebhookKey, { failing, dueAt, lookAgainAt, slowUntil, postponedUntil }: RunEnd): Changes {
  return {
    ...{ runId: undefined, runUntil: undefined, wakes: undefined, lookAgainAt, postponedUntil },
    ...(slowUntil !== undefined && { slowUntil }),
    ...(failing && failingFrom(failing)),
    ...dueFrom(webhook, dueAt),
  };
}

function failingFrom({ failingSince, failuresInARow, parkings, parkedUntil }: Failing): Changes {
  return { failingSince, failuresInARow, parkings, parkedUntil };
}

/** An update that sets values, and removes the attributes whose value is undefined. */
function updateOf(changes: Changes) {
  const entries = Object.entries(changes);
  const set = entries.filter(([, value]) => value !== undefined);
  const removed = entries.filter(([, value]) => value === undefined);
  const parts = [
    ...(set.length > 0 ? [`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`] : []),
  ];
  return {
    expression: parts.join(' '),
    names: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
  };
}
