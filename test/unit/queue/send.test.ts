import { SQSClient } from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { messageSender } from '#shared/queue/send.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { type Answer, answering, type Call } from '../../support/client/fake-client.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';

skipPauses();

const Message = z.object({ number: z.int() });
type Entry = {
  readonly Id: string;
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
  readonly DelaySeconds?: number;
};

const acme = OrganizationId.parse('acme');

const entriesOf = ({ input }: Call) => input.Entries as readonly Entry[];
const numbersOf = (call: Call) =>
  entriesOf(call).map(({ MessageBody }) => Message.parse(JSON.parse(MessageBody)).number);
const messages = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));

function fixture(answer?: Answer) {
  const { client, calls } = answering(new SQSClient({ region: 'eu-west-1' }), answer);
  return { sender: messageSender<{ readonly number: number }>(client, 'url'), calls };
}

const refusing = (isRefused: (number: number, attempt: number) => boolean): Answer => {
  const attempts = new Map<number, number>();
  return (call) => ({
    Failed: entriesOf(call)
      .filter(({ MessageBody }) => {
        const { number } = Message.parse(JSON.parse(MessageBody));
        const attempt = (attempts.get(number) ?? 0) + 1;
        attempts.set(number, attempt);
        return isRefused(number, attempt);
      })
      .map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })),
  });
};

describe('send', () => {
  test('sends every message once, with at most 10 in a call', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 250 }), async (count) => {
        const { sender, calls } = fixture();
        await sender.send(acme, messages(count));
        expect(calls).toHaveLength(Math.ceil(count / 10));
        expect(Math.max(0, ...calls.map((call) => entriesOf(call).length))).toBeLessThanOrEqual(10);
        expect(calls.flatMap(numbersOf).sort((a, b) => a - b)).toEqual(messages(count).map(({ number }) => number));
      }),
    );
  });

  test('gives the entries of a call different ids', async () => {
    const { sender, calls } = fixture();
    await sender.send(acme, messages(25));
    for (const call of calls) expect(new Set(entriesOf(call).map(({ Id }) => Id)).size).toBe(entriesOf(call).length);
  });

  test('puts every message into the group of its organization', async () => {
    const { sender, calls } = fixture();
    await sender.send(acme, messages(25));
    const groups = calls.flatMap(entriesOf).map(({ MessageGroupId }) => MessageGroupId);
    expect(groups).toEqual(Array.from({ length: 25 }, () => 'acme'));
  });

  test('delays messages only if it is given a delay', async () => {
    const { sender, calls } = fixture();
    await sender.send(acme, messages(1), { delaySeconds: 900 });
    await sender.send(acme, messages(1), { delaySeconds: 0 });
    await sender.send(acme, messages(1));
    expect(calls.flatMap(entriesOf).map(({ DelaySeconds }) => DelaySeconds)).toEqual([900, 0, undefined]);
  });

  test('retries only the refused messages', async () => {
    const { sender, calls } = fixture(refusing((number, attempt) => number % 3 === 0 && attempt < 3));
    await sender.send(acme, messages(10));
    expect(calls.map(numbersOf)).toEqual([messages(10).map(({ number }) => number), [0, 3, 6, 9], [0, 3, 6, 9]]);
  });

  test('throws if a message is refused at every attempt', async () => {
    const { sender, calls } = fixture(refusing((number) => number === 4));
    await expect(sender.send(acme, messages(10))).rejects.toThrow(ServiceUnavailable);
    expect(calls.map(numbersOf)).toEqual([messages(10).map(({ number }) => number), [4], [4], [4]]);
  });

  test('resolves only if the queue has accepted every message, for any refusals', async () => {
    const plans = fc.array(fc.nat(5), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(plans, async (refusals) => {
        const { sender, calls } = fixture(refusing((number, attempt) => attempt <= (refusals[number] ?? 0)));
        const outcome = await sender.send(acme, messages(refusals.length)).then(
          () => 'sent',
          () => 'refused',
        );
        expect(outcome).toBe(Math.max(...refusals) < 4 ? 'sent' : 'refused');
        const sends = calls.flatMap(numbersOf);
        if (outcome === 'sent') {
          for (const [number, refused] of refusals.entries())
            expect(sends.filter((sent) => sent === number)).toHaveLength(refused + 1);
        }
      }),
    );
  });

  test('rethrows the error of a failed call', async () => {
    const { sender } = fixture(() => {
      throw new Error('the queue is gone');
    });
    await expect(sender.send(acme, messages(1))).rejects.toThrow('the queue is gone');
  });
});

describe('chunk', () => {
  test.each([
    [[], 2, []],
    [[1], 2, [[1]]],
    [[1, 2], 2, [[1, 2]]],
    [[1, 2, 3], 2, [[1, 2], [3]]],
  ])('splits %j by %d into %j', (items, size, expected) => {
    expect(chunk(items, size)).toEqual(expected);
  });

  test('keeps every item in order, and fills every list except the last', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 12 }), (items, size) => {
        const chunks = chunk(items, size);
        expect(chunks.flat()).toEqual(items);
        for (const part of chunks.slice(0, -1)) expect(part).toHaveLength(size);
        expect(chunks.every((part) => part.length > 0)).toBe(true);
      }),
    );
  });
});
