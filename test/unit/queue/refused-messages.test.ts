import { SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Refusal } from '#shared/contracts/message-ids.ts';
import { groupWorker } from '#shared/queue/worker.ts';
import { ServiceUnavailable, UnreadableMessage } from '#shared/runtime/errors.ts';
import { answering } from '../../support/client/fake-client.ts';
import { sqsEvent, sqsRecord } from '../../support/http/sqs-events.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';

const Message = z.object({ id: z.string(), organizationId: z.string(), outcome: z.string() });
const refusedByRule = new UnreadableMessage([{ path: 'outcome', message: 'must be good' }]);

let lines: () => readonly LogLine[];
beforeEach(() => {
  lines = captureLogLines().lines;
});

function fixture(recordRefusals: (refusals: readonly Refusal[]) => Promise<void>) {
  const { client: sqs } = answering(new SQSClient({ region: 'eu-west-1' }));
  const options = { name: 'fixture', schema: Message, queue: { sqs, url: 'url' }, factsOf: () => ({}), recordRefusals };
  const check = ({ outcome }: z.output<typeof Message>) => {
    if (outcome === 'far') throw refusedByRule;
  };
  return groupWorker({ ...options, check, orderOf: () => ({ group: 'one', lane: 'one' }) }, async (messages) => {
    if (messages.some(({ outcome }) => outcome === 'busy')) throw new ServiceUnavailable('busy');
    return new Map(messages.filter(({ outcome }) => outcome === 'closed').map((each) => [each, refusedByRule]));
  });
}

const message = (id: string, outcome: unknown, organizationId: unknown = 'acme') => ({ id, organizationId, outcome });

test('the refused messages of a batch are recorded together, with their reasons, whoever refused them', async () => {
  const recorded: Refusal[][] = [];
  const handler = fixture(async (refusals) => void recorded.push([...refusals]));
  const batch = sqsEvent(
    message('good', 'good'),
    message('unreadable', 7),
    message('far', 'far'),
    message('closed', 'closed'),
    message('nobody', 7, 'no organization'),
    'text',
  );

  const { batchItemFailures } = await handler(batch);

  expect(batchItemFailures).toHaveLength(5);
  expect(recorded).toHaveLength(1);
  const facts = { organizationId: 'acme', receives: 1, sentAt: expect.any(Date), messageId: expect.any(String) };
  expect(recorded[0]?.toSorted((one, other) => String(one.eventId).localeCompare(String(other.eventId)))).toEqual([
    { ...facts, eventId: 'closed', issues: refusedByRule.issues },
    { ...facts, eventId: 'far', issues: refusedByRule.issues },
    { ...facts, eventId: 'unreadable', issues: [{ path: 'outcome', message: 'must be a string' }] },
  ]);
});

test('a refused message that a turn sent back keeps the time when it came into the queue', async () => {
  const recorded: Refusal[] = [];
  const queuedAt = { stringValue: '1000', dataType: 'Number' } as const;
  const late = { ...sqsRecord(message('far', 'far'), { sentAt: new Date(9_000) }), messageAttributes: { queuedAt } };
  await fixture(async (refusals) => void recorded.push(...refusals))({ Records: [late] });
  expect(recorded).toMatchObject([{ sentAt: new Date(1_000) }]);
});

test('a message that failed for another reason is not refused', async () => {
  const recorded: (readonly Refusal[])[] = [];
  await fixture(async (refusals) => void recorded.push(refusals))(sqsEvent(message('busy', 'busy')));
  expect(recorded).toEqual([[]]);
});

test('the log line of an unreadable message has its ids', async () => {
  await fixture(async () => {})(sqsEvent({ ...message('evt-7', 7), type: 'room.imagined', comment: 'secret' }));
  const [line] = lines();
  expect(line?.facts).toMatchObject({ eventId: 'evt-7', type: 'room.imagined', organizationId: 'acme' });
  expect(JSON.stringify(lines())).not.toContain('secret');
});

test('messages are done although refusals cannot be recorded', async () => {
  const handler = fixture(() => Promise.reject(new Error('no table')));
  const { batchItemFailures } = await handler(sqsEvent(message('good', 'good'), message('bad', 7)));
  expect(batchItemFailures).toEqual([{ itemIdentifier: 'message-2' }]);
  expect(lines().map(({ facts }) => facts.message)).toContain('refused messages not listed');
});

test('an answer does not wait for refusals beyond the time of the function', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const started = Promise.withResolvers<void>();
  const handler = fixture(() => {
    started.resolve();
    return new Promise(() => {}); // the table never answers
  });
  const answered = vi.fn();
  const batch = sqsEvent(message('good', 'good'), message('bad', 7));
  void handler(batch, { getRemainingTimeInMillis: () => 10_000 }).then(answered);
  await started.promise;
  await vi.advanceTimersByTimeAsync(8_000);
  expect(answered).toHaveBeenCalledExactlyOnceWith({ batchItemFailures: [{ itemIdentifier: 'message-2' }] });
  expect(lines().map(({ facts }) => facts.message)).toContain('refused messages not listed');
});
