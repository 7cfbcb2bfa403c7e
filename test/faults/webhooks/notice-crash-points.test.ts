import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { organization } from '../../support/machine.ts';
import { answer, refusedConnection } from '../support/notices/fake-receivers.ts';
import {
  deliveriesTo,
  emptyNotices,
  passNotices,
  register,
  runNotices,
  startReplay,
  tell,
  tellRelayed,
  webhookRow,
} from '../support/notices/notices.ts';
import { killAt, pointsOfDeath } from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

skipPauses();

const { world } = await useWorld();
const { receivers } = world;
const noon = '2026-03-01T12:00:00.000Z';
const days = (count: number) => count * 24 * 3_600_000;
const later = (ms: number) => {
  world.clock = new Date(world.clock.getTime() + ms);
};

beforeEach(() => {
  world.clock = new Date(noon);
});

/** Nothing has gone through the transitions that these notices tell, which the invariants would find. */
afterEach(() => emptyNotices(world));

describe('notices of webhooks', () => {
  test('reach webhooks that are due, wherever the sweep of webhooks dies', async () => {
    const due = async () => {
      await emptyNotices(world);
      world.resources.empty();
      world.clock = new Date(noon);
      const webhooks = [];
      for (let count = 0; count < 3; count++) {
        const webhook = await register(world, organization());
        receivers.let(webhook.url, answer(503, 3_600));
        await tell(world, webhook.organizationId);
        webhooks.push(webhook);
      }
      await runNotices(world);
      expect(receivers.calls).toHaveLength(3);
      world.resources.empty(); // the messages that would bring them are lost
      receivers.repairAll();
      later(4_000_000);
      return webhooks;
    };
    await due();
    await world.sweepNotices();
    expect(world.queues.count('queues'), 'each is asked for').toBe(3);
    for (const { call, when } of pointsOfDeath(world.lastCalls.length)) {
      const webhooks = await due();
      expect(await world.sweepNotices(killAt(call, when))).toBe('killed');
      await passNotices(world, { hours: 1 });
      for (const webhook of webhooks) {
        const ids = receivers.calls.filter(({ url, isAccepted }) => url === webhook.url && isAccepted);
        expect(ids, `death ${when} call ${call}`).toHaveLength(1);
        expect(await webhookRow(world, webhook)).not.toHaveProperty('dueAt');
      }
    }
  });

  test('tell once that a webhook was disabled, wherever the run dies that disables it', async () => {
    const failing = { failingSince: '2026-02-20T12:00:00.000Z', failuresInARow: 9, parkings: 5 };
    const planned = async () => {
      await emptyNotices(world);
      world.resources.empty();
      world.clock = new Date(noon);
      const organizationId = organization();
      const other = await register(world, organizationId, { types: ['webhook.disabled'] });
      const webhook = await register(world, organizationId, failing);
      receivers.let(webhook.url, refusedConnection);
      await tell(world, organizationId);
      await world.relay();
      await world.deliver('deliveryPlans');
      return { webhook, other };
    };
    await planned();
    await world.deliver('webhookRuns');
    expect(world.lastCalls).toContain('TransactWriteItemsCommand');
    for (const { call, when } of pointsOfDeath(world.lastCalls.length)) {
      const { webhook, other } = await planned();
      expect(await world.deliver('webhookRuns', killAt(call, when))).toMatchObject({ killed: true });
      await passNotices(world, { hours: 5 });
      const what = `death ${when} call ${call}`;
      const row = await webhookRow(world, webhook);
      expect(row, what).toMatchObject({ state: 'disabled', disabledBy: 'service', noticeRevision: 1 });
      for (const name of ['runId', 'dueAt']) expect(row, what).not.toHaveProperty(name);
      expect((await deliveriesTo(world, webhook)).map(({ failureCode }) => failureCode)).toEqual(['webhook_disabled']);
      const told = receivers.calls.filter(({ url }) => url === other.url).map(({ body }) => JSON.parse(body));
      expect(told, what).toMatchObject([{ type: 'webhook.disabled', data: { webhookId: webhook.webhookId } }]);
    }
  });

  test('of a month all come again by a replay whose processes die, and fresh ones overtake them', {
    timeout: 240_000,
  }, async () => {
    const [organizationId, count] = [organization(), 3_000];
    const ids = new Set(await tellRelayed(world, organizationId, { count, stepMs: days(29.5) / count }));
    const webhook = await register(world, organizationId, { createdAt: world.clock.toISOString() });
    await startReplay(world, webhook, { from: new Date(world.clock.getTime() - days(30)).toISOString() });
    let steps = 0;
    const plan = () => {
      steps += 1;
      return steps % 3 === 0 ? killAt((steps % 17) + 1, steps % 2 === 0 ? 'before' : 'after') : undefined;
    };
    const fresh: { readonly id: string; readonly calledBefore: number }[] = [];
    for (let moved = 1; moved > 0; ) {
      moved = 0;
      for (const queue of ['noticeReplays', 'noticeEvents', 'deliveryPlans', 'webhookRuns'] as const)
        moved += (await world.deliver(queue, plan())).delivered;
      later(1_000);
      if (fresh.length < 10 && receivers.calls.length > (fresh.length + 1) * 200) {
        fresh.push({ id: (await tell(world, organizationId)).id, calledBefore: receivers.calls.length });
        moved += await world.relay();
        moved += (await world.deliver('deliveryPlans')).delivered;
      }
      if (moved === 0) {
        later(120_000); // a turn of a process that died ends
        await world.sweepNotices();
        moved = world.queues.count('queues');
      }
    }
    await passNotices(world, { hours: 1 });
    const got = new Set(receivers.idsAt(webhook.url));
    expect(
      [...ids].filter((id) => !got.has(id)),
      'every notice of the month has come',
    ).toEqual([]);
    expect(await webhookRow(world, webhook)).toMatchObject({ replay: { state: 'finished', planned: count } });
    expect(fresh.length).toBeGreaterThan(5);
    for (const { id, calledBefore } of fresh) {
      const place = receivers.idsAt(webhook.url).indexOf(id);
      expect(place - calledBefore, 'a fresh notice waits for no more than a run of replayed ones').toBeLessThan(400);
    }
  });
});
