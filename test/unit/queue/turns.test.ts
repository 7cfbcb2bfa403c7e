import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { createHandler } from '#functions/workers/platforms/record-room-events/handler.ts';
import { groupWorker } from '#shared/queue/worker.ts';
import { type Answer, answering, type Call } from '../../support/client/fake-client.ts';
import { anyTime, type MessageFacts, sqsRecord } from '../../support/http/sqs-events.ts';
import { newGuest, newSession, platformOf } from '../../support/insights/session-events.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';

const Message = z.object({ number: z.int(), organizationId: z.string(), room: z.optional(z.string()) });

const turnMs = 2_000;

let lines: () => readonly LogLine[];
beforeEach(() => {
  lines = captureLogLines().lines;
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Circumstances = {
  readonly takesMs?: number;
  readonly answer?: Answer;
  /** What the messages with these numbers wait for. */
  readonly waitsFor?: Readonly<Record<number, Promise<void>>>;
};

/** A worker that takes some of its turn for each message, and notes which ones it handled. */
function fixture({ takesMs = 0, answer, waitsFor = {} }: Circumstances = {}) {
  const { client: sqs, calls } = answering(new SQSClient({ region: 'eu-west-1' }), answer);
  const handled: number[] = [];
  const handler = groupWorker(
    {
      ...{ name: 'fixture', schema: Message, queue: { sqs, url: 'url' }, turnMs },
      factsOf: ({ organizationId }) => ({ organizationId }),
      orderOf: ({ number, room }) => (room === undefined ? undefined : { group: String(number), lane: room }),
    },
    async (messages) => {
      await waitsFor[messages[0]?.number ?? -1];
      vi.setSystemTime(Date.now() + takesMs);
      handled.push(...messages.map(({ number }) => number));
      return new Map();
    },
  );
  const run = async (...Records: SQSRecord[]) =>
    (await handler({ Records })).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  return { run, calls, handled };
}

function record(number: number, organizationId: string, facts: MessageFacts & { readonly room?: string } = {}) {
  const { room, ...rest } = facts;
  return sqsRecord({ number, organizationId, room }, { messageId: `message-${number}`, ...rest });
}

const hundred = Array.from({ length: 100 }, (_, number) => record(number, 'noisy'));

type Sent = { readonly MessageBody: string; readonly MessageGroupId: string; readonly MessageAttributes: object };
const sentBack = (calls: readonly Call[]) =>
  calls.filter(({ name }) => name === 'SendMessageBatchCommand').flatMap(({ input }) => input.Entries as Sent[]);

describe('in a batch', () => {
  test('a message of one organization does not wait for a hundred of another', async () => {
    const { run, handled } = fixture();
    await run(...hundred, record(100, 'quiet'));
    expect(handled.indexOf(100)).toBeLessThan(3);
    expect(handled).toHaveLength(101);
  });

  test('nothing goes back to the queue while the turn lasts, so a batch that is quick takes no further call', async () => {
    const { run, calls } = fixture({ takesMs: 19 });
    expect(await run(...hundred)).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('messages that the turn leaves go to the end of the queue, as those of their organization and time', async () => {
    const sentAt = new Date(Date.now() - 5_000);
    const { run, calls, handled } = fixture({ takesMs: 500 });
    const batch = Array.from({ length: 100 }, (_, number) => record(number, 'noisy', { sentAt }));
    expect(await run(...batch)).toEqual([]);
    expect(handled.length).toBeLessThan(8);
    const back = sentBack(calls);
    expect(
      [...handled, ...back.map(({ MessageBody }) => JSON.parse(MessageBody).number)].toSorted((a, b) => a - b),
    ).toEqual(batch.map((_, number) => number));
    expect(new Set(back.map(({ MessageGroupId }) => MessageGroupId))).toEqual(new Set(['noisy']));
    const time = { DataType: 'Number', StringValue: String(sentAt.getTime()) };
    expect(back[0]?.MessageAttributes).toEqual({ firstSentAt: time, queuedAt: time });
    const said = lines().find(({ facts }) => facts.message === 'message sent back');
    expect(said?.facts).toMatchObject({ messageId: expect.any(String), organizationId: 'noisy' });
  });

  test('sessions of one room that the turn leaves go back, too', async () => {
    const { run, calls, handled } = fixture({ takesMs: turnMs });
    expect(await run(...[0, 1, 2].map((number) => record(number, 'noisy', { room: '/one' })))).toEqual([]);
    expect(handled).toEqual([0]);
    expect(sentBack(calls)).toHaveLength(2);
  });

  test('a message that came before is handled after the turn, so that it neither waits longer nor loses its receives', async () => {
    const { run, calls, handled } = fixture({ takesMs: turnMs });
    const again = [2, 3, 4, 5].map((receiveCount) => record(receiveCount, 'noisy', { receiveCount }));
    expect(await run(...hundred.slice(10, 13), ...again)).toEqual([]);
    expect(new Set(handled)).toEqual(new Set([10, 11, 12, 2, 3, 4, 5]));
    expect(calls).toEqual([]);
  });

  test('a message without room for its times is handled after the turn', async () => {
    const { run, calls, handled } = fixture({ takesMs: turnMs });
    const large = record(9, 'noisy', { room: 'x'.repeat(1_048_500) });
    expect(await run(...hundred.slice(0, 3), large)).toEqual([]);
    expect(handled).toContain(9);
    expect(calls).toEqual([]);
  });

  test('only the messages that the queue does not take back are delivered again', async () => {
    let batches = 0;
    const answer = ({ name }: Call) => {
      if (name === 'SendMessageBatchCommand' && ++batches === 2) throw new Error('down');
      return {};
    };
    const { run, calls } = fixture({ takesMs: turnMs, answer });
    const failed = await run(...hundred.slice(0, 31));
    const refused = calls.filter(({ name }) => name === 'SendMessageBatchCommand')[1]?.input.Entries as Sent[];
    expect(failed.toSorted()).toEqual(
      refused.map(({ MessageBody }) => `message-${JSON.parse(MessageBody).number}`).toSorted(),
    );
    expect(failed).toHaveLength(10);
  });

  test('what the turn leaves does not wait for the slowest session', async () => {
    const slowest = Promise.withResolvers<void>();
    const { run, calls } = fixture({ takesMs: turnMs, waitsFor: { 0: slowest.promise } });
    const answered = run(...hundred);
    await vi.waitFor(() => expect(sentBack(calls).length).toBeGreaterThan(90));
    slowest.resolve();
    expect(await answered).toEqual([]);
  });
});

test('turns of slow sessions take at most 1.2 times the calls without turns', async () => {
  const callsOfAnEvent = 8.1; // docs/performance.md, cost: an event of a session alone
  const calls = async (takesMs: number) => {
    let waiting = Array.from({ length: 1_500 }, (_, number) => record(number, 'noisy'));
    let requests = waiting.length * callsOfAnEvent + waiting.length / 10;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, 100);
      const { run, calls: own } = fixture({ takesMs });
      await run(...batch);
      requests += own.length + (2 * batch.length) / 10; // received and deleted by ten
      const back = sentBack(own).map(({ MessageBody }) => sqsRecord(MessageBody));
      waiting = [...waiting.slice(100), ...back];
    }
    return requests;
  };
  const [slow, quick] = [await calls(120), await calls(0)]; // a hundred took 12 s
  expect(slow).toBeGreaterThan(quick);
  expect(slow / quick).toBeLessThanOrEqual(1.2);
});

test('room events of a hundred slow sessions hold a place for one turn, and are not retried', async () => {
  const { client: sqs, calls } = answering(new SQSClient({ region: 'eu-west-1' }));
  const slowly = async () => {
    vi.setSystemTime(Date.now() + 1_000);
    throw new Error('x');
  };
  const slow: unknown = new Proxy({}, { get: () => slowly });
  const handler = createHandler({
    ...({ insights: slow, facts: slow } as Parameters<typeof createHandler>[0]), // joins use no other
    ...{ queue: { sqs, url: 'url' }, timeBounds: anyTime },
  });
  const { joined } = platformOf('noisy', Date.now);
  const Records = Array.from({ length: 100 }, (_, index) =>
    sqsRecord(joined(newSession(`/room-${index}`), newGuest()), { messageId: String(index) }),
  );
  const { batchItemFailures } = await handler({ Records });
  expect(batchItemFailures.length).toBeLessThan(10);
  expect(sentBack(calls)).toHaveLength(100 - batchItemFailures.length);
});
