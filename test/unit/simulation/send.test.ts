import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { sendEvents } from '#tools/simulation/send.ts';
import { type Answer, answering, type Call } from '../../support/client/fake-client.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { joined, sampled } from './platform-events.ts';

skipPauses();

type Entry = { readonly Id: string; readonly MessageBody: string; readonly MessageGroupId?: string };

const entriesOf = ({ input }: Call) => input.Entries as readonly Entry[];
const bodiesOf = (calls: readonly Call[]) => calls.flatMap(entriesOf).map(({ MessageBody }) => MessageBody);
const eventsOf = (calls: readonly Call[]): PlatformEvent[] => bodiesOf(calls).map((body) => JSON.parse(body));

async function sending(events: readonly PlatformEvent[], answer?: Answer, onProgress?: (sent: number) => void) {
  const { client, calls } = answering(new SQSClient({ region: 'eu-west-1' }), answer);
  const endpoints = { sqsUrl: 'http://queues', queues: { roomEvents: 'rooms', networkSamples: 'samples' } };
  await sendEvents(events, { endpoints, sqs: client, ...(onProgress && { onProgress }) });
  return calls;
}

it('sendEvents sends each event to its queue in batches of ten, and reports progress', async () => {
  const joins = Array.from({ length: 25 }, (_, index) => joined(`p${index}`, '09:00'));
  const samples = Array.from({ length: 3 }, () => sampled('p1', '09:00', [1]));
  const progress: number[] = [];

  const calls = await sending([...samples, ...joins], undefined, (sent) => progress.push(sent));

  const to = (queue: string) => calls.filter(({ input }) => input.QueueUrl === queue);
  expect(eventsOf(to('rooms'))).toEqual(joins);
  expect(eventsOf(to('samples'))).toEqual(samples);
  expect(calls.map((call) => entriesOf(call).length).toSorted()).toEqual([10, 10, 3, 5].toSorted());
  expect(progress.at(-1)).toBe(28);
});

it('sendEvents sends at most 256 KiB in one batch', async () => {
  const values = Array.from({ length: 4000 }, () => 123_456.5);
  const samples = Array.from({ length: 7 }, () => sampled('p1', '09:00', values));

  const calls = await sending(samples);

  expect(eventsOf(calls)).toEqual(samples);
  for (const call of calls) expect(bodiesOf([call]).join('').length).toBeLessThanOrEqual(262_144);
  expect(calls).toHaveLength(7);
});

it('sendEvents puts every event into the group of its organization', async () => {
  const ofOthers = { ...joined('p1', '09:00'), organizationId: 'others' };
  const events = [joined('p0', '09:00'), ofOthers, sampled('p1', '09:00', [1])];

  const entries = (await sending(events)).flatMap(entriesOf);

  const groups = entries.map(({ MessageBody, MessageGroupId }) => [
    JSON.parse(MessageBody).organizationId,
    MessageGroupId,
  ]);
  expect(groups).toHaveLength(3);
  for (const [organizationId, group] of groups) expect(group).toBe(organizationId);
});

it('sendEvents sends ASCII only', async () => {
  const event = joined('p1', '09:00', { displayName: '美咲 🎸\u007f' });

  const calls = await sending([event]);

  expect(bodiesOf(calls)[0]).toMatch(/^[\x20-\x7e]+$/);
  expect(eventsOf(calls)).toEqual([event]);
});

it('sendEvents retries only the rejected entries', async () => {
  const events = ['p0', 'p1', 'p2'].map((id) => joined(id, '09:00'));
  const rejectTwice: Answer = (_, call) => (call < 2 ? { Failed: [{ Id: '1', Message: 'busy' }] } : {});

  const calls = await sending(events, rejectTwice);

  expect(calls.map((call) => entriesOf(call).map(({ Id }) => Id))).toEqual([['0', '1', '2'], ['1'], ['1']]);
});

it('sendEvents throws if a queue keeps rejecting an event', async () => {
  const reject: Answer = () => ({ Failed: [{ Id: '0', Message: 'busy' }] });

  await expect(sending([joined('p1', '09:00')], reject)).rejects.toThrow('rooms refused 1 of the events: busy');
});
