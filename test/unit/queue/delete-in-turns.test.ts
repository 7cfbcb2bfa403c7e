import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { createHandler } from '#functions/workers/transcriptions/delete-transcriptions/handler.ts';
import type { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import { isDeleted } from '#shared/domain/transcriptions/transcription.ts';
import { answering } from '../../support/client/fake-client.ts';
import { sqsEvent } from '../../support/http/sqs-events.ts';
import { organizationId, transcriptionRecord, uuid } from '../../support/operations/records.ts';
import { FakeStore } from '../../support/storage/fake-store.ts';
import { captureMetrics } from '../../support/storage/recorded-metrics.ts';

const acme = organizationId('acme');
const rival = organizationId('rival');
const queue = { sqs: answering(new SQSClient({ region: 'eu-west-1' })).client, url: 'url' };
const idsOf = (first: number, count: number) => Array.from({ length: count }, (_, index) => uuid(first + index));
/** More than any request here needs. */
const maxTurns = 100;
const never = new Promise<never>(() => {});

/** Stored transcriptions, a first-in-first-out queue, and a clock that each deletion moves on by `deletionMs`. */
function scene({ deletionMs = 40 } = {}) {
  const store = new FakeStore();
  const messages: BulkDeleteMessage[] = [];
  const sends: { readonly group: string; readonly delaySeconds: number | undefined }[] = [];
  const stuck = new Set<string>();
  let clock = Date.parse('2026-03-01T10:00:00.000Z');
  const handler = createHandler({
    queue,
    transcriptions: {
      ...store.transcriptions,
      find: async (...key) => {
        const found = await store.transcriptions.find(...key);
        if (stuck.has(key[1])) throw new Error('no');
        return found;
      },
    },
    works: store.works,
    files: store.filesOf,
    speakers: store.speakersOf,
    sendChange: store.sendChange,
    jobs: store.jobsOf,
    now: () => new Date(clock),
    bulkDeletes: {
      send: async (group, sent, { delaySeconds } = {}) => {
        await store.meanwhile('send', store.calls.length);
        messages.push(...structuredClone(sent));
        sends.push({ group, delaySeconds });
      },
    },
  });
  /** Passes on the clock with each deletion. Runs before each call to the store. */
  const withClock =
    (meanwhile: FakeStore['meanwhile']): FakeStore['meanwhile'] =>
    async (call, count) => {
      if (call === 'find') clock += deletionMs;
      await meanwhile(call, count);
    };
  store.meanwhile = withClock(() => {});
  const ask = (owner: typeof acme, transcriptionIds: string[]) => {
    for (const transcriptionId of transcriptionIds) {
      store.put(transcriptionRecord({ organizationId: owner, transcriptionId, state: 'ready' }));
    }
    messages.push({ organizationId: owner, transcriptionIds, failedInARow: 0 });
  };
  /** Handles the oldest message. A failed message stays at the end of the queue. */
  const deliver = async () => {
    const message = messages.shift();
    const { batchItemFailures } = await handler(sqsEvent(message));
    if (batchItemFailures.length > 0 && message) messages.push(message);
    return batchItemFailures.length;
  };
  /** Handles messages until the condition holds, and returns how many. Without an end, no timeout would stop the test. */
  const deliverUntil = async (isDone: (failures: number) => boolean) => {
    for (let turns = 1; turns <= maxTurns; turns++) if (isDone(await deliver())) return turns;
    throw new Error('The request does not end.');
  };
  return {
    store,
    messages,
    sends,
    ask,
    /** The ids that cannot be deleted. */
    stuck,
    wait: (ms: number) => {
      clock += ms;
    },
    meanwhile: (next: FakeStore['meanwhile']) => {
      store.meanwhile = withClock(next);
    },
    deliver,
    deliverAll: async () => {
      if (messages.length > 0) await deliverUntil(() => messages.length === 0);
    },
    deliverUntilFailure: () =>
      deliverUntil((failures) => {
        expect(messages, 'a request stays one message').toHaveLength(1);
        return failures > 0;
      }),
    left: (owner: typeof acme) =>
      [...store.rows.values()].filter((row) => row.organizationId === owner && !isDeleted(row)).length,
  };
}

describe('a bulk delete', () => {
  test('gives up its place after a turn, so that a later one of another organization waits for one turn only', async () => {
    const { ask, deliver, left, sends } = scene({ deletionMs: 40 });
    ask(acme, idsOf(1, 50));
    ask(rival, [uuid(99)]);

    await deliver();
    expect([left(acme), left(rival)]).toEqual([47, 1]);
    await deliver();
    expect([left(acme), left(rival)]).toEqual([47, 0]);

    expect(sends).toEqual([{ group: 'acme', delaySeconds: 0 }]);
  });

  test('deletes one transcription in a turn if that takes longer than the turn', async () => {
    const { ask, deliver, left, messages } = scene({ deletionMs: 5000 });
    ask(acme, idsOf(1, 3));
    for (const expected of [2, 1, 0]) {
      await deliver();
      expect(left(acme)).toBe(expected);
    }
    expect(messages).toEqual([]);
  });

  test('goes on past an id that fails, which comes last, after a pause', async () => {
    const { ask, deliver, deliverAll, left, messages, sends, stuck } = scene({ deletionMs: 30 });
    ask(acme, idsOf(1, 9));
    stuck.add(uuid(2));

    await deliver();

    expect(messages.map(({ transcriptionIds }) => transcriptionIds)).toEqual([[...idsOf(5, 5), uuid(2)]]);
    expect(sends).toEqual([{ group: 'acme', delaySeconds: 10 }]);
    stuck.clear();
    await deliverAll();
    expect(left(acme)).toBe(0);
  });

  test('fails if all of its ids fail, so that SQS retries it and keeps it as a dead letter', async () => {
    const { ask, deliver, messages, sends, stuck } = scene();
    ask(acme, idsOf(1, 2));
    for (const id of idsOf(1, 2)) stuck.add(id);
    expect(await deliver()).toBe(1);
    expect([messages.length, sends]).toEqual([1, []]);
  });

  test('stays one message during an outage, fails after a full round, and goes on when the outage ends', async () => {
    const { ask, deliver, deliverAll, deliverUntilFailure, left, messages, sends, stuck } = scene({ deletionMs: 40 });
    ask(acme, idsOf(1, 50));
    await deliver();
    for (const id of idsOf(1, 50)) stuck.add(id);

    const turns = await deliverUntilFailure();

    expect([turns, sends.length, messages.length]).toEqual([16, 16, 1]); // 47 ids, three in a turn, and the last turn fails
    expect(messages[0]?.transcriptionIds.toSorted()).toEqual(idsOf(4, 47));
    for (let receive = 2; receive <= 5; receive++) expect(await deliver()).toBe(1);
    expect([sends.length, messages.length]).toEqual([16, 1]);
    stuck.clear();
    await deliverAll();
    expect(left(acme)).toBe(0);
  });

  test('deletes every other id while some fail, and then fails with only those', async () => {
    const { ask, deliverUntilFailure, left, messages, stuck } = scene({ deletionMs: 40 });
    ask(acme, idsOf(1, 30));
    const bad = [1, 2, 3, 4, 5, 17, 30].map((id) => uuid(id));
    for (const id of bad) stuck.add(id);

    await deliverUntilFailure();

    expect(left(acme)).toBe(bad.length);
    expect(messages.map(({ transcriptionIds }) => transcriptionIds.toSorted())).toEqual([bad]);
  });

  test('fails only if each of its ids has failed since the last success, also within one turn', async () => {
    const { ask, deliver, messages, stuck } = scene({ deletionMs: 30 });
    ask(acme, idsOf(1, 3));
    for (const id of idsOf(2, 2)) stuck.add(id);
    expect(await deliver()).toBe(0);
    expect(messages.map(({ transcriptionIds }) => transcriptionIds)).toEqual([idsOf(2, 2)]);
    expect(await deliver()).toBe(1);

    const slow = scene({ deletionMs: 5000 });
    slow.ask(acme, idsOf(1, 3));
    for (const id of [uuid(1), uuid(3)]) slow.stuck.add(id);
    expect([await slow.deliver(), await slow.deliver(), await slow.deliver()]).toEqual([0, 0, 0]);
    expect(await slow.deliver()).toBe(1);
  });

  test('tries every id again after a redrive, also if the first ones still fail', async () => {
    const { ask, deliverUntilFailure, left, messages, stuck, wait } = scene({ deletionMs: 5000 });
    ask(acme, idsOf(1, 4));
    for (const id of idsOf(1, 4)) stuck.add(id);
    await deliverUntilFailure();
    const [first = ''] = messages[0]?.transcriptionIds ?? [];
    stuck.clear();
    stuck.add(first);

    wait(20 * 60_000);
    await deliverUntilFailure();

    expect(left(acme)).toBe(1);
    expect(messages.map(({ transcriptionIds }) => transcriptionIds)).toEqual([[first]]);
  });

  test('keeps the call, its time and the number of its part through all turns, and measures the age in each', async () => {
    const metrics = captureMetrics();
    const { deliver, messages, sends, wait } = scene({ deletionMs: 5000 });
    const call = { correlationId: 'call', acceptedAt: '2026-03-01T10:00:00.000Z', part: 2 };
    messages.push({ organizationId: acme, transcriptionIds: idsOf(1, 3), failedInARow: 0, ...call });
    wait(60_000);
    await deliver();
    expect([messages[0], sends.length]).toEqual([expect.objectContaining(call), 1]);
    await deliver();
    await deliver();
    const ages = metrics.recorded().filter(({ name }) => name === 'BulkDeleteAge');
    expect(ages.flatMap(({ values }) => values)).toEqual([65, 70, 75]);
  });

  test('deletes every id if the worker dies before or after any of its calls and its message comes again', async () => {
    for (let call = 1; call <= 20; call++) {
      const { ask, deliver, deliverAll, left, messages, meanwhile } = scene({ deletionMs: 60 });
      ask(acme, idsOf(1, 4));
      const [message] = messages;
      const killed = Promise.withResolvers<void>();
      let calls = 0;
      meanwhile(() => {
        calls += 1;
        if (calls < call) return;
        killed.resolve();
        return never;
      });
      await Promise.race([deliver(), killed.promise]);
      meanwhile(() => {});
      if (calls >= call && message) messages.push(message);

      await deliverAll();

      expect(left(acme)).toBe(0);
    }
  });
});
