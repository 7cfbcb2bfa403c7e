import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { WebhookRunMessage } from '#shared/contracts/messages.ts';
import { deliveryKeyOf, plannedDelivery } from '#shared/domain/delivery.ts';
import { noticeOf } from '#shared/domain/notice.ts';
import type { DeliveryRecord, WebhookRecord } from '#shared/domain/webhook.ts';
import type { RunEnd } from '#shared/use-cases/notice-ports.ts';
import { runWebhook } from '#shared/use-cases/run-webhook.ts';
import { organizationId } from '../../support/records.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const lookAgainAt = '2026-03-01T10:02:00.000Z';
const owner = organizationId('acme');
const key = { organizationId: owner, webhookId: randomUUID() };

/** A webhook with a delivery that waits, and an index that shows nothing yet. `wakes` of its runs are woken. */
function scene({ wakes = 0, facts = {} }: { wakes?: number; facts?: Partial<WebhookRecord> } = {}) {
  const webhook: WebhookRecord = {
    ...{ ...key, url: 'https://receiver.example/', description: '', signature: 'standard', state: 'enabled' },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', secretVersion: 1, ...facts },
  };
  const subject = { kind: 'session', id: randomUUID() } as const;
  const data = { revision: 1, roomSessionId: subject.id, roomName: '/standup', startedAt: now.toISOString() };
  const notice = noticeOf(owner, 'room.session.started', subject, data, now);
  const deliveryKey = deliveryKeyOf({ createdAt: notice.createdAt, noticeId: notice.id });
  const ends: RunEnd[] = [];
  const sent: WebhookRunMessage[] = [];
  let left = wakes;
  const run = (message: Partial<WebhookRunMessage>, delivery: DeliveryRecord = plannedDelivery(webhook, notice, now)) =>
    runWebhook(
      {
        deliveries: {
          find: async () => delivery,
          findAll: async (_, keys) => (keys.includes(deliveryKey) ? [delivery] : []),
          async *listDue() {},
          async *listWaiting() {},
          nextDueAt: async () => undefined,
          store: async () => true,
          plan: async () => true,
          planAgain: async () => true,
          giveUp: async () => true,
        },
        notices: { findAll: async () => new Map([[deliveryKey, notice]]) },
        runs: {
          takeTurn: async () => ({ webhook }),
          endTurn: async (_, __, end, { evenIfWoken = false } = {}) => {
            if (!evenIfWoken && left-- > 0) return 'woken';
            ends.push(end);
            return 'ended';
          },
          disable: async () => false,
        },
        caller: {
          refusalOf: () => undefined,
          call: async () => ({ succeeded: true, answerCode: 204, latencyMs: 80, failure: null }),
        },
        ...{ secret: { read: async () => 'secret' }, report: () => {}, disableDays: 7, now: () => now },
        sendRuns: async (_, messages) => void sent.push(...messages),
      },
      { ...key, ...message },
    );
  return { webhook, notice, deliveryKey, ends, sent, run };
}

test('a run that was woken is followed by one that looks again later, even if the index shows nothing to that one either', async () => {
  const { deliveryKey, ends, sent, run } = scene({ wakes: 1 });
  await run({ deliveryKey });
  expect(sent).toEqual([{ ...key, mayHaveMissed: true }]);
  await run(sent[0] ?? {});
  expect(ends.map(({ dueAt }) => dueAt)).toEqual([lookAgainAt, lookAgainAt]);
});

test('a run that the sweep asks for, and that finds nothing, is followed by none', async () => {
  const { ends, sent, run } = scene();
  await run({});
  expect(ends).toEqual([{ failing: undefined, dueAt: undefined }]);
  expect(sent).toEqual([]);
});

test('a run of a delivery that has a message of its own is followed by none', async () => {
  const { deliveryKey, ends, sent, run } = scene();
  await run({ deliveryKey });
  expect(ends).toEqual([{ failing: {}, dueAt: undefined }]);
  expect(sent).toEqual([]);
});

test('after a run of a replay, or of a webhook that had failed, another one looks again: some deliveries have no message', async () => {
  const ofReplay = scene();
  const { webhook, notice, deliveryKey } = ofReplay;
  await ofReplay.run({ deliveryKey }, plannedDelivery(webhook, notice, now, randomUUID()));
  const failed = scene({ facts: { failingSince: '2026-03-01T09:00:00.000Z', parkings: 1 } });
  await failed.run({ deliveryKey: failed.deliveryKey });
  expect([...ofReplay.ends, ...failed.ends].map(({ dueAt }) => dueAt)).toEqual([lookAgainAt, lookAgainAt]);
});
