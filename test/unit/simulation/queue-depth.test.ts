import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { untilDrained } from '#tools/shared/queue-depth.ts';
import { answering } from '../../support/client/fake-client.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';

skipPauses();

/** Queues with one pair of counts for each request. The last pair repeats. */
function queuesWith(...counts: readonly (readonly [visible: number, inFlight: number])[]) {
  return answering(new SQSClient({ region: 'eu-west-1' }), (_call, index) => {
    const [visible, inFlight] = counts[Math.min(index, counts.length - 1)] ?? [0, 0];
    return {
      Attributes: {
        ApproximateNumberOfMessages: String(visible),
        ApproximateNumberOfMessagesNotVisible: String(inFlight),
      },
    };
  });
}

it('untilDrained waits until the queues have no messages, visible or in flight', async () => {
  const { client, calls } = queuesWith([3, 0], [0, 2], [0, 1], [0, 0], [0, 0], [0, 0]);
  const left: number[] = [];
  await untilDrained(client, ['rooms', 'samples'], { onProgress: (count) => left.push(count) });
  expect(left).toEqual([5, 1, 0]);
  expect(calls.map(({ input }) => input.QueueUrl)).toEqual([
    'rooms',
    'samples',
    'rooms',
    'samples',
    'rooms',
    'samples',
  ]);
});

it('untilDrained waits for messages that were sent for later', async () => {
  const { client, calls } = answering(new SQSClient({ region: 'eu-west-1' }), (_call, index) => ({
    Attributes: { ApproximateNumberOfMessagesDelayed: index === 0 ? '1' : '0' },
  }));
  await untilDrained(client, ['rooms']);
  expect(calls).toHaveLength(2);
  expect(calls[0]?.input.AttributeNames).toContain('ApproximateNumberOfMessagesDelayed');
});

it('untilDrained stops waiting if the number of messages does not fall', async () => {
  await untilDrained(queuesWith([2, 0]).client, ['rooms'], { patienceMs: 5 });
  const { client, calls } = queuesWith([2, 0]);
  await untilDrained(client, ['rooms'], { patienceMs: -1 });
  expect(calls).toHaveLength(1);
});
