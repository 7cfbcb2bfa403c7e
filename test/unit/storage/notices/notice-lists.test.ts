import { describe, expect, test } from 'vitest';
import { ListNotices } from '#shared/contracts/notices.ts';
import { ListDeliveries } from '#shared/contracts/webhooks/webhooks.ts';
import { noticeOf } from '#shared/domain/notices/notice.ts';
import { newWebhook } from '#shared/domain/webhooks/webhook-changes.ts';
import { encodeCursor } from '#shared/storage/common/cursor.ts';
import { noticeLister } from '#shared/storage/notices/notice-list.ts';
import { noticePut } from '#shared/storage/notices/notice-put.ts';
import { noticeRepository, toNotice } from '#shared/storage/notices/notices.ts';
import { deliveryLister } from '#shared/storage/webhooks/delivery-list.ts';
import { toWebhookRecord } from '#shared/storage/webhooks/rows.ts';
import { answering } from '../../../support/client/fake-client.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';

const now = new Date('2026-03-02T10:00:00.000Z');
const acme = organizationId();
const body = { url: 'https://receiver.example/', description: '', signature: 'standard' } as const;
const webhook = newWebhook(acme, body, { webhookId: uuid(1), creationId: 'creation-1', now });
const session = { kind: 'session', id: uuid(2) } as const;
const data = { revision: 1, roomSessionId: uuid(2), roomName: '/standup', startedAt: now.toISOString() };
const notice = noticeOf(acme, 'room.session.started', session, data, now);
const known = noticePut('notices', notice).Put?.Item ?? {};
const unknown = { ...known, type: 'room.session.paused' };
const delivery = {
  ...{ organizationId: acme, webhookId: uuid(1), noticeId: notice.id, createdAt: notice.createdAt },
  ...{ type: notice.type, state: 'delivered', attempts: 1, plannedAt: notice.createdAt },
};
const answeringItems = (...Items: object[]) => answering({}, () => ({ Items })).client as never;

describe('types that a later version has stored', () => {
  test('are left out of the types of a webhook', () => {
    expect(toWebhookRecord({ ...webhook, types: ['room.session.paused', 'room.session.ended'] }).types).toEqual([
      'room.session.ended',
    ]);
    expect(toWebhookRecord({ ...webhook, types: ['room.session.paused'] }).types).toEqual([]); // and not all
    expect(toWebhookRecord(webhook)).not.toHaveProperty('types');
  });

  test('are left out of the list of notices, and of replays', async () => {
    const documents = answeringItems(unknown, known);
    const { organizationId: _, ...shown } = notice;
    const query = ListNotices.parse({});
    expect((await noticeLister(documents, 'notices', () => now.getTime())(acme, query)).results).toEqual([shown]);
    const period = { organizationId: acme, from: '2026-03-01', to: '2026-03-03', limit: 100, after: undefined };
    expect((await noticeRepository(documents, 'notices').page(period)).notices).toEqual([notice]);
  });

  test('are left out of the list of deliveries', async () => {
    const row = { ...delivery, deliveryKey: `${notice.createdAt}\0${notice.id}` };
    const documents = answeringItems({ ...row, type: 'room.session.paused' }, row);
    const list = deliveryLister(documents, 'webhookDeliveries', () => now.getTime());
    expect((await list(webhook, ListDeliveries.parse({}))).results).toEqual([delivery]);
  });

  test('are an error for what relays them', () => {
    expect(() => toNotice(unknown)).toThrow('A notice cannot be read.');
  });
});

test('a page of deliveries after a cursor that has expired meanwhile is empty', async () => {
  const list = deliveryLister(answeringItems(), 'webhookDeliveries', () => now.getTime());
  const after = (time: string) =>
    list(webhook, ListDeliveries.parse({ cursor: encodeCursor(['webhook-deliveries', webhook.webhookId], time) }));
  expect(await after('2026-01-31T09:59:59.000Z\0ntc_1')).toEqual({ results: [], cursor: null });
  expect(await after('2026-02-01T10:00:00.000Z\0ntc_1')).toEqual({ results: [], cursor: null });
  await expect(list(webhook, ListDeliveries.parse({ cursor: 'x' }))).rejects.toThrow();
});
