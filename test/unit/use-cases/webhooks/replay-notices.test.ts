import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { NoticeReplayMessage } from '#shared/contracts/messages.ts';
import { toWebhook, type WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import type { ReplayProgress } from '#shared/use-cases/webhooks/delivery-ports.ts';
import { replayNotices } from '#shared/use-cases/webhooks/replay-notices.ts';
import { organizationId } from '../../../support/operations/records.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const key = { organizationId: organizationId('acme'), webhookId: randomUUID() };
const pages = [undefined, 'a', 'b', 'c', 'd', 'e'];

/** A replay of six pages without notices that the webhook wants. */
function scene() {
  const replayId = randomUUID();
  const sent: NoticeReplayMessage[] = [{ ...key, replayId }];
  const read: (string | undefined)[] = [];
  const stored: ReplayProgress[] = [];
  const times = { startedAt: now.toISOString(), updatedAt: now.toISOString() };
  let webhook: WebhookRecord = {
    ...{ ...key, url: 'https://receiver.example/', description: '', signature: 'standard', state: 'enabled' },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', secretVersion: 1 },
    replay: {
      replayId,
      state: 'running',
      from: '2026-01-01T00:00:00.000Z',
      to: times.startedAt,
      noticeId: null,
      ...times,
      planned: 0,
    },
  };
  const handle = (message: NoticeReplayMessage | undefined, meanwhile = async () => {}) =>
    replayNotices(
      {
        replays: {
          find: async () => webhook,
          progress: async (_, progress) => {
            const { replay } = webhook;
            if (replay?.state !== 'running' || replay.after !== progress.before) return false;
            stored.push(progress);
            webhook = { ...webhook, replay: { ...replay, ...progress } };
            return true;
          },
        },
        notices: {
          page: async ({ after }) => {
            read.push(after);
            await meanwhile();
            return { notices: [], after: pages[pages.indexOf(after) + 1] };
          },
        },
        deliveries: { planAgain: async () => true },
        sendReplays: async (_, messages) => void sent.push(...messages),
        sendRuns: async () => {},
      },
      message as NoticeReplayMessage,
    );
  return { handle, sent, read, stored, webhook: () => webhook };
}

test('a message that comes twice makes two of each that follows at most, and each page is planned once', async () => {
  const { handle, sent, read, webhook } = scene();
  await handle(sent[0]);
  for (const message of sent) {
    await handle(message);
    expect(sent.length).toBeLessThanOrEqual(2 * pages.length);
  }
  expect(read).toEqual(pages);
  expect(webhook().replay).toMatchObject({ state: 'finished' });
});

test('a message that comes again because its process died before it sent the next one sends that', async () => {
  const { handle, sent } = scene();
  await handle(sent[0]);
  const next = sent.pop();
  expect(await handle(sent[0])).toBe('repeated');
  expect(sent.slice(1)).toEqual([next]);
  await handle(next);
  sent.splice(1);
  expect(await handle(sent[0]), 'two pages later').toBe('repeated');
  expect(sent).toHaveLength(1);
});

test('a repeat that is late does not make a finished replay run again', async () => {
  const { handle, sent, webhook } = scene();
  const rest = async () => {
    for (const message of sent) await handle(message);
  };
  expect(await handle(sent[0], rest)).toBe('repeated');
  expect(webhook().replay).toMatchObject({ state: 'finished' });
});

test('the API does not show where a replay has come to', async () => {
  const { handle, sent, webhook } = scene();
  await handle(sent[0]);
  await handle(sent[1]);
  expect(webhook().replay).toMatchObject({ after: 'b', before: 'a' });
  const { replay } = toWebhook(webhook(), now);
  expect(replay).not.toHaveProperty('after');
  expect(replay).not.toHaveProperty('before');
});
