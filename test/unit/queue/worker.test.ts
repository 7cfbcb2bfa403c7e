import { SQSClient } from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { worker } from '#shared/queue/worker.ts';
import { RecordingNotFound, UnreadableMessage } from '#shared/runtime/errors.ts';
import { log } from '#shared/runtime/logger.ts';
import { type Answer, answering } from '../../support/client/fake-client.ts';
import { sqsEvent, sqsRecord } from '../../support/http/sqs-events.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';

const Message = z.object({ number: z.int() });
type Message = z.infer<typeof Message>;

const factsOf = ({ number }: Message) => ({ subject: `subject-${number}` });

let lines: () => readonly LogLine[];

beforeEach(() => {
  lines = captureLogLines().lines;
});

function fixture(handle: (message: Message) => Promise<void>, answer?: Answer) {
  const { client: sqs, calls } = answering(new SQSClient({ region: 'eu-west-1' }), answer);
  const queue = { sqs, url: 'url' };
  return { handler: worker({ name: 'fixture', schema: Message, queue, factsOf }, handle), calls };
}

const failures = (...ids: string[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });
const done = async () => {};
const isWithinSeconds = (seconds: number) => seconds >= 0 && seconds <= 2;

describe('the answer of a worker', () => {
  test('is empty if every message is done', async () => {
    const { handler, calls } = fixture(done);
    expect(await handler(sqsEvent({ number: 1 }, { number: 2 }))).toEqual(failures());
    expect(calls).toEqual([]);
  });

  test('is empty for an empty batch', async () => {
    expect(await fixture(done).handler({ Records: [] })).toEqual(failures());
  });

  test('names exactly the messages that failed', async () => {
    const { handler } = fixture(async ({ number }) => {
      if (number % 2 === 0) throw new Error('even');
    });
    const batch = sqsEvent({ number: 1 }, { number: 2 }, { number: 3 }, { number: 4 });
    expect(await handler(batch)).toEqual(failures('message-2', 'message-4'));
  });

  test.each([
    ['an Error', new Error('x')],
    ['an error of this service that no retry fixes', new RecordingNotFound()],
    ['text', 'x'],
    ['undefined', undefined],
    ['null', null],
  ])('names a message whose handler throws %s', async (_name, thrown) => {
    const { handler } = fixture(async () => {
      throw thrown;
    });
    expect(await handler(sqsEvent({ number: 1 }))).toEqual(failures('message-1'));
  });

  test('names a message whose handler throws before its first await', async () => {
    const { handler } = fixture(() => {
      throw new Error('at once');
    });
    expect(await handler(sqsEvent({ number: 1 }, { number: 2 }))).toEqual(failures('message-1', 'message-2'));
  });

  test('contains only ids of the batch, each once, for any results and errors of the handlers', async () => {
    const outcomes = fc.array(
      fc.oneof(fc.constant('done'), fc.constant('throws'), fc.constant('unreadable'), fc.constant('odd return')),
      { maxLength: 10 },
    );
    await fc.assert(
      fc.asyncProperty(outcomes, async (plan) => {
        const { handler } = fixture(async ({ number }) => {
          if (plan[number] === 'throws') throw new Error('x');
          return (
            plan[number] === 'odd return' ? { batchItemFailures: [{ itemIdentifier: 'foreign' }] } : undefined
          ) as undefined;
        });
        const event = sqsEvent(...plan.map((kind, number) => (kind === 'unreadable' ? 'x' : { number })));
        const expected = plan.flatMap((kind, index) =>
          kind === 'throws' || kind === 'unreadable' ? [`message-${index + 1}`] : [],
        );
        const { batchItemFailures } = await handler(event);
        expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort()).toEqual(expected.sort());
      }),
    );
  });
});

describe('a message that cannot be read', () => {
  test.each([
    ['not JSON', 'canary'],
    ['empty', ''],
    ['null', 'null'],
    ['an array', '[]'],
    ['of another shape', '{"number":"canary"}'],
    ['truncated', '{"number":1'],
  ])('because it is %s is reported and visible again within seconds, while the rest is done', async (_name, body) => {
    const seen: number[] = [];
    const { handler, calls } = fixture(async ({ number }) => void seen.push(number));
    expect(await handler(sqsEvent({ number: 1 }, body, { number: 3 }))).toEqual(failures('message-2'));
    expect(seen).toEqual([1, 3]);
    expect(calls).toEqual([
      {
        name: 'ChangeMessageVisibilityCommand',
        input: {
          QueueUrl: 'url',
          ReceiptHandle: 'receipt of message-2',
          VisibilityTimeout: expect.toSatisfy(isWithinSeconds),
        },
      },
    ]);
  });

  test('is logged with the path and the rule, without its content', async () => {
    await fixture(done).handler(sqsEvent('{"number":"canary"}', 'canary {', '{"canary":1}'));
    expect(lines().map(({ facts }) => facts.issues)).toEqual([
      'number must be a number',
      'must be JSON',
      'number is required',
    ]);
    expect(
      lines()
        .map(({ text }) => text)
        .join(),
    ).not.toContain('canary');
  });

  test('can also be detected by the handler', async () => {
    const { handler, calls } = fixture(async () => {
      throw new UnreadableMessage([{ path: 'number', message: 'must be mine' }]);
    });
    expect(await handler(sqsEvent({ number: 1 }))).toEqual(failures('message-1'));
    expect(calls[0]?.input.VisibilityTimeout).toSatisfy(isWithinSeconds);
  });
});

describe('a message that failed', () => {
  const pauseAfter = async (receiveCount: number) => {
    const { handler, calls } = fixture(async () => {
      throw new Error('x');
    });
    await handler({ Records: [sqsRecord({ number: 1 }, { receiveCount })] });
    return Number(calls[0]?.input.VisibilityTimeout);
  };

  test('is visible again after a whole number of seconds from 2 to 900', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000 }), async (receiveCount) => {
        const seconds = await pauseAfter(receiveCount);
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(2);
        const ceiling = Math.min(4 * 6 ** (receiveCount - 1), 900);
        expect(seconds).toBeGreaterThanOrEqual(ceiling / 2);
        expect(seconds).toBeLessThanOrEqual(ceiling);
      }),
    );
  });

  test('is visible again after a random pause that grows with every receive', async () => {
    const longest = async (receiveCount: number) => {
      const pauses = await Promise.all(Array.from({ length: 100 }, () => pauseAfter(receiveCount)));
      expect(new Set(pauses).size).toBeGreaterThan(1);
      return Math.max(...pauses);
    };
    const pauses = [await longest(1), await longest(2), await longest(3), await longest(4)];
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
    expect(new Set(pauses).size).toBe(pauses.length);
  });

  test('is reported even if its visibility cannot be changed', async () => {
    const { handler } = fixture(
      async ({ number }) => {
        if (number === 1) throw new Error('x');
      },
      () => {
        throw new Error('the queue is gone');
      },
    );
    expect(await handler(sqsEvent({ number: 1 }, { number: 2 }))).toEqual(failures('message-1'));
    expect(lines().map(({ facts }) => facts.level)).toContain('WARN');
  });
});

describe('the log', () => {
  test('has one line for each message, with its worker, id and facts', async () => {
    await fixture(done).handler(sqsEvent({ number: 1 }, { number: 2 }));
    expect(lines().map(({ facts }) => [facts.worker, facts.messageId, facts.message, facts.subject])).toEqual([
      ['fixture', 'message-1', 'message done', 'subject-1'],
      ['fixture', 'message-2', 'message done', 'subject-2'],
    ]);
    expect(Math.max(...lines().map(({ text }) => Buffer.byteLength(text)))).toBeLessThanOrEqual(600);
  });

  test('never mixes the messages of a batch if their handlers interleave', async () => {
    const { handler } = fixture(async ({ number }) => {
      for (let turn = 0; turn < 5; turn++) {
        await Promise.resolve();
        log.info('at work', { number });
      }
      if (number % 3 === 0) throw new Error('x');
    });
    await handler(sqsEvent(...Array.from({ length: 10 }, (_, index) => ({ number: index + 1 }))));
    const atWork = lines().filter(({ facts }) => facts.message === 'at work');
    expect(atWork).toHaveLength(50);
    for (const { facts } of atWork) {
      expect([facts.messageId, facts.subject]).toEqual([`message-${facts.number}`, `subject-${facts.number}`]);
    }
  });

  test('names the reason of a failure without the message of a foreign error', async () => {
    const { handler } = fixture(async () => {
      throw new Error('canary', { cause: new TypeError('canary') });
    });
    await handler(sqsEvent({ number: 1 }));
    expect(lines()[0]?.facts).toMatchObject({
      level: 'ERROR',
      message: 'message failed',
      subject: 'subject-1',
      error: { name: 'Error', cause: { name: 'TypeError' } },
    });
    expect(lines()[0]?.text).not.toContain('canary');
  });
});
