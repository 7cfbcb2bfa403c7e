import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { wantsType } from '#shared/domain/webhooks/delivery.ts';
import type { WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { toWebhookRecord } from '#shared/storage/webhooks/rows.ts';
import { dynamodb } from '../../support/machine.ts';
import { noticesOf, storedNotices } from '../../support/webhooks/stored-notices.ts';
import { expectTold, sessionsOf } from '../support/insights/told-sessions.ts';
import { deliveriesTo } from '../support/notices/notices.ts';
import { webhooksPerOrganization } from '../support/notices/webhook-functions.ts';
import type { KnownWebhook } from './known-webhooks.ts';
import type { Scene } from './scene.ts';

type Row = Readonly<Record<string, unknown>>;
type Stored = { readonly webhook: WebhookRecord; readonly known: KnownWebhook | undefined };

const documents = DynamoDBDocumentClient.from(dynamodb);
/** Receivers are called for three days. A failure before that is not the last one. */
const mostMs = 71 * 3_600_000;

/** All rows of a table. */
export async function rowsOf(TableName: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { Items = [] } of paginateScan({ client: documents }, { TableName, ConsistentRead: true }))
    rows.push(...Items);
  return rows;
}

/** The stored webhooks, with what their clients know. */
export async function storedWebhooks({ world, knowledge }: Scene): Promise<Stored[]> {
  const rows = await rowsOf(world.resources.tables.webhooks);
  return rows.map(toWebhookRecord).map((webhook) => ({
    webhook,
    known: knowledge.webhooks.find(({ webhookId }) => webhookId === webhook.webhookId),
  }));
}

/** What must hold at rest for notices on their way. */
export const noticeInvariantsAtRest: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'every notice is on the event bus, with its organization': async ({ world }) => {
    const key = ({ organizationId, id }: Row) => `${organizationId} ${id}`;
    const onBus = new Set(world.receivers.events.map(({ detail }) => key(detail)));
    const missing = (await storedNotices(world.resources.tables.notices)).filter((notice) => !onBus.has(key(notice)));
    expect(missing).toEqual([]);
  },

  'the last notice of a session tells what insights show': async ({ world, organizations, erased }) => {
    for (const organizationId of organizations.filter((each) => !erased.has(each))) {
      const notices = await noticesOf(world.resources.tables.notices, organizationId);
      for (const room of ['/standup', '/retro'])
        for (const session of await sessionsOf(world, organizationId, room)) {
          const ofSession = ({ data }: OrganizationNotice) =>
            'roomSessionId' in data && data.roomSessionId === session.roomSessionId;
          const own = notices.filter(
            (notice) =>
              notice.type.startsWith('room.session.') &&
              ofSession(notice) &&
              'roomName' in notice.data &&
              notice.data.roomName === room,
          );
          expectTold(own, session, `${organizationId} ${room} ${session.roomSessionId}`);
        }
    }
  },

  'no receiver gets a notice of another organization': async ({ world, organizations, erased }) => {
    for (const organizationId of organizations.filter((each) => !erased.has(each))) {
      const notices = await noticesOf(world.resources.tables.notices, organizationId);
      const own = new Set(notices.map(({ id }) => id));
      const foreign = world.receivers.calls.filter(
        ({ url, noticeId, body }) =>
          url.endsWith(`/${organizationId}`) && (!own.has(noticeId) || JSON.parse(body).id !== noticeId),
      );
      expect(foreign).toEqual([]);
    }
  },

  'nothing waits at a webhook, and no organization has too many': async (scene) => {
    const stored = await storedWebhooks(scene);
    for (const { webhook } of stored) {
      const waiting = (await deliveriesTo(scene.world, webhook)).filter(({ state }) => state === 'waiting');
      expect(waiting).toEqual([]);
      const { webhookId, dueAt, runId, parkedUntil, failingSince, replay } = webhook;
      expect({ webhookId, dueAt, runId }).toEqual({ webhookId });
      if (webhook.state === 'enabled' && waiting.length === 0 && parkedUntil !== undefined)
        expect(failingSince, `${webhookId} is parked only if nothing was sent since`).toBeDefined();
      if (!scene.knowledge.unansweredReplays.has(webhookId)) expect(replay?.state).not.toBe('running');
    }
    for (const some of Map.groupBy(stored, ({ webhook }) => webhook.organizationId).values())
      expect(some.length).toBeLessThanOrEqual(webhooksPerOrganization);
  },

  'every notice has reached every enabled webhook that wants it': async (scene) => {
    for (const stored of await storedWebhooks(scene)) await expectReached(scene, stored);
  },
};

async function expectReached(scene: Scene, { webhook, known }: Stored): Promise<void> {
  const { world, replayed } = scene;
  if (webhook.state === 'disabled') return;
  const { organizationId, webhookId } = webhook;
  const notices = await noticesOf(world.resources.tables.notices, organizationId);
  const replayedAt = replayed.get(webhookId);
  const wanted = notices.filter((notice) => {
    if (replayedAt !== undefined) return isReplayed(webhook, notice, replayedAt);
    const isLater = notice.createdAt >= webhook.createdAt;
    return isLater && known?.mustGet(notice); // of others, nobody knows when they were created
  });
  const deliveries = new Map((await deliveriesTo(world, webhook)).map((delivery) => [delivery.noticeId, delivery]));
  const urls = known?.urls ?? new Set([webhook.url]);
  const accepted = new Set(
    world.receivers.calls.filter(({ url, isAccepted }) => isAccepted && urls.has(url)).map(({ noticeId }) => noticeId),
  );
  for (const notice of wanted) {
    const delivery = deliveries.get(notice.id);
    const { state, failureCode, lastAttemptAt = '', plannedAt = '' } = delivery ?? {};
    if (
      state === 'failed' &&
      failureCode !== 'webhook_disabled' &&
      Date.parse(lastAttemptAt) - Date.parse(plannedAt) > mostMs
    )
      continue; // it was tried for three days, and is not replayed, because another replay may be under way
    expect(state, `${notice.type} ${notice.id} for ${webhookId}: ${JSON.stringify(delivery)}`).toBe('delivered');
    expect([...accepted], `${notice.id} is delivered`).toContain(notice.id);
  }
}

function isReplayed(webhook: WebhookRecord, notice: OrganizationNotice, replayedAt: string): boolean {
  const from = new Date(Date.parse(replayedAt) - 29 * 24 * 3_600_000).toISOString();
  return notice.createdAt >= from && notice.createdAt < replayedAt && wantsType(webhook, notice);
}
