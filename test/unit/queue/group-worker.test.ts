import { SQSClient } from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { groupWorker } from '#shared/queue/worker.ts';
import { UnreadableMessage } from '#shared/runtime/errors.ts';
import { log } from '#shared/runtime/logger.ts';
import type { Timed } from '#shared/runtime/time-left.ts';
import { answering } from '../../support/client/fake-client.ts';
import { sqsEvent } from '../../support/http/sqs-events.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';

const Message = z.object({ number: z.int(), group: z.optional(z.string()), lane: z.optional(z.string()) });
type Message = z.infer<typeof Message>;

let lines: () => readonly LogLine[];
beforeEach(() => {
  lines = captureLogLines().lines;
});

type Refused = ReadonlyMap<Message, UnreadableMessage>;

/** A worker whose messages name their group. A group is its own lane unless its messages name one. */
function fixture(
  handle: (messages: readonly Message[], assertTimeLeft: () => void) => Promise<Refused | undefined>,
  context?: Timed,
) {
  const { client: sqs, calls } = answering(new SQSClient({ region: 'eu-west-1' }));
  const handler = groupWorker(
    {
      ...{ name: 'fixture', schema: Message, queue: { sqs, url: 'url' } },
      factsOf: ({ number, group }) => ({ subject: `subject-${number}`, group }),
      orderOf: ({ group, lane = group }) => (group && lane ? { group, lane } : undefined),
    },
    async (...given) => (await handle(...given)) ?? new Map(),
  );
  const run = async (...bodies: readonly unknown[]) =>
    (await handler(sqsEvent(...bodies), context)).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort();
  return { run, calls };
}

/** A worker that records the messages it gets, and fails a group that contains a number to fail. */
function noting(isFailing: (number: number) => boolean = () => false) {
  const handed: number[][] = [];
  const { run, calls } = fixture(async (messages) => {
    handed.push(messages.map(({ number }) => number));
    await Promise.resolve();
    if (messages.some(({ number }) => isFailing(number))) throw new Error('x');
    return undefined;
  });
  return { run, calls, handed };
}

const of = (group: string | undefined, ...numbers: readonly number[]) => numbers.map((number) => ({ number, group }));

describe('messages of a group', () => {
  test('are handled together in the order of the batch, and a message without a group alone', async () => {
    const { run, handed } = noting();
    const [one, two] = [of('a', 1, 3, 5), of('b', 2)];
    expect(await run(one[0], two[0], one[1], ...of(undefined, 4, 6), one[2])).toEqual([]);
    expect(handed).toEqual([[1, 3, 5], [2], [4], [6]]);
  });

  test('are all retried if their handler fails, and no others are', async () => {
    const { run, calls, handed } = noting((number) => number === 3);
    expect(await run(...of('a', 1), ...of('b', 2, 3), ...of(undefined, 4), ...of('a', 5))).toEqual([
      'message-2',
      'message-3',
    ]);
    expect(handed).toHaveLength(3);
    expect(calls.map(({ input }) => input.ReceiptHandle)).toEqual(['receipt of message-2', 'receipt of message-3']);
  });

  test('are handled without those that cannot be read', async () => {
    const { run, handed } = noting();
    expect(await run(...of('a', 1), 'no JSON', ...of('a', 3), { number: 'four', group: 'a' })).toEqual([
      'message-2',
      'message-4',
    ]);
    expect(handed).toEqual([[1, 3]]);
  });

  test('are retried within seconds if the handler finds them unreadable', async () => {
    const { run, calls } = fixture(async () => {
      throw new UnreadableMessage([{ path: 'group', message: 'must be mine' }]);
    });
    expect(await run(...of('a', 1, 2))).toEqual(['message-1', 'message-2']);
    for (const { input } of calls) expect(input.VisibilityTimeout).toBeLessThanOrEqual(2);
  });
});

describe('messages of a group that are refused', () => {
  const reason = new UnreadableMessage([{ path: 'number', message: 'must be small' }]);
  const refusing = (isRefused: (number: number) => boolean) =>
    fixture(async (messages) => {
      const refused = messages.filter(({ number }) => isRefused(number));
      return new Map(refused.map((message) => [message, reason]));
    });

  test('fail alone and within seconds, and the others of the group are done', async () => {
    const { run, calls } = refusing((number) => number > 2);
    expect(await run(...of('a', 1, 3, 2, 4), ...of('b', 5))).toEqual(['message-2', 'message-4', 'message-5']);
    expect(calls).toHaveLength(3);
    for (const { input } of calls) expect(input.VisibilityTimeout).toBeLessThanOrEqual(2);
  });

  test('are logged as failed, with the reason and their own facts', async () => {
    await refusing((number) => number === 3).run(...of('a', 1, 3));
    const said = lines().map(({ facts }) => [facts.message, facts.messageId, facts.subject, facts.issues]);
    expect(said.sort()).toEqual([
      ['message done', 'message-1', 'subject-1', undefined],
      ['message failed', 'message-2', 'subject-3', 'number must be small'],
    ]);
  });

  test('do not stop the next group of their lane', async () => {
    const handed: number[] = [];
    const { run } = fixture(async (messages) => {
      handed.push(...messages.map(({ number }) => number));
      return new Map(messages.map((message) => [message, reason]));
    });
    const lane = ['a', 'b'].map((group, number) => ({ number, group, lane: 'x' }));
    expect(await run(...lane)).toEqual(['message-1', 'message-2']);
    expect(handed).toEqual([0, 1]);
  });
});

describe('groups', () => {
  const overlapsOf = async (...bodies: readonly unknown[]) => {
    let [atOnce, most] = [0, 0];
    const { run } = fixture(async () => {
      most = Math.max(most, ++atOnce);
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      atOnce--;
      return undefined;
    });
    await run(...bodies);
    return most;
  };
  const inLane = (lane: string, ...groups: readonly string[]) =>
    groups.map((group, number) => ({ number, group, lane }));

  test('run concurrently, but those of one lane run one after the other', async () => {
    expect(await overlapsOf(...inLane('x', 'a', 'b', 'c'))).toBe(1);
    expect(await overlapsOf(...inLane('x', 'a', 'b'), ...inLane('y', 'c', 'd'))).toBe(2);
    expect(await overlapsOf(...of('a', 1), ...of('b', 2), ...of('c', 3))).toBe(3);
    expect(await overlapsOf(...of(undefined, 1, 2, 3))).toBe(3);
  });

  test('of many lanes run each once, even if some fail', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const { run, handed } = noting((number) => number % 10 === 0);
    expect(await run(...of(undefined, ...numbers))).toHaveLength(10);
    expect(handed.flat()).toEqual(numbers);
  });

  test('of many lanes run three at once, and each that ends makes place for the next one', async () => {
    const lanes = Array.from({ length: 35 }, (_, number) => inLane(`lane ${number}`, `group ${number}`));
    expect(await overlapsOf(...lanes.flat())).toBe(3);
  });

  test('of a lane continue after one that failed', async () => {
    const { run, handed } = noting((number) => number === 0);
    expect(await run(...inLane('x', 'a', 'b', 'c'))).toEqual(['message-1']);
    expect(handed).toEqual([[0], [1], [2]]);
  });

  test('never affect each other, whichever fails', async () => {
    const messages = fc.array(
      fc.record({
        group: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
        fails: fc.boolean(),
        lane: fc.constantFrom('x', 'y'),
      }),
      { maxLength: 10 },
    );
    await fc.assert(
      fc.asyncProperty(messages, async (plan) => {
        const { run, handed } = noting((number) => plan[number]?.fails ?? false);
        const failing = new Set(plan.filter(({ fails }) => fails).map(({ group }) => group));
        const expected = plan.flatMap(({ group, fails }, index) =>
          fails || (group !== undefined && failing.has(group)) ? [`message-${index + 1}`] : [],
        );
        const laneOf = (group: string | undefined) => group && `lane of ${group}`;
        const bodies = plan.map(({ group }, number) => ({ number, group, lane: laneOf(group) }));
        expect(await run(...bodies)).toEqual(expected.sort());
        expect(handed.flat().sort()).toEqual(plan.map((_, number) => number).sort());
      }),
    );
  });
});

describe('if too little time is left', () => {
  const lasting = (remainingMs: () => number) => ({ getRemainingTimeInMillis: remainingMs });

  test('the next group of a lane is not started and is retried after a pause, and finished groups stay done', async () => {
    let remainingMs = 30_000;
    const handed: number[] = [];
    const handle = async (messages: readonly Message[]) => {
      handed.push(...messages.map(({ number }) => number));
      remainingMs -= 15_000;
      return undefined;
    };
    const { run, calls } = fixture(
      handle,
      lasting(() => remainingMs),
    );
    const lane = ['a', 'b', 'c', 'd'].map((group, number) => ({ number, group, lane: 'x' }));
    expect(await run(...lane)).toEqual(['message-3', 'message-4']);
    expect(handed).toEqual([0, 1]);
    expect(calls.map(({ input }) => input.ReceiptHandle)).toEqual(['receipt of message-3', 'receipt of message-4']);
    for (const { input } of calls) expect(input.VisibilityTimeout).toBeGreaterThan(1);
  });

  test('the handler of a group can stop, and the group is retried', async () => {
    let remainingMs = 30_000;
    let pieces = 0;
    const handle = async (_messages: readonly Message[], assertTimeLeft: () => void) => {
      for (; ; remainingMs -= 5_000) {
        assertTimeLeft();
        pieces++;
      }
    };
    expect(
      await fixture(
        handle,
        lasting(() => remainingMs),
      ).run(...of('a', 1)),
    ).toEqual(['message-1']);
    expect(pieces).toBe(5);
  });
});

describe('the log', () => {
  test('has one line for each message, with its own id and facts', async () => {
    const { run } = noting((number) => number === 3);
    await run(...of('a', 1, 2), ...of('b', 3), 'no JSON');
    const said = lines().map(({ facts }) => [facts.worker, facts.messageId, facts.message, facts.subject]);
    expect(said.sort()).toEqual([
      ['fixture', 'message-1', 'message done', 'subject-1'],
      ['fixture', 'message-2', 'message done', 'subject-2'],
      ['fixture', 'message-3', 'message failed', 'subject-3'],
      ['fixture', 'message-4', 'message failed', undefined],
    ]);
  });

  test('has for a group only the facts that all its messages share, and for a single message all of its facts', async () => {
    const { run } = fixture(async (messages) => {
      log.info('at work', { count: messages.length });
      return undefined;
    });
    await run(...of('a', 1, 2), ...of(undefined, 3));
    const atWork = lines().filter(({ facts }) => facts.message === 'at work');
    const said = atWork.map(({ facts }) => [facts.count, facts.group, facts.subject, facts.messageId]);
    expect(said).toEqual([
      [2, 'a', undefined, undefined],
      [1, undefined, 'subject-3', 'message-3'],
    ]);
  });
});
