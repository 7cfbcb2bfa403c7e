import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { WebhookRunMessage } from '#shared/contracts/messages.ts';
import { noticeOf, UnreadableNotice } from '#shared/domain/notices/notice.ts';
import { deliveryKeyOf, plannedDelivery } from '#shared/domain/webhooks/delivery.ts';
import type { DeliveryRecord, WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import type { RunEnd } from '#shared/use-cases/webhooks/delivery-ports.ts';
import type { MadeAttempt } from '#shared/use-cases/webhooks/make-deliveries.ts';
import { type RunDependencies, runWebhook } from '#shared/use-cases/webhooks/run-webhook.ts';
import { organizationId } from '../../../support/operations/records.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const lookAgainAt = '2026-03-01T10:02:00.000Z';
const owner = organizationId('acme');
const key = { organizationId: owner, webhookId: randomUUID() };

type Scene = {
  readonly wakes?: number;
  readonly facts?: Partial<WebhookRecord>;
  readonly callMs?: number;
  readonly turnMs?: number;
  /** How many other notices wait, which the index shows. */
  readonly others?: number;
  /** The id of a notice that cannot be read. */
  readonly unreadable?: string;
  readonly changes?: Partial<WebhookRecord>;
  readonly deps?: Partial<RunDependencies>;
};

/**
 * A webhook with a delivery that waits, and an index that shows only `others`. `wakes` of its runs are woken. Each call, and each write that
 * gives up, takes `callMs`, and
 * to take the turn `turnMs`. The owner makes `changes` during the first of these that takes time.
 */
function scene({ wakes = 0, facts = {}, callMs = 0, turnMs = 0, others = 0, unreadable, changes, deps }: Scene = {}) {
  let time = now.getTime();
  const calls: string[] = [];
  const givenUp: string[] = [];
  const reported: MadeAttempt[] = [];
  const delays: (number | undefined)[] = [];
  const turns: string[] = [];
  let webhook: WebhookRecord = {
    ...{ ...key, url: 'https://receiver.example/', description: '', signature: 'standard', state: 'enabled' },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', secretVersion: 1, ...facts },
  };
  const pass = (ms: number) => {
    time += ms;
    if (ms > 0) webhook = { ...webhook, ...changes };
  };
  const subject = { kind: 'session', id: randomUUID() } as const;
  const data = { revision: 1, roomSessionId: subject.id, roomName: '/standup', startedAt: now.toISOString() };
  const notice = noticeOf(owner, 'room.session.started', subject, data, now);
  const deliveryKey = deliveryKeyOf({ createdAt: notice.createdAt, noticeId: notice.id });
  const more = Array.from({ length: others }, (_, index) => ({ ...notice, id: `ntc_${index}` }));
  const waiting = new Map(
    more.map((each) => [deliveryKeyOf({ ...each, noticeId: each.id }), plannedDelivery(webhook, each, now)]),
  );
  const ends: RunEnd[] = [];
  const sent: WebhookRunMessage[] = [];
  let left = wakes;
  const run = (message: Partial<WebhookRunMessage>, delivery: DeliveryRecord = plannedDelivery(webhook, notice, now)) =>
    runWebhook(
      {
        deliveries: {
          find: async () => delivery,
          findAll: async (_, keys) =>
            keys.flatMap((each) => (each === deliveryKey ? [delivery] : (waiting.get(each) ?? []))),
          async *listDue() {
            if (others > 0) yield [...waiting.keys()];
          },
          async *listWaiting() {
            yield [...waiting.keys(), deliveryKey];
          },
          nextDueAt: async (_, except) =>
            [...waiting.keys()].some((each) => !except.has(each)) ? now.toISOString() : undefined,
          store: async () => true,
          plan: async () => true,
          planAgain: async () => true,
          giveUp: async (_, name, { plannedUntil }) => {
            pass(callMs);
            if ((waiting.get(name) ?? delivery).plannedAt > plannedUntil.toISOString()) return false;
            givenUp.push(name);
            return true;
          },
        },
        notices: {
          findAll: async (keys) => {
            if (keys.some(({ noticeKey }) => unreadable && noticeKey.endsWith(unreadable)))
              throw new UnreadableNotice();
            const named = [notice, ...more].map(
              (each) => [deliveryKeyOf({ ...each, noticeId: each.id }), each] as const,
            );
            return new Map(named.filter(([name]) => keys.some(({ noticeKey }) => noticeKey === name)));
          },
        },
        runs: {
          find: async () => webhook,
          takeTurn: async () => {
            turns.push('taken');
            const taken = webhook;
            pass(turnMs);
            return { webhook: taken };
          },
          endTurn: async (_, __, end, { evenIfWoken = false } = {}) => {
            if (!evenIfWoken && left-- > 0) return 'woken';
            ends.push(end);
            return 'ended';
          },
          disable: async () => false,
        },
        caller: {
          refusalOf: () => undefined,
          call: async ({ url }) => {
            calls.push(url);
            pass(callMs);
            return { succeeded: true, answerCode: 204, latencyMs: 80, failure: null };
          },
        },
        ...{ secret: { read: async () => 'secret' }, disableDays: 7, now: () => new Date(time) },
        report: (made) => void reported.push(made),
        slowPlaces: { take: async () => 1, free: async () => {} },
        sendRuns: async (_, messages, { delaySeconds } = {}) => {
          sent.push(...messages);
          delays.push(delaySeconds);
        },
        random: () => 0.5,
        ...deps,
      },
      { ...key, ...message },
    );
  return { webhook, notice, deliveryKey, ends, sent, delays, calls, givenUp, reported, turns, run };
}

test('a run that was woken is followed by one that looks again later, even if the index shows nothing to that one either', async () => {
  const { deliveryKey, ends, sent, run } = scene({ wakes: 1 });
  await run({ deliveryKey });
  expect(sent).toEqual([key]);
  expect(ends).toEqual([expect.objectContaining({ dueAt: lookAgainAt, lookAgainAt })]);
  const next = scene({ facts: { lookAgainAt } });
  await next.run(sent[0] ?? {});
  expect(next.ends).toEqual([{ failing: undefined, dueAt: lookAgainAt, lookAgainAt }]);
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

describe('a slow webhook', () => {
  const slowUntil = '2026-03-01T10:30:00.000Z';

  test('starts no call after five seconds, is known to be slow for an hour, and lets others have its place', async () => {
    const { calls, ends, delays, run } = scene({ others: 100, callMs: 1_001 });
    await run({});
    expect(calls.length).toBeLessThan(16);
    const endedAt = now.getTime() + calls.length * 1_001;
    const time = (ms: number) => new Date(endedAt + ms).toISOString();
    expect(ends).toMatchObject([{ slowUntil: time(3_600_000), postponedUntil: time(5_500) }]);
    expect(delays).toEqual([6]);
  });

  test('that has left nothing is not postponed, so that its next notice has its run', async () => {
    const { ends, run } = scene({ others: 1, callMs: 1_001 });
    await run({});
    expect(ends).toMatchObject([{ slowUntil: expect.any(String) }]);
    expect(ends[0]?.postponedUntil).toBeUndefined();
  });

  test('is not called without a place of its organization, and asks for one run some seconds later', async () => {
    const deps = { slowPlaces: { take: async () => undefined, free: async () => {} } };
    const { calls, ends, sent, delays, run } = scene({ others: 5, facts: { slowUntil }, deps });
    expect(await run({})).toBe('postponed');
    expect(calls).toEqual([]);
    expect(ends).toMatchObject([{ postponedUntil: '2026-03-01T10:00:05.500Z', dueAt: '2026-03-01T10:00:35.500Z' }]);
    expect([sent, delays]).toEqual([[key], [6]]);
  });

  test('frees its place, even if its run fails', async () => {
    const freed: number[] = [];
    const slowPlaces = {
      take: async () => 2,
      free: async (_: unknown, { place }: { place: number }) => void freed.push(place),
    };
    const secret = { read: () => Promise.reject(new Error('Secrets Manager fails.')) };
    await expect(scene({ facts: { slowUntil }, deps: { slowPlaces, secret } }).run({})).rejects.toThrow('fails');
    expect(freed).toEqual([2]);
  });

  test('that has been fast for an hour needs no place', async () => {
    const deps = {
      slowPlaces: { take: () => Promise.reject(new Error('A place is asked for.')), free: async () => {} },
    };
    const { calls, run } = scene({ others: 5, facts: { slowUntil: now.toISOString() }, deps });
    expect(await run({})).toBe('ran');
    expect(calls).toHaveLength(5);
  });
});

test('a run without the secret has taken the turn, and leaves a webhook that is due soon', async () => {
  const secret = { read: () => Promise.reject(new Error('Secrets Manager fails.')) };
  const { deliveryKey, ends, turns, run } = scene({ deps: { secret } });
  await expect(run({ deliveryKey })).rejects.toThrow('Secrets Manager fails.');
  expect(turns).toEqual(['taken']);
  expect(ends).toMatchObject([{ dueAt: '2026-03-01T10:00:30.000Z' }]);
});

test.each([
  ['url', 'https://new.example/'],
  ['state', 'disabled'],
  ['signature', 'whereby'],
  ['secretVersion', 2],
  ['previousSecretUntil', '2026-03-02T10:00:00.000Z'],
])('a run ends soon after the owner has changed %s', async (name, value) => {
  const { calls, ends, sent, run } = scene({ others: 60, callMs: 300, changes: { [name]: value } });
  await run({});
  expect(calls.length).toBeLessThan(15);
  expect(ends).toHaveLength(1);
  expect(sent, 'the next run takes the new value').toEqual([key]);
});

test('a run goes on after a change of what the calls do not depend on', async () => {
  const { calls, run } = scene({ others: 60, callMs: 300, changes: { description: 'new' } });
  await run({});
  expect(calls).toHaveLength(60);
});

describe('a run of a disabled webhook', () => {
  const facts = { state: 'disabled' } as const;
  const changes = { state: 'enabled' } as const;

  test('gives up what waits, the named delivery first, and each once', async () => {
    const { deliveryKey, givenUp, sent, run } = scene({ facts, others: 25, callMs: 300 });
    await run({ deliveryKey });
    expect([givenUp.length, new Set(givenUp).size, givenUp[0]]).toEqual([26, 26, deliveryKey]);
    expect(sent).toEqual([]);
  });

  test('ends soon after its owner has enabled the webhook, and another one follows', async () => {
    const { givenUp, sent, run } = scene({ facts, others: 60, callMs: 300, changes });
    await run({});
    expect(givenUp).toHaveLength(10);
    expect(sent).toEqual([key]);
  });

  test('does not give up a named delivery if its owner enables the webhook before', async () => {
    const { deliveryKey, givenUp, sent, run } = scene({ facts, turnMs: 1_000, changes });
    await run({ deliveryKey });
    expect(givenUp).toEqual([]);
    expect(sent).toEqual([key]);
  });

  test('leaves a delivery that was planned after its begin to a run that looks again', async () => {
    const { webhook, notice, deliveryKey, givenUp, ends, run } = scene({ facts });
    await run({ deliveryKey }, plannedDelivery(webhook, notice, new Date(now.getTime() + 1)));
    expect(givenUp).toEqual([]);
    expect(ends).toMatchObject([{ dueAt: lookAgainAt, lookAgainAt }]);
  });
});

test('a notice that cannot be read fails its own delivery alone, and one that is not read fails none', async () => {
  const { calls, reported, run } = scene({ others: 7, unreadable: 'ntc_3' });
  await run({});
  expect(calls).toHaveLength(6);
  expect(reported.filter(({ after }) => after.state === 'failed').map(({ after }) => after)).toMatchObject([
    { noticeId: 'ntc_3', failureCode: 'notice_gone' },
  ]);
  const failing = scene({ others: 7, deps: { notices: { findAll: () => Promise.reject(new Error('No table.')) } } });
  await expect(failing.run({})).rejects.toThrow('No table.');
  expect(failing.reported).toEqual([]);
});
