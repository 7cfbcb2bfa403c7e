import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { Webhook as Verifier } from 'standardwebhooks';
import { expect } from 'vitest';
import type { NoticeType } from '#shared/contracts/notices/notice-types.ts';
import type { Notice } from '#shared/contracts/notices.ts';
import { CreatedWebhook, type CreateWebhook } from '#shared/contracts/webhooks/webhooks.ts';
import { noticeOf } from '#shared/domain/notices/notice.ts';
import type { DeliveryRecord } from '#shared/domain/webhooks/webhook.ts';
import { noticeKeyOf, noticePut } from '#shared/storage/notices/notice-put.ts';
import { deliveryKey } from '#shared/storage/webhooks/rows.ts';
import { clientOf, type RawAnswer } from '../http/checked-api.ts';
import { serveInTest } from '../http/test-server.ts';
import { dynamodb, endpoints } from '../machine.ts';
import { organizationId as toOrganizationId } from '../operations/records.ts';

/** The path of the webhooks, and that of one. */
export const webhooksPath = '/v1/webhooks';
export const pathOf = (webhookId: string, suffix = '') => `${webhooksPath}/${webhookId}${suffix}`;

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
const { tables } = endpoints;

/** An address on this machine at which nobody listens, so that a replay to it leaves the machine alone. */
export const quietUrl = 'http://127.0.0.1:9/hooks';

/** Creates a webhook by the API. */
export async function createWebhook(
  organizationId: string,
  body: Partial<CreateWebhook> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<CreatedWebhook> {
  const answer = await clientOf(organizationId)('POST', webhooksPath, { body: { url: quietUrl, ...body }, headers });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return CreatedWebhook.parse(JSON.parse(answer.text));
}

/** The body of an answer. */
export function bodyOf<Body>({ text: json }: RawAnswer): Body {
  return JSON.parse(json) as Body;
}

/** A notice of a session of an organization. */
export function sessionNotice(organizationId: string, createdAt: string, revision = 1): Notice {
  const subject = { kind: 'session', id: randomUUID() } as const;
  const data = { revision, roomSessionId: subject.id, roomName: '/standup', startedAt: createdAt };
  const made = noticeOf(toOrganizationId(organizationId), 'room.session.started', subject, data, new Date(createdAt));
  const { organizationId: _, ...notice } = made;
  return notice as Notice;
}

/** Stores notices, as the transaction of a change does. */
export async function storeNotices(organizationId: string, notices: readonly Notice[]): Promise<void> {
  for (const notice of notices) {
    const put = noticePut(String(tables.notices), { organizationId: toOrganizationId(organizationId), ...notice });
    await documents.send(new TransactWriteCommand({ TransactItems: [put] }));
  }
}

/** Stores a delivery that does not wait. */
export async function storeDelivery(
  organizationId: string,
  webhookId: string,
  notice: Pick<Notice, 'id' | 'createdAt' | 'type'>,
  facts: Partial<DeliveryRecord> = {},
): Promise<void> {
  const webhook = { organizationId: toOrganizationId(organizationId), webhookId };
  const { id: noticeId, createdAt, type } = notice;
  const row: DeliveryRecord = {
    ...{ ...webhook, noticeId, createdAt, type: type as NoticeType, plannedAt: createdAt },
    ...{ state: 'delivered', attempts: 1, lastAttemptAt: createdAt, answerCode: 204, latencyMs: 87 },
    ...facts,
  };
  const Item = { ...deliveryKey(webhook, noticeKeyOf(notice)), ...row };
  await documents.send(new PutCommand({ TableName: String(tables.webhookDeliveries), Item }));
}

/** The row of a webhook. */
export async function rowOf(organizationId: string, webhookId: string): Promise<Record<string, unknown> | undefined> {
  const Key = { organizationId, webhookId };
  const request = { TableName: String(tables.webhooks), Key, ConsistentRead: true };
  return (await documents.send(new GetCommand(request))).Item;
}

/** Changes attributes of the row of a webhook, as runs and replays do. */
export async function changeRow(
  organizationId: string,
  webhookId: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = Object.keys(values);
  await documents.send(
    new UpdateCommand({
      TableName: String(tables.webhooks),
      Key: { organizationId, webhookId },
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, values[name]])),
    }),
  );
}

/** A call that a receiver got. */
export type ReceivedCall = { readonly headers: IncomingHttpHeaders; readonly body: string };

/** Starts a receiver on this machine for the time of a test. It answers every call with this status. */
export async function receiver(
  status = 204,
): Promise<{ readonly url: string; readonly calls: readonly ReceivedCall[] }> {
  const calls: ReceivedCall[] = [];
  const url = await serveInTest(async (request, response) => {
    calls.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status).end();
    await once(response, 'close');
  });
  return { url: `${url}/hooks`, calls };
}

/** Verifies a call by the reference library of Standard Webhooks. Returns the body, and throws if the signature is wrong. */
export function verified(secret: string, { headers, body }: ReceivedCall): unknown {
  return new Verifier(secret).verify(body, headers as Record<string, string>);
}

/** Removes the idempotency keys of an organization, as if the function had died before it stored the end of its work. */
export async function forgetKeys(organizationId: string): Promise<void> {
  const TableName = String(tables.idempotencyKeys);
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'organizationId = :organizationId',
      ExpressionAttributeValues: { ':organizationId': organizationId },
    }),
  );
  for (const { operationKey } of Items)
    await documents.send(new DeleteCommand({ TableName, Key: { organizationId, operationKey } }));
}
