import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { ClientSpoke } from '#shared/contracts/insights/speech.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { speechBlocks } from '#shared/storage/insights/keys.ts';
import { sessionSpeech, speechReader } from '#shared/storage/insights/session-speech.ts';
import { type Answer, answering } from '../../../support/client/fake-client.ts';
import { storedItem } from '../../../support/insights/participant-table.ts';
import { at, daily } from '../../../support/insights/session-facts.ts';

type Interval = readonly [from: string, to: string];

function fixture(answer?: Answer, most?: Parameters<typeof sessionSpeech>[2]) {
  const { client, calls } = answering(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' })), answer);
  return { facts: insightFacts(client, 'facts'), speech: sessionSpeech(client, 'facts', most), calls };
}

/** The items of the speech of these participants. */
async function itemsOf(all: readonly (readonly [participantId: string, ...intervals: Interval[]])[]) {
  const { facts, calls } = fixture();
  for (const [index, [participantId, ...intervals]] of all.entries()) {
    const event: ClientSpoke = {
      ...{ id: `event-${index}`, type: 'room.client.spoke', createdAt: at('12:00') },
      organizationId: daily.organizationId,
      data: {
        ...{ roomSessionId: daily.roomSessionId, participantId },
        intervals: intervals.map(([from, to]) => ({ from: at(from), to: at(to) })),
      },
    };
    await facts.keepSpeech(event);
  }
  return calls.map(({ input }) => storedItem(input.Item as Record<string, unknown>));
}

/** Answers one item a page. */
const paged =
  (items: readonly unknown[]): Answer =>
  (_call, page) => ({
    Items: items.slice(page, page + 1),
    ...(page < items.length - 1 && { LastEvaluatedKey: { page } }),
  });

const ms = (time: string) => Date.parse(at(time));
const range = { from: ms('09:30'), to: ms('10:00') };

test('the speech of a session is read consistently, over several pages', async () => {
  const items = await itemsOf([
    ['ann', ['09:00', '09:10'], ['09:20', '10:05']],
    ['bob', ['09:01', '09:02']],
  ]);
  const { speech, calls } = fixture(paged(items));
  expect(await speech.spansOf(daily)).toEqual([
    { participantId: 'ann', from: ms('09:00'), to: ms('09:10') },
    { participantId: 'ann', from: ms('09:20'), to: ms('10:00') },
    { participantId: 'ann', from: ms('10:00'), to: ms('10:05') },
    { participantId: 'bob', from: ms('09:01'), to: ms('09:02') },
  ]);
  expect(calls).toHaveLength(3);
  const [first, last] = speechBlocks();
  for (const { input } of calls)
    expect(input).toMatchObject({
      ExpressionAttributeValues: { ':owner': `acme#${daily.roomSessionId}`, ':first': first, ':last': last },
      ConsistentRead: true,
    });
});

test('a range is read from an hour before it, because a block may extend into it', async () => {
  const { speech, calls } = fixture(() => ({ Items: [] }));
  expect(await speech.spansOf(daily, range)).toEqual([]);
  const [first, last] = speechBlocks(at('08:30'), at('10:00'));
  expect(calls.map(({ input }) => input.ExpressionAttributeValues)).toEqual([
    expect.objectContaining({ ':first': first, ':last': last }),
  ]);
});

test('of a range, only what was spoken within it is returned, with whole spans', async () => {
  const items = await itemsOf([['ann', ['09:00', '09:30'], ['09:35', '09:36'], ['09:59', '10:20']]]);
  const { speech } = fixture(() => ({ Items: items.slice(0, 1) }));
  expect(await speech.spansOf(daily, range)).toEqual([
    { participantId: 'ann', from: ms('09:35'), to: ms('09:36') },
    { participantId: 'ann', from: ms('09:59'), to: ms('10:00') },
  ]);
});

test('more than one read takes gives nothing, and never a part', async () => {
  const items = await itemsOf([
    ['ann', ['09:00', '09:01']],
    ['bob', ['09:01', '09:02']],
    ['eve', ['09:02', '09:03']],
  ]);
  const read = (most: { pages: number; spans: number }) => fixture(paged(items), most).speech.spansOf(daily);
  expect(await read({ pages: 3, spans: 3 })).toHaveLength(3);
  expect(await read({ pages: 2, spans: 3 })).toBeUndefined();
  expect(await read({ pages: 3, spans: 2 })).toBeUndefined();
});

test('a recording has the speech of its time and of a minute before and after, in seconds on its clock', async () => {
  const items = await itemsOf([
    ['ann', ['09:58:00', '09:58:59'], ['09:58:30', '09:59:10.250'], ['10:05:00', '10:05:30']],
    ['bob', ['10:02:00.500', '10:02:01'], ['10:11:00', '10:11:30'], ['10:11:01', '10:12:00']],
  ]);
  const { client, calls } = answering(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' })), () => ({
    Items: items,
  }));
  const spans = await speechReader(client, 'facts').speechOf(daily, at('10:00:00.000'), 600);
  expect(spans).toEqual([
    { participantId: 'ann', from: -120, to: -49.75 },
    { participantId: 'ann', from: 300, to: 330 },
    { participantId: 'bob', from: 120.5, to: 121 },
  ]);
  const [first, last] = speechBlocks(at('08:59'), at('10:11'));
  expect(calls.map(({ input }) => input.ExpressionAttributeValues)).toEqual([
    expect.objectContaining({ ':first': first, ':last': last }),
  ]);
});

test('a recording with more speech than one read takes has none', async () => {
  const items = await itemsOf([['ann', ['09:00', '09:01'], ['09:02', '09:03']]]);
  const { client } = answering(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' })), () => ({
    Items: items,
  }));
  const speechOf = (spans: number) =>
    speechReader(client, 'facts', { pages: 1, spans }).speechOf(daily, at('09:00'), 600);
  expect(await speechOf(2)).toHaveLength(2);
  expect(await speechOf(1)).toEqual([]);
});

test('a block of another shape throws when read', async () => {
  for (const item of [{}, { participantId: 'ann', startedAt: at('09:00'), spans: 'text' }]) {
    const { speech } = fixture(() => ({ Items: [item] }));
    await expect(speech.spansOf(daily)).rejects.toThrow();
  }
});
