import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { organization } from '../../support/machine.ts';
import { answer, refusedConnection } from '../support/notices/fake-receivers.ts';
import {
  changeWebhook,
  deliveriesTo,
  disableByOwner,
  dueNotices,
  emptyNotices,
  enableAgain,
  isStored,
  noticeQueues,
  passNotices,
  register,
  removeWebhook,
  runNotices,
  startReplay,
  tell,
  webhookRow,
} from '../support/notices/notices.ts';
import { type FaultPlan, killAt, meanwhileAt, pointsOfDeath } from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

skipPauses();

const { world, logs } = await useWorld();
const { receivers } = world;

beforeEach(async () => {
  world.clock = new Date('2026-03-01T10:00:00.000Z');
  await emptyNotices(world);
});
/** No session has these notices, which the invariants would find. */
afterEach(() => emptyNotices(world));

const statesOf = async (webhook: WebhookRecord) => (await deliveriesTo(world, webhook)).map(({ state }) => state);
/** The sum of a metric in the logs of the test. */
const metric = (name: string) =>
  [...logs.text().matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].reduce((sum, [, value]) => sum + Number(value), 0);

/** Two webhooks of an organization, and notices for them. */
async function scene(notices = 2) {
  const organizationId = organization();
  const webhooks = [await register(world, organizationId), await register(world, organizationId)];
  const told = [];
  for (let count = 0; count < notices; count++) {
    told.push((await tell(world, organizationId)).id);
    world.clock = new Date(world.clock.getTime() + 1);
  }
  return { organizationId, webhooks, ids: told.sort() };
}

/** Sees that every notice has reached every webhook and the bus, and that nothing is left to do. */
async function expectDelivered({ organizationId, webhooks, ids }: Awaited<ReturnType<typeof scene>>) {
  for (const webhook of webhooks) {
    expect([...new Set(receivers.idsAt(webhook.url))].sort()).toEqual(ids);
    expect(await statesOf(webhook)).toEqual(ids.map(() => 'delivered'));
    expect(await webhookRow(world, webhook)).not.toHaveProperty('runId');
    expect(await webhookRow(world, webhook)).not.toHaveProperty('dueAt');
  }
  const events = receivers.events.filter(({ detail }) => detail.organizationId === organizationId);
  expect([...new Set(events.map(({ detail }) => detail.id))].sort()).toEqual(ids);
  expect(await dueNotices(world, organizationId)).toEqual([]);
}

const withoutItems = (made: { readonly output: object }) => ({ ...made, output: { ...made.output, Items: [] } });

/** A step of the way of notices, in a process with a plan. Returns whether the process died. */
const steps = {
  'relay-notices': async (plan?: FaultPlan) => void (await world.relay(plan)),
  'put-notice-events': async (plan?: FaultPlan) => void (await world.deliver('noticeEvents', plan)),
  'plan-deliveries': async (plan?: FaultPlan) => void (await world.deliver('deliveryPlans', plan)),
  'deliver-notices': async (plan?: FaultPlan) => void (await world.deliver('webhookRuns', plan)),
};
const order = ['relay-notices', 'put-notice-events', 'plan-deliveries', 'deliver-notices'] as const;

describe.each(order)('wherever a process of %s dies', (name) => {
  test('every notice reaches every webhook and the bus', async () => {
    const upTo = async (plan?: FaultPlan) => {
      const made = await scene();
      for (const step of order) {
        await steps[step](step === name ? plan : undefined);
        if (step === name) break;
      }
      return { ...made, calls: world.lastCalls };
    };
    const { calls } = await upTo();
    expect(calls.length).toBeGreaterThan(name === 'put-notice-events' ? 0 : 3);
    for (const { call, when } of pointsOfDeath(calls.length)) {
      await emptyNotices(world);
      const made = await upTo(killAt(call, when));
      await passNotices(world, { hours: 2 });
      await expectDelivered(made);
      const once = made.webhooks.length * made.ids.length;
      const mayRepeat = name === 'deliver-notices' ? 1 : 0; // the call whose result was not stored
      expect(receivers.calls.length, `death ${when} call ${call}`).toBeLessThanOrEqual(once + mayRepeat * 2);
    }
  });
});

test('without faults, every notice reaches every webhook once', async () => {
  const made = await scene(5);
  await passNotices(world, { hours: 1 });
  await expectDelivered(made);
  expect(receivers.calls).toHaveLength(10);
  expect(receivers.events).toHaveLength(5);
});

test('records of the stream and messages that come twice, and in any order, change nothing', async () => {
  const made = await scene(3);
  const twice = <Item>(items: readonly Item[]) => [...items, ...items].reverse();
  await world.relay(undefined, twice);
  for (const queue of noticeQueues) {
    for (let delivered = 1; delivered > 0; ) {
      ({ delivered } = await world.deliver(queue, undefined, { lapses: true }));
      await world.deliver(queue, undefined, { choose: (messages) => messages.toReversed() });
    }
  }
  await passNotices(world, { hours: 1 });
  await expectDelivered(made);
  expect(receivers.calls).toHaveLength(6);
});

test('notices that the stream has lost are swept, and those that were relayed are not', async () => {
  const made = await scene();
  const records = await world.stream.newRecords();
  world.stream.done(records);
  await world.sweepNotices();
  expect(world.queues.count('queues'), 'they are not due yet').toBe(0);
  await passNotices(world, { hours: 1 });
  await expectDelivered(made);
  expect(metric('NoticesHealed')).toBe(2);
  expect(receivers.events).toHaveLength(2);
});

test('wherever a sweep dies, the notices that the stream has lost are delivered', async () => {
  const lost = async () => {
    const made = await scene();
    world.stream.done(await world.stream.newRecords());
    world.clock = new Date(world.clock.getTime() + 5 * 60_000);
    return made;
  };
  await lost();
  await world.sweepNotices();
  for (const { call, when } of pointsOfDeath(world.lastCalls.length)) {
    await emptyNotices(world);
    world.resources.empty();
    const made = await lost();
    expect(await world.sweepNotices(killAt(call, when))).toBe('killed');
    await passNotices(world, { hours: 1 });
    await expectDelivered(made);
  }
});

describe('two runs of one webhook', () => {
  const planned = async () => {
    const organizationId = organization();
    const webhooks = [await register(world, organizationId)];
    const ids = [(await tell(world, organizationId)).id, (await tell(world, organizationId)).id].sort();
    await world.relay();
    await world.deliver('noticeEvents');
    await world.deliver('deliveryPlans');
    return { organizationId, webhooks, ids };
  };
  const first = { choose: <Message>(messages: readonly Message[]) => messages.slice(0, 1) };

  test('never make the same delivery, whenever the second begins', async () => {
    await planned();
    await world.deliver('webhookRuns', undefined, first);
    const calls = world.lastCalls.length;
    expect(calls).toBeGreaterThan(8);
    for (let call = 1; call <= calls; call++) {
      await emptyNotices(world);
      world.resources.empty();
      const made = await planned();
      const second = async () => void (await world.deliver('webhookRuns', undefined, first));
      await world.deliver('webhookRuns', meanwhileAt(call, second), first);
      await passNotices(world, { hours: 1 });
      await expectDelivered(made);
      expect(receivers.calls, `second run before call ${call}`).toHaveLength(2);
    }
  });

  test('miss no delivery that is planned while the first is under way, even if the index does not show it for a while', async () => {
    const made = await planned();
    const behind: FaultPlan = ({ command, input }) =>
      command === 'QueryCommand' && (input as { IndexName?: string }).IndexName
        ? { change: (made) => withoutItems(made as { readonly output: object }) }
        : undefined;
    receivers.let(String(made.webhooks[0]?.url), async () => {
      await world.deliver('webhookRuns'); // the message of the other delivery comes, and is done
      return answer(200);
    });
    await world.deliver('webhookRuns', behind, first);
    receivers.let(String(made.webhooks[0]?.url), answer(200));
    expect(world.queues.count('queues'), 'the first run was woken, and asks for another').toBe(1);
    await world.deliver('webhookRuns', behind);
    expect(receivers.calls).toHaveLength(1);
    expect(world.queues.count('queues')).toBe(0);
    await passNotices(world, { hours: 1 });
    await expectDelivered(made);
  });
});

describe('a webhook with many deliveries', () => {
  test('is called ten times at once, and never more', async () => {
    const made = await scene(40);
    await passNotices(world, { hours: 1 });
    await expectDelivered(made);
    expect(receivers.mostAtOnce).toBeLessThanOrEqual(10);
    expect(receivers.mostAtOnce).toBeGreaterThan(1);
  });

  test('that is slow ends its run after seconds, and goes on with another', async () => {
    const organizationId = organization();
    const webhook = await register(world, organizationId);
    receivers.let(webhook.url, () => {
      world.clock = new Date(world.clock.getTime() + 1_000);
      return answer(200);
    });
    for (let count = 0; count < 60; count++) await tell(world, organizationId);
    await world.relay();
    while ((await world.deliver('deliveryPlans')).delivered > 0);
    await world.deliver('webhookRuns', undefined, { choose: (messages) => messages.slice(0, 1) });
    expect(receivers.calls.length).toBeLessThan(20);
    expect(await webhookRow(world, webhook)).toMatchObject({ slowUntil: expect.any(String) });
    await passNotices(world, { hours: 1 });
    expect(new Set(receivers.idsAt(webhook.url)).size).toBe(60);
    expect(receivers.calls).toHaveLength(60);
  });
});

test('slow webhooks of an organization have three runs at once, and all of them get their notices', async () => {
  const organizationId = organization();
  const facts = { slowUntil: '2026-03-02T10:00:00.000Z' };
  const webhooks: WebhookRecord[] = [];
  for (let count = 0; count < 6; count++) webhooks.push(await register(world, organizationId, facts));
  const ids = [(await tell(world, organizationId)).id];
  await world.relay();
  await world.deliver('noticeEvents');
  await world.deliver('deliveryPlans');
  world.resources.empty();
  let [begun, called, mostCalled] = [0, 0, 0];
  const runNext = async () => {
    const { webhookId } = webhooks[begun++] ?? {};
    if (webhookId) await world.work('webhookRuns', [JSON.stringify({ organizationId, webhookId })]);
  };
  /** The runs of two other webhooks begin while a receiver is called. */
  for (const { url } of webhooks)
    receivers.let(url, async () => {
      called += 1;
      mostCalled = Math.max(mostCalled, called);
      await runNext();
      await runNext();
      called -= 1;
      return answer(200);
    });
  await runNext();
  await passNotices(world, { hours: 1 });
  await expectDelivered({ organizationId, webhooks, ids });
  expect(mostCalled).toBe(3);
});

describe('a receiver that is down', () => {
  async function down() {
    const organizationId = organization();
    const webhook = await register(world, organizationId);
    receivers.let(webhook.url, refusedConnection);
    return { organizationId, webhook };
  }

  test('for a day gets everything after it returns', async () => {
    const { organizationId, webhook } = await down();
    const ids: string[] = [];
    for (let hour = 0; hour < 24; hour += 3) {
      for (let count = 0; count < 3; count++) ids.push((await tell(world, organizationId)).id);
      await passNotices(world, { hours: 3 });
    }
    expect(new Set(await statesOf(webhook))).toEqual(new Set(['waiting']));
    expect(await webhookRow(world, webhook)).toMatchObject({ failingSince: '2026-03-01T10:00:00.000Z' });
    const tried = receivers.calls.length;
    receivers.let(webhook.url, answer(200));
    await passNotices(world, { hours: 13 });
    expect(new Set(await statesOf(webhook))).toEqual(new Set(['delivered']));
    const delivered = receivers.calls.slice(tried).map(({ noticeId }) => noticeId);
    expect(delivered.sort(), 'once each').toEqual(ids.sort());
    expect(await webhookRow(world, webhook)).not.toHaveProperty('failingSince');
    expect(await webhookRow(world, webhook)).not.toHaveProperty('parkings');
  });

  test('is probed by one call at a time, after pauses that grow', async () => {
    const { organizationId } = await down();
    for (let count = 0; count < 12; count++) await tell(world, organizationId);
    await passNotices(world, { hours: 3 });
    const times = Map.groupBy(receivers.calls, ({ at }) => at);
    const [first, ...probes] = [...times.values()].map((calls) => calls.length);
    expect(first, 'calls that were under way when it was parked').toBeLessThanOrEqual(12);
    expect(probes.length).toBeGreaterThan(4);
    expect(new Set(probes)).toEqual(new Set([1]));
    const at = [...times.keys()].map((time) => Date.parse(time));
    const pauses = at.slice(1).map((time, index) => time - Number(at[index]));
    expect(pauses.toSorted((one, other) => one - other)).toEqual(pauses);
    expect(Number(pauses.at(-1))).toBeGreaterThan(20 * 60_000);
    expect(metric('WebhooksParked')).toBeGreaterThan(4);
  });

  test('is tried for 72 hours, disabled after five days, told of, and brought everything by a replay', async () => {
    const { organizationId, webhook } = await down();
    const other = await register(world, organizationId, { types: ['webhook.disabled'] });
    const first = await tell(world, organizationId);
    await passNotices(world, { hours: 71 });
    expect(await statesOf(webhook)).toEqual(['waiting']);
    await passNotices(world, { hours: 2 });
    const [failed] = await deliveriesTo(world, webhook);
    expect(failed).toMatchObject({ noticeId: first.id, state: 'failed', failureCode: 'connection_failed' });
    expect(failed?.attempts).toBeGreaterThan(10);
    expect(metric('DeliveriesGivenUp')).toBe(1);

    const second = await tell(world, organizationId);
    await passNotices(world, { hours: 46 });
    expect(await webhookRow(world, webhook)).toMatchObject({ state: 'enabled' });
    await passNotices(world, { hours: 14 });
    expect(await webhookRow(world, webhook)).toMatchObject({
      state: 'disabled',
      disabledBy: 'service',
      noticeRevision: 1,
    });
    expect(await webhookRow(world, webhook)).not.toHaveProperty('dueAt');
    expect(metric('WebhooksDisabled')).toBe(1);
    expect((await deliveriesTo(world, webhook)).map(({ failureCode }) => failureCode)).toEqual([
      ...['connection_failed', 'webhook_disabled'],
    ]);
    const bodies = receivers.calls.filter(({ url }) => url === other.url).map(({ body }) => JSON.parse(body));
    expect(bodies).toMatchObject([{ type: 'webhook.disabled', data: { webhookId: webhook.webhookId, revision: 1 } }]);

    const third = await tell(world, organizationId);
    await passNotices(world, { hours: 1 });
    expect(await statesOf(webhook), 'a disabled webhook gets no new deliveries').toHaveLength(2);

    await enableAgain(world, webhook);
    receivers.let(webhook.url, answer(200));
    const before = receivers.calls.length;
    const { replayId } = await startReplay(world, webhook);
    await passNotices(world, { hours: 1 });
    const replayed = receivers.calls.slice(before).map(({ noticeId }) => noticeId);
    expect(replayed, 'also the notice of its own disabling').toEqual(
      expect.arrayContaining([first.id, second.id, third.id]),
    );
    expect(new Set(replayed).size).toBe(replayed.length);
    expect(await webhookRow(world, webhook)).toMatchObject({ replay: { replayId, state: 'finished', planned: 4 } });
    expect(new Set(await statesOf(webhook))).toEqual(new Set(['delivered']));
  });

  test('and asks to wait is not called before', async () => {
    const { organizationId, webhook } = await down();
    receivers.let(webhook.url, answer(503, 3 * 3_600));
    await tell(world, organizationId);
    await passNotices(world, { hours: 1 });
    await tell(world, organizationId);
    await passNotices(world, { hours: 1 });
    expect(receivers.calls).toHaveLength(1);
    receivers.let(webhook.url, answer(200));
    await passNotices(world, { hours: 2 });
    expect(await statesOf(webhook)).toEqual(['delivered', 'delivered']);
  });
});

describe('a replay', () => {
  const replayed = async (notices = 3) => {
    const organizationId = organization();
    const ids: string[] = [];
    for (let count = 0; count < notices; count++) ids.push((await tell(world, organizationId)).id);
    await runNotices(world);
    const webhook = await register(world, organizationId);
    await startReplay(world, webhook);
    return { webhook, ids: ids.sort() };
  };

  test('of many notices lets new ones of the webhook go first, although its run goes on', async () => {
    const { webhook, ids } = await replayed(150);
    while ((await world.deliver('noticeReplays')).delivered > 0);
    const planNew = async () => {
      await tell(world, webhook.organizationId);
      await world.relay();
      await world.deliver('deliveryPlans');
    };
    let planned: Promise<void> | undefined;
    receivers.let(webhook.url, async (_, calls) => {
      if (calls > 20) planned ??= planNew();
      await planned;
      return answer(200);
    });
    await world.deliver('webhookRuns', undefined, { choose: (messages) => messages.slice(0, 1) });
    const got = receivers.idsAt(webhook.url);
    expect(got).toHaveLength(ids.length + 1);
    expect(got.findIndex((id) => !ids.includes(id))).toBeLessThan(100);
  });

  test('wherever its process dies, plans each notice once', async () => {
    await replayed();
    await world.deliver('noticeReplays');
    for (const { call, when } of pointsOfDeath(world.lastCalls.length)) {
      await emptyNotices(world);
      world.resources.empty();
      const { webhook, ids } = await replayed();
      await world.deliver('noticeReplays', killAt(call, when));
      await passNotices(world, { hours: 1 });
      expect(receivers.idsAt(webhook.url).sort(), `death ${when} call ${call}`).toEqual(ids);
      expect(await webhookRow(world, webhook)).toMatchObject({ replay: { state: 'finished', planned: 3 } });
    }
  });

  test('goes on page by page, and counts what it has planned', async () => {
    const { webhook, ids } = await replayed(130);
    await world.deliver('noticeReplays');
    expect(await webhookRow(world, webhook)).toMatchObject({ replay: { state: 'running', planned: 100 } });
    await passNotices(world, { hours: 1 });
    expect(receivers.idsAt(webhook.url).sort()).toEqual(ids);
    expect(await webhookRow(world, webhook)).toMatchObject({ replay: { state: 'finished', planned: 130 } });
  });

  test('of one notice brings this one again, even if it was delivered', async () => {
    const organizationId = organization();
    const webhook = await register(world, organizationId);
    const ids = [(await tell(world, organizationId)).id, (await tell(world, organizationId)).id];
    await runNotices(world);
    await startReplay(world, webhook, { noticeId: ids[1] ?? null });
    await passNotices(world, { hours: 1 });
    expect(receivers.idsAt(webhook.url).slice(2)).toEqual([ids[1]]);
  });

  test('waits until notices that are new are delivered', async () => {
    const { webhook } = await replayed(30);
    while ((await world.deliver('noticeReplays')).delivered > 0);
    world.clock = new Date(world.clock.getTime() + 1_000);
    const news = await tell(world, webhook.organizationId);
    await world.relay();
    await world.deliver('deliveryPlans');
    const { organizationId, webhookId } = webhook;
    world.resources.empty();
    await world.work('webhookRuns', [JSON.stringify({ organizationId, webhookId })]);
    expect(receivers.idsAt(webhook.url)[0]).toBe(news.id);
    expect(receivers.idsAt(webhook.url)).toHaveLength(31);
  });
});

test('a webhook that is deleted at any call of its run does not come back', async () => {
  const planned = async () => {
    const webhook = await register(world, organization());
    await tell(world, webhook.organizationId);
    await world.relay();
    await world.deliver('deliveryPlans');
    return webhook;
  };
  await planned();
  await world.deliver('webhookRuns');
  for (let call = 1; call <= world.lastCalls.length; call++) {
    await emptyNotices(world);
    world.resources.empty();
    const webhook = await planned();
    await world.deliver(
      'webhookRuns',
      meanwhileAt(call, () => removeWebhook(world, webhook)),
    );
    await passNotices(world, { hours: 1 });
    expect(await isStored(world, webhook), `deleted before call ${call}`).toBe(false);
    expect(world.queues.count('deadLetterQueues')).toBe(0);
  }
});

test('deliveries of a webhook that its owner disables are given up when they are due', async () => {
  const webhook = await register(world, organization());
  receivers.let(webhook.url, answer(500));
  await tell(world, webhook.organizationId);
  await runNotices(world);
  expect(await statesOf(webhook)).toEqual(['waiting']);
  await disableByOwner(world, webhook);
  await passNotices(world, { hours: 1 });
  const [givenUp] = await deliveriesTo(world, webhook);
  expect(givenUp).toMatchObject({ state: 'failed', failureCode: 'webhook_disabled' });
  expect(givenUp, 'no answer has this failure').not.toHaveProperty('answerCode');
  expect(receivers.calls).toHaveLength(1);
});

test('a run of a disabled webhook gives up nothing that is replayed meanwhile, after the owner has enabled it', async () => {
  const disabled = async () => {
    const webhook = await register(world, organization());
    receivers.let(webhook.url, answer(500));
    await tell(world, webhook.organizationId);
    await runNotices(world);
    await disableByOwner(world, webhook);
    receivers.let(webhook.url, answer(200));
    return {
      webhook,
      message: JSON.stringify({ organizationId: webhook.organizationId, webhookId: webhook.webhookId }),
    };
  };
  await world.work('webhookRuns', [(await disabled()).message]);
  const calls = world.lastCalls.length;
  for (let call = 1; call <= calls; call++) {
    const { webhook, message } = await disabled();
    const replay = async () => {
      world.clock = new Date(world.clock.getTime() + 1);
      await enableAgain(world, webhook);
      await startReplay(world, webhook);
      await world.deliver('noticeReplays');
    };
    await world.work('webhookRuns', [message], meanwhileAt(call, replay));
    expect(await statesOf(webhook), `replayed before call ${call}`).not.toContain('failed');
    await passNotices(world, { hours: 1 });
    expect(await statesOf(webhook)).toEqual(['delivered']);
  }
});

test('wherever a plan dies, no delivery waits at a webhook that its owner disables before the repeat', async () => {
  const upTo = async (plan?: FaultPlan) => {
    const webhook = await register(world, organization());
    await tell(world, webhook.organizationId);
    await world.relay();
    await world.deliver('deliveryPlans', plan);
    return { webhook, calls: world.lastCalls.length };
  };
  const { calls } = await upTo();
  for (const { call, when } of pointsOfDeath(calls)) {
    const { webhook } = await upTo(killAt(call, when));
    await disableByOwner(world, webhook);
    await passNotices(world, { hours: 1 });
    expect(await statesOf(webhook), `death ${when} call ${call}`).not.toContain('waiting');
    expect(await webhookRow(world, webhook)).not.toHaveProperty('dueAt');
  }
});

test('a run is followed by another if the owner disables the webhook while it is under way', async () => {
  const webhook = await register(world, organization());
  await tell(world, webhook.organizationId);
  await world.relay();
  await world.deliver('deliveryPlans');
  receivers.let(webhook.url, async () => {
    await disableByOwner(world, webhook);
    return answer(204);
  });
  const asked = world.clock;
  await world.deliver('webhookRuns');
  expect(await statesOf(webhook)).toEqual(['delivered']);
  const { dueAt } = await webhookRow(world, webhook);
  expect(Date.parse(String(dueAt)) - asked.getTime()).toBeLessThanOrEqual(3 * 60_000);
  await passNotices(world, { hours: 1 });
  expect(await webhookRow(world, webhook)).not.toHaveProperty('dueAt');
});

describe('an owner who enters another address while a run is under way', () => {
  test.each(['fails', 'disables the webhook'])(
    'has a webhook without failures, although the run %s',
    async (outcome) => {
      const isLong = outcome !== 'fails';
      const failingSince = isLong ? '2026-02-01T10:00:00.000Z' : undefined;
      const webhook = await register(world, organization(), { failingSince });
      await tell(world, webhook.organizationId);
      await world.relay();
      await world.deliver('deliveryPlans');
      const url = `${webhook.url}/new`;
      receivers.let(webhook.url, async () => {
        await changeWebhook(world, webhook, { url, failingSince: undefined });
        return answer(503, 3_600);
      });
      await world.deliver('webhookRuns');
      const row = await webhookRow(world, webhook);
      expect(row).toMatchObject({ url, state: 'enabled' });
      for (const name of ['failingSince', 'parkedUntil', 'runId']) expect(row).not.toHaveProperty(name);
      await passNotices(world, { hours: 2 });
      expect(receivers.idsAt(url)).toHaveLength(1);
      expect(await statesOf(webhook)).toEqual(['delivered']);
    },
  );
});
