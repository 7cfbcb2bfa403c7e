import { DeleteMessageCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { reasonOf } from '#operations/dead-letter-reasons.ts';
import type { Refusal } from '#shared/contracts/message-ids.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { ListRefusedEvents } from '#shared/contracts/platforms/refused-events.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { refusedEventLister, refusedEventLog, refusedReasons } from '#shared/storage/platforms/refused-events.ts';
import { cancelled } from '../faults/support/dynamodb-faults.ts';
import { roomscribeOf } from '../support/client/typed-client.ts';
import { eventually } from '../support/eventually.ts';
import { dynamodb, endpoints, organization, sqs } from '../support/machine.ts';
import { finishRecording } from '../support/media/recordings.ts';
import { capacityMeter } from '../support/storage/capacity-meter.ts';
import { noticesOf } from '../support/webhooks/stored-notices.ts';

const documents = DynamoDBDocumentClient.from(dynamodb);
const { refusedEvents = '', rateLimits = '', notices = '' } = endpoints.tables;
const tables = { refusedEvents, rateLimits, notices };
const newOrganization = () => OrganizationId.parse(organization());
const dayMs = 24 * 60 * 60 * 1000;

const limits = { perHour: 10, perHourOfStage: 20, perBatch: 20 };

/** A moment in two hours that no other test uses, because all tests share the count of the stage. */
let hours = 0;
const newHour = () => {
  hours += 2;
  return Date.parse('2026-03-01T10:30:00Z') + hours * 3_600_000;
};

const refusal = (organizationId: OrganizationId, index: number, sentAt: number): Refusal => ({
  organizationId,
  messageId: `message-${index}`,
  eventId: `event-${index}`,
  sentAt: new Date(sentAt + index),
  receives: 1,
  issues: [{ path: 'data', message: 'is required' }],
});
const refusals = (organizationId: OrganizationId, count: number, sentAt: number) =>
  Array.from({ length: count }, (_, index) => refusal(organizationId, index, sentAt));
const logAt = (now: number, through: Pick<DynamoDBDocumentClient, 'send'> = documents) =>
  refusedEventLog(through, tables, { now: () => now, limits });

async function listed(organizationId: OrganizationId, now: number, query: Readonly<Record<string, string>> = {}) {
  const list = refusedEventLister(documents, tables.refusedEvents, () => now);
  return list(organizationId, ListRefusedEvents.parse(query));
}

async function all(organizationId: OrganizationId, now: number) {
  const pages = [await listed(organizationId, now, { limit: '100' })];
  for (let cursor = pages[0]?.cursor; cursor; cursor = pages.at(-1)?.cursor)
    pages.push(await listed(organizationId, now, { limit: '100', cursor }));
  return pages.flatMap(({ results }) => results);
}

/** Takes the dead letter of room events that contains a text. Others are visible again after a second. */
async function takeDeadLetter(text: string): Promise<Message> {
  const QueueUrl = endpoints.queues.roomEventsDlq;
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 1,
      WaitTimeSeconds: 1,
      MessageSystemAttributeNames: ['SentTimestamp'],
    }),
  );
  const found = Messages.find(({ Body = '' }) => Body.includes(text));
  if (!found) throw new Error('The event is no dead letter yet.');
  await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: found.ReceiptHandle }));
  return found;
}

describe('refused events', () => {
  test('are listed the latest first, page by page, and only to their organization', async () => {
    const [one, other, now] = [newOrganization(), newOrganization(), newHour()];
    await logAt(now)([...refusals(one, 3, now), ...refusals(other, 1, now)]);
    const first = await listed(one, now, { limit: '2' });
    const last = await listed(one, now, { limit: '2', cursor: first.cursor ?? '' });
    expect([first, last].map(({ results }) => results.map(({ eventId }) => eventId))).toEqual([
      ['event-2', 'event-1'],
      ['event-0'],
    ]);
    expect(last.cursor).toBeNull();
    expect(first.results[0]).toEqual({
      ...{ eventId: 'event-2', type: null, roomSessionId: null, recordingId: null },
      receivedAt: new Date(now + 2).toISOString(),
      reasons: [{ path: 'data', message: 'is required' }],
      limitReached: false,
    });
    await expect(listed(other, now, { cursor: 'x' })).rejects.toThrow('The request is not valid');
  });

  test('are listed for 14 days after they were received', async () => {
    const [id, now] = [newOrganization(), newHour()];
    await logAt(now)([refusal(id, 0, now)]);
    expect((await listed(id, now + 14 * dayMs)).results).toHaveLength(1);
    expect((await listed(id, now + 14 * dayMs + 1)).results).toEqual([]);
  });

  test('are listed and counted once, however often their messages are received, and by however many workers', async () => {
    const [id, now] = [newOrganization(), newHour()];
    const events = refusals(id, 6, now);
    for (let receive = 0; receive < 4; receive += 1) await logAt(now)(events);
    await Promise.all([logAt(now)(events), logAt(now)(events)]);
    await logAt(now)(refusals(id, 8, now + 1000));
    expect(await all(id, now + 2000)).toHaveLength(10);
  });

  test('are limited for an organization in an hour, and the last one says so', async () => {
    const [id, other, now] = [newOrganization(), newOrganization(), newHour()];
    const record = logAt(now);
    for (const batch of chunk(refusals(id, 25, now), 4)) await record(batch);
    await record(refusals(other, 1, now));
    const events = await all(id, now + 1000);
    expect(events).toHaveLength(10);
    expect(events.filter(({ limitReached }) => limitReached)).toHaveLength(1);
    expect(await all(other, now + 1000)).toMatchObject([{ limitReached: false }]);
    await logAt(now + 3_600_000)(refusals(id, 1, now + 3_600_000));
    expect(await all(id, now + 3_600_001)).toHaveLength(11);
  });

  test('of concurrent workers are never more than the limit', async () => {
    const [id, now] = [newOrganization(), newHour()];
    await Promise.all(chunk(refusals(id, 24, now), 4).map((batch) => logAt(now)(batch)));
    expect((await all(id, now + 1000)).length).toBeLessThanOrEqual(10);
  });

  test('that were listed before take no place of new ones', async () => {
    const [id, now] = [newOrganization(), newHour()];
    const before = refusals(id, 6, now);
    await logAt(now)(before);
    const again = before.map((each) => ({ ...each, receives: 2 }));
    await logAt(now)([...again, ...refusals(id, 4, now + 1000)]);
    expect(await all(id, now + 2000)).toHaveLength(10);
  });

  test('whose worker holds what is left for a moment keep no other worker from listing', async () => {
    const [id, now] = [newOrganization(), newHour()];
    const before = refusals(id, 10, now).slice(0, 9);
    await logAt(now)(before);
    const record = logAt(now);
    let met = false;
    const meeting = async (command: Parameters<typeof documents.send>[0]) => {
      if (command instanceof PutCommand && !met) {
        met = true;
        await record(refusals(id, 1, now + 1000)); // while the other worker holds the last place
      }
      return documents.send(command);
    };
    await logAt(now, { send: meeting as typeof documents.send })(before.slice(0, 1));
    expect(met).toBe(true);
    await record(refusals(id, 1, now + 1000));
    expect(await all(id, now + 2000)).toHaveLength(10);
  });

  test('that cannot be written leave their places to others', async () => {
    const [id, now] = [newOrganization(), newHour()];
    const failing = async (command: Parameters<typeof documents.send>[0]) => {
      if (command instanceof PutCommand && command.input.Item?.eventId === 'event-0') throw new Error('throttled');
      return documents.send(command);
    };
    const record = logAt(now, { send: failing as typeof documents.send });
    for (let receive = 0; receive < 6; receive += 1)
      await expect(record(refusals(id, 2, now))).rejects.toThrow('throttled');
    await logAt(now)(refusals(id, 9, now + 1000));
    expect(await all(id, now + 2000)).toHaveLength(10);
  });

  test('of recordings are told with them, once, within the same limits, and others are not', async () => {
    const [id, now] = [newOrganization(), newHour()];
    const types = ['recording.finished', 'recording.track.finished', 'room.session.ended', undefined];
    const some = types.map((type, index) => ({ ...refusal(id, index, now), ...(type && { type }) }));
    for (const record of [logAt(now), logAt(now), logAt(now + 60_000)]) await record(some);
    const told = await noticesOf(notices, id);
    expect(told.map(({ type, data }) => [type, data])).toEqual(
      expect.arrayContaining(
        ['event-0', 'event-1'].map((eventId) => [
          'recording.refused',
          { revision: 1, recordingId: null, roomSessionId: null, eventId, state: 'refused' },
        ]),
      ),
    );
    expect(told).toHaveLength(2);
    await logAt(now)(refusals(id, 9, now + 1000).map((each) => ({ ...each, type: 'recording.finished' })));
    expect(await noticesOf(notices, id)).toHaveLength(2 + 6);
  });

  test('of recordings are told once if workers store them at once, and in a conflict', async () => {
    const [id, now] = [newOrganization(), newHour()];
    let conflicts = 2;
    const conflicting = async (command: Parameters<typeof documents.send>[0]) => {
      if (command instanceof TransactWriteCommand && conflicts-- > 0) throw cancelled('TransactionConflict', 'None');
      return documents.send(command);
    };
    const some = [{ ...refusal(id, 0, now), type: 'recording.finished' }];
    const through = { send: conflicting as typeof documents.send };
    await Promise.all([logAt(now, through)(some), logAt(now)(some), logAt(now)(some)]);
    expect([await all(id, now), await noticesOf(notices, id)]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  test('of many organizations share what a batch and the stage may write', async () => {
    const [loud, now] = [newOrganization(), newHour()];
    const quiet = Array.from({ length: 4 }, newOrganization);
    await logAt(now)([...refusals(loud, 50, now), ...quiet.map((id) => refusal(id, 0, now))]);
    expect(await all(loud, now + 1000)).toHaveLength(4); // a fifth of a batch
    for (const id of quiet) expect(await all(id, now)).toHaveLength(1);
    const many = Array.from({ length: 20 }, newOrganization);
    await logAt(now)(many.map((id) => refusal(id, 0, now)));
    const listedOfMany = await Promise.all(many.map((id) => all(id, now)));
    expect(listedOfMany.flat()).toHaveLength(20 - 8);
  });

  test('that only a rule refuses have their reason in the list, and as dead letters', { timeout: 60_000 }, async () => {
    const id = newOrganization();
    const location = { bucket: String(endpoints.buckets.transcripts), key: 'a.wav' };
    const { recordingId } = await finishRecording(id, { location });
    const message = await eventually(() => takeDeadLetter(recordingId), 40_000);
    const deployment = { sqs, queues: {}, refusedReasons: refusedReasons(documents, tables.refusedEvents) };
    const [listedEvent] = await roomscribeOf(id).events.listRefused().toArray();
    expect(listedEvent).toMatchObject({
      recordingId,
      reasons: [{ path: 'data.location.bucket', message: 'must not be that of transcripts' }],
    });
    expect(await reasonOf(deployment, 'roomEvents', message)).toBe(
      'data.location.bucket must not be that of transcripts',
    );
    expect(await reasonOf({ ...deployment, refusedReasons: undefined }, 'roomEvents', message)).toContain('in the log');
    expect(await reasonOf(deployment, 'bulkDelete', message)).toBeUndefined();
  });

  test('cost nothing beyond the limit, except one count a minute', async () => {
    const [id, now] = [newOrganization(), newHour()];
    const { documents: measured, measure } = capacityMeter({
      region: endpoints.region,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      endpoint: endpoints.dynamodbUrl,
    });
    const record = logAt(now, measured);
    await record(refusals(id, 10, now));
    await record(refusals(id, 1, now + 1000)); // learns that the hour is full
    expect((await measure(() => record(refusals(id, 20, now + 2000)))).calls).toBe(0);
  });
});
