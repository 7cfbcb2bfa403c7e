import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { ClientSampled } from '#shared/contracts/insights/network-samples.ts';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import type { ClientSpoke } from '#shared/contracts/insights/speech.ts';
import { limits } from '#shared/domain/insights/session/session-limits.ts';
import { bytesOf } from '#shared/domain/insights/session/session-log.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { insightFacts, type KeptDays } from '#shared/storage/insights/facts.ts';
import { blockKey, blocksAfter, sampleBlockKey, sampleBlocks, speechBlockKey } from '#shared/storage/insights/keys.ts';
import { participantFacts } from '#shared/storage/insights/participant-facts.ts';
import { type Answer, answering } from '../../../support/client/fake-client.ts';
import { block } from '../../../support/insights/network-samples.ts';
import { storedItem } from '../../../support/insights/participant-table.ts';
import {
  at,
  daily,
  ended,
  eventsOf,
  joined,
  joinsOf,
  left,
  rated,
  retracted,
  started,
} from '../../../support/insights/session-facts.ts';

const ann = { ...daily, participantId: 'ann' };

function fixture(answer?: Answer, expiry?: KeptDays) {
  const { client, calls } = answering(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' })), answer);
  const facts = { ...insightFacts(client, 'facts', expiry), ...participantFacts(client, 'facts') };
  return { facts, calls };
}

/** The queried ranges, each with whether the read was consistent. */
const ranges = (calls: ReturnType<typeof fixture>['calls']) =>
  calls.map(({ input }) => {
    const { ':first': first, ':last': last } = input.ExpressionAttributeValues as Record<string, string>;
    return [first, last, input.ConsistentRead];
  });
const keptAlready = () => {
  throw new ConditionalCheckFailedException({ message: 'kept', $metadata: {} });
};
const down = () => {
  throw new Error('down');
};

const sampled = (count: number): ClientSampled => ({
  ...{ id: 'event-1', type: 'room.client.sampled', organizationId: daily.organizationId, createdAt: at('10:00') },
  data: {
    ...{ roomSessionId: daily.roomSessionId, participantId: 'ann' },
    ...block(
      '09:00',
      Array.from({ length: count }, (_, index) => (index % 7 === 0 ? null : index / 2)),
    ),
  },
});
const spoke = (...intervals: readonly (readonly [from: string, to: string])[]): ClientSpoke => ({
  ...{ id: 'event-2', type: 'room.client.spoke', organizationId: daily.organizationId, createdAt: at('10:00') },
  data: {
    ...{ roomSessionId: daily.roomSessionId, participantId: 'ann' },
    intervals: intervals.map(([from, to]) => ({ from: at(from), to: at(to) })),
  },
});
/** An expiry of three months (90 days) from a fixed time. */
const threeMonths = { keptDays: 90, now: () => new Date('2026-06-01T00:00:00.500Z') };
const inThreeMonths = Date.parse('2026-08-30T00:00:00Z') / 1000;

/** The items that storing samples writes. */
async function itemsOf(event: ClientSampled, expiry?: KeptDays) {
  const { facts, calls } = fixture(undefined, expiry);
  await facts.keepSamples(event);
  return calls.map(({ input }) => input.Item as Record<string, unknown>);
}

describe('a block of a log', () => {
  const facts = [started('08:59'), joined('ann', '09:00', { userId: 'u-1' }), retracted({ id: 'e-1' })];

  test('is stored under its number, unless the number is taken', async () => {
    const { facts: store, calls } = fixture();
    expect(await store.append(daily, 7, facts)).toEqual({ number: 7, facts, bytes: bytesOf(facts) });
    expect(calls).toEqual([
      {
        name: 'PutCommand',
        input: {
          TableName: 'facts',
          Item: { ...blockKey(daily, 7), bytes: bytesOf(facts), events: expect.any(Uint8Array) },
          ConditionExpression: 'attribute_not_exists(factKey)',
        },
      },
    ]);
    expect(await fixture(keptAlready).facts.append(daily, 7, facts)).toBeUndefined();
    await expect(fixture(down).facts.append(daily, 7, facts)).rejects.toThrow('down');
  });

  test('expires after the retention, counted from when it is written, and never without a retention', async () => {
    const itemWith = async (expiry?: KeptDays) => {
      const { facts: store, calls } = fixture(undefined, expiry);
      await store.append(daily, 1, facts);
      return calls[0]?.input.Item;
    };
    expect(await itemWith(threeMonths)).toMatchObject({ expiresAt: inThreeMonths });
    expect(await itemWith()).not.toHaveProperty('expiresAt');
  });

  test('takes about a tenth of a kilobyte for each event among others', async () => {
    const { facts: store, calls } = fixture();
    await store.append(daily, 1, joinsOf('ann', 50));
    expect((Object(calls[0]?.input.Item).events as Uint8Array).length).toBeLessThan(50 * 100);
  });
});

describe('a log', () => {
  const blocks: readonly (readonly SessionFact[])[] = [
    [started('08:59'), joined('ann', '09:00')],
    [left('ann', '09:10')],
    [rated('ann', '09:11', 5)],
  ];

  /** A table with these blocks, of which a query returns one at a time. */
  async function stored(some: typeof blocks = blocks) {
    const writer = fixture();
    for (const [index, facts] of some.entries()) await writer.facts.append(daily, index + 1, facts);
    const items = writer.calls.map(({ input }) => storedItem(input.Item as Record<string, unknown>));
    return fixture((_call, page) => ({
      Items: items.slice(page, page + 1),
      ...(page < items.length - 1 && { LastEvaluatedKey: { page } }),
    }));
  }

  test('is read with consistent queries, in the order of its blocks, over several pages', async () => {
    const { facts, calls } = await stored();
    const read = await facts.readBlocks(daily, 0);
    expect(read).toEqual(blocks.map((facts, index) => ({ number: index + 1, facts, bytes: bytesOf(facts) })));
    expect(ranges(calls)).toEqual(Array(3).fill([...blocksAfter(0), true]));
    for (const { input } of calls)
      expect(input.ExpressionAttributeValues).toMatchObject({ ':owner': `acme#${daily.roomSessionId}` });
  });

  test('is read on after a block', async () => {
    const { facts, calls } = fixture();
    expect(await facts.readBlocks(daily, 12)).toEqual([]);
    expect(ranges(calls)).toEqual([[...blocksAfter(12), true]]);
  });

  test('with a block of another shape throws when read', async () => {
    for (const item of [{ bytes: 1 }, { bytes: 1, events: 'text' }, { events: new Uint8Array() }]) {
      const { facts } = fixture(() => ({ Items: [{ ...blockKey(daily, 1), ...item }] }));
      await expect(facts.readBlocks(daily, 0)).rejects.toThrow();
    }
  });

  test('has the connections of one participant in the order of joining, with the events that were not taken back', async () => {
    const [first, second] = [joined('ann', '09:20'), joined('ann', '09:00')];
    const wrong = joined('ann', '09:10');
    const rating = rated('ann', '09:30', 4);
    const { facts, calls } = await stored([
      [first, joined('bob', '09:01')],
      [second, left('ann', '09:05'), wrong],
      [retracted(wrong), ended('10:00')],
      [rating, first],
    ]);
    expect(await facts.connectionsOf(ann)).toEqual([
      { joined: second, events: eventsOf({ joined: '09:00', left: '09:05' }) },
      { joined: first, events: eventsOf({ joined: '09:20', rated: '09:30' }) },
    ]);
    expect(ranges(calls)).toEqual(Array(4).fill([...blocksAfter(0), false]));
  });

  test('has as many connections of a participant as count', async () => {
    const joins = joinsOf('ann', limits.connections + 3);
    const { facts } = await stored([joins.slice(2500), joins.slice(0, 2500)]);
    const connections = await facts.connectionsOf(ann);
    expect(connections.map((connection) => connection.joined)).toEqual(joins.slice(0, limits.connections));
  });
});

describe('samples', () => {
  test('are stored once, in blocks with their own times', async () => {
    const event = sampled(4000);
    const items = await itemsOf(event);
    const keys = ['09:00', '10:00', '11:00'].map((time) => sampleBlockKey(daily, 'ann', at(time), event.id));
    expect(items).toEqual(keys.map((key) => expect.objectContaining({ ...key, sampleRateMs: 2000 })));
    await expect(fixture(keptAlready).facts.keepSamples(event)).resolves.toBeUndefined();
    await expect(fixture(down).facts.keepSamples(event)).rejects.toThrow('down');
  });

  test('expire after the retention in every block, and never without a retention', async () => {
    const items = await itemsOf(sampled(4000), threeMonths);
    expect(items.map(({ expiresAt }) => expiresAt)).toEqual([inThreeMonths, inThreeMonths, inThreeMonths]);
    for (const item of await itemsOf(sampled(4000))) expect(item).not.toHaveProperty('expiresAt');
  });

  test('of one minute take one write unit', async () => {
    const minute = sampled(30);
    const noise = (index: number) => 2_000_000 + ((index * 7919) % 997) * 911; // seven digits, no two alike
    const values = (offset: number) => Array.from({ length: 30 }, (_, index) => noise(index + offset));
    const bitrates = { bitrateSend: values(0), bitrateRecv: values(100) };
    const [item] = await itemsOf({ ...minute, data: { ...minute.data, ...bitrates } }, threeMonths);
    const bytes = Object.entries(item ?? {}).map(([name, value]) => {
      const content = value instanceof Uint8Array ? value.length : Buffer.byteLength(String(value));
      return name.length + content;
    });
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(1024);
  });

  test('are read back unchanged over several pages', async () => {
    const event = sampled(4000);
    const items = await itemsOf(event);
    const { facts } = fixture((_call, page) => ({
      Items: items.slice(page, page + 1),
      ...(page < items.length - 1 && { LastEvaluatedKey: { page } }),
    }));
    const blocks = await facts.samplesOf(ann, {});
    expect(blocks.flatMap(({ bitrateSend }) => bitrateSend)).toEqual(event.data.bitrateSend);
    expect(blocks.map(({ startedAt }) => startedAt)).toEqual([at('09:00'), at('10:00'), at('11:00')]);
  });

  test.each([
    [{}, undefined, undefined],
    [{ from: at('10:00') }, at('09:00'), undefined],
    [{ to: at('11:00') }, undefined, at('11:00')],
    [{ from: at('10:00'), to: at('11:00') }, at('09:00'), at('11:00')],
  ])('of %j are read from one hour before, because a block may extend into the range', async (range, from, to) => {
    const { facts, calls } = fixture();
    await facts.samplesOf(ann, range);
    expect(ranges(calls)).toEqual([[...sampleBlocks('ann', from, to), false]]);
  });

  test('that exceed the limit of an answer are not read to the end', async () => {
    const [item] = await itemsOf(sampled(1800));
    const { facts, calls } = fixture(() => ({ Items: Array(100).fill(item), LastEvaluatedKey: {} }));
    await expect(facts.samplesOf(ann, {})).rejects.toThrow(InvalidRequest);
    expect(calls.length).toBeLessThan(10);
  });
});

describe('speech', () => {
  const long = spoke(['10:30', '10:40'], ['09:00', '10:10']);

  test('is stored once, in blocks with their own times', async () => {
    const { facts, calls } = fixture();
    await facts.keepSpeech(long);
    const keys = ['09:00', '10:00'].map((time) => speechBlockKey(daily, at(time), 'ann', long.id));
    expect(calls.map(({ input }) => input)).toEqual(
      keys.map((key) => ({
        TableName: 'facts',
        Item: { ...key, participantId: 'ann', startedAt: expect.any(String), spans: expect.any(Uint8Array) },
        ConditionExpression: 'attribute_not_exists(factKey)',
      })),
    );
    await expect(fixture(keptAlready).facts.keepSpeech(long)).resolves.toBeUndefined();
    await expect(fixture(down).facts.keepSpeech(long)).rejects.toThrow('down');
  });

  test('expires after the retention in every block, and never without a retention', async () => {
    const expiryWith = async (expiry?: KeptDays) => {
      const { facts, calls } = fixture(undefined, expiry);
      await facts.keepSpeech(long);
      return calls.map(({ input }) => Object(input.Item).expiresAt);
    };
    expect(await expiryWith(threeMonths)).toEqual([inThreeMonths, inThreeMonths]);
    expect(await expiryWith()).toEqual([undefined, undefined]);
  });
});
