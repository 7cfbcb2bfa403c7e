import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createHandler } from '#functions/workers/webhooks/relay-notices/handler.ts';
import { noticeOf } from '#shared/domain/notices/notice.ts';
import { noticePut } from '#shared/storage/notices/notice-put.ts';
import { toNotice } from '#shared/storage/notices/notices.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { organizationId, uuid } from '../../support/operations/records.ts';

const now = new Date('2026-03-02T10:00:00.000Z');
const notices = Array.from({ length: 12 }, (_, index) => {
  const data = { revision: index + 1, roomSessionId: uuid(2), roomName: '/standup', startedAt: now.toISOString() };
  return noticeOf(organizationId(), 'room.session.started', { kind: 'session', id: uuid(2) }, data, now);
});

test('logs the ids of ten notices that it could not relay', async () => {
  const { lines } = captureLogLines();
  const handler = createHandler({
    read: toNotice,
    notices: { markRelayed: async () => {} },
    sendEvents: async () => {},
    sendPlans: () => Promise.reject(new Error('down')),
  });
  const Records = notices.map((notice, index) => ({
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: String(index),
      NewImage: marshall(noticePut('notices', notice).Put?.Item ?? {}, { removeUndefinedValues: true }),
    },
  }));
  const { batchItemFailures } = await handler({ Records } as DynamoDBStreamEvent);
  expect(batchItemFailures).toHaveLength(12);
  const { facts } = lines().find(({ text }) => text.includes('notices not relayed')) ?? {};
  const noticeIds = notices.slice(0, 10).map(({ id }) => id);
  expect(facts).toMatchObject({ failed: 12, noticeIds: noticeIds.join(', ') });
});
