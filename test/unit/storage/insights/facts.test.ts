import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import type { ClientSampled } from '#shared/contracts/network-samples.ts';
import type { SessionFact } from '#shared/contracts/session-events.ts';
import { limits } from '#shared/domain/session-limits.ts';
import { projectSession } from '#shared/domain/session-projection.ts';
import { InvalidRequest } from '#shared/errors.ts';
import { insightFacts, type KeptDays } from '#shared/storage/insights/facts.ts';
import {
  clientConnections,
  clientFacts,
  eventKey,
  sampleBlockKey,
  sampleBlocks,
  sessionFacts,
  sessionRetractions,
} from '#shared/storage/insights/keys.ts';
import { participantFacts } from '#shared/storage/insights/participant-facts.ts';
import { compareBytes } from '../../../support/byte-order.ts';
import { type Answer, answering } from '../../../support/fake-client.ts';
import { block } from '../../../support/network-samples.ts';
import {
  at,
  daily,
  ended,
  joined,
  later,
  left,
  rated,
  retracted,
  started,
  withId,
} from '../../../support/session-facts.ts';

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
/** An expiry of three months (90 days) from a fixed time. */
const threeMonths = { keptDays: 90, now: () => new Date('2026-06-01T00:00:00.500Z') };
const inThreeMonths = Date.parse('2026-08-30T00:00:00Z') / 1000;

/** The items that storing samples writes. */
async function itemsOf(event: ClientSampled, expiry?: KeptDays) {
  const { facts, calls } = fixture(undefined, expiry);
  await facts.keepSamples(event);
  return calls.map(({ input }) => input.Item as Record<string, unknown>);
}

describe('an event', () => {
  const join = joined('ann', '09:00', { userId: 'u-1' });

  test('is stored under its key unless the key exists', async () => {
    const { facts, calls } = fixture();
    await facts.keep(join);
    expect(calls).toEqual([
      {
        name: 'PutCommand',
        input: {
          TableName: 'facts',
          Item: { ...eventKey(join), ...join },
          ConditionExpression: 'attribute_not_exists(factKey)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
    ]);
  });

  test('expires after the retention, counted from when it is written', async () => {
    const { facts, calls } = fixture(undefined, threeMonths);
    await facts.keep(join);
    expect(calls[0]?.input.Item).toEqual({ ...eventKey(join), ...join, expiresAt: inThreeMonths });
  });

  test('that is stored already is returned as it is stored, and one that cannot be stored throws', async () => {
    const stored = { ...join, data: { ...join.data, deviceId: 'of another event with the same identity' } };
    const Item = marshall({ ...eventKey(stored), ...stored }, { removeUndefinedValues: true });
    const kept = () => {
      throw new ConditionalCheckFailedException({ message: 'kept', $metadata: {}, Item });
    };
    await expect(fixture(kept).facts.keep(join)).resolves.toEqual(stored);
    await expect(fixture(down).facts.keep(join)).rejects.toThrow('down');
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

describe('the stored events', () => {
  const rowOf = (event: Parameters<typeof eventKey>[0]) => ({ ...eventKey(event), ...event });

  test('of a session and its participants are read consistently, with one query each', async () => {
    const [start, join] = [started('08:59'), joined('ann', '09:00')];
    const { facts, calls } = fixture((_call, index) => ({ Items: [[rowOf(start)], [rowOf(join)], []][index] }));
    expect(await facts.factsOf(daily, ['ann', 'bob'])).toMatchObject({ facts: [start, join], large: [] });
    expect(ranges(calls)).toEqual(
      [sessionFacts, clientFacts('ann'), clientFacts('bob')].map((range) => [...range, true]),
    );
    for (const { input } of calls) {
      expect(input.ExpressionAttributeValues).toMatchObject({ ':owner': `acme#${daily.roomSessionId}` });
    }
  });

  test('include the joins of one participant, in order', async () => {
    const joins = [joined('ann', '09:00'), joined('ann', '09:20')];
    const rows = [joins[0], left('ann', '09:10'), joins[1]].filter((event) => event !== undefined).map(rowOf);
    const { facts, calls } = fixture(({ input }) => ({
      Items: String(Object(input.ExpressionAttributeValues)[':first']).startsWith('client') ? rows : [],
    }));
    expect(await facts.joinsOf(ann)).toEqual(joins);
    expect(ranges(calls)).toEqual([
      [...clientConnections('ann'), false],
      [...sessionRetractions, false],
    ]);
  });

  describe('of a participant with more than one page', () => {
    const times = (count: number) => Array.from({ length: count }, (_, index) => later('09:00', index * 1000));
    const pageSize = 2_000;

    /** Answers queries from these facts as DynamoDB does, at most 2 000 items at a time. */
    function stored(...events: readonly SessionFact[]) {
      const rows = events.map(rowOf).toSorted((one, other) => compareBytes(one.factKey, other.factKey));
      return fixture(({ input }) => {
        const { ':first': first, ':last': last } = input.ExpressionAttributeValues as Record<string, string>;
        const { factKey: after } = (input.ExclusiveStartKey ?? {}) as { readonly factKey?: string };
        const isBackward = input.ScanIndexForward === false;
        const left = (isBackward ? rows.toReversed() : rows)
          .filter(({ factKey }) => String(first) <= factKey && factKey <= String(last))
          .filter(({ factKey }) => after === undefined || (isBackward ? factKey < after : factKey > after));
        const Items = left.slice(0, Math.min(pageSize, Number(input.Limit ?? pageSize)));
        return { Items, ...(Items.length < left.length && { LastEvaluatedKey: { factKey: Items.at(-1)?.factKey } }) };
      });
    }

    test('are left out of a group, and read alone up to the limits', async () => {
      const joins = times(limits.connections + 500).map((time) => joined('ann', time));
      const ratings = times(limits.ratings + 50).map((time) => rated('ann', time, 3));
      const [join] = [joined('bob', '09:00')];
      const { facts, calls } = stored(...joins, ...ratings, join);
      expect(await facts.factsOf(daily, ['ann', 'bob'])).toEqual({ facts: [join], large: ['ann'], exceeded: [] });
      calls.splice(0);
      const { facts: read, exceeded } = await facts.factsOf(daily, ['ann']);
      expect(read).toEqual([...joins.slice(0, limits.connections), ...ratings.slice(0, limits.ratings)]);
      expect(exceeded.map(({ limit }) => limit)).toEqual(['connections', 'ratings']);
      expect(calls.map(({ input }) => input.Limit)).toEqual([undefined, undefined, 3_001, 1_001, 101]);
      expect(await facts.joinsOf(ann)).toEqual(joins.slice(0, limits.connections));
    });

    test('are complete if none of them is beyond a limit', async () => {
      const joins = times(limits.connections).map((time) => joined('ann', time));
      const ratings = times(limits.ratings).map((time) => rated('ann', time, 3));
      for (const events of [joins, [...joins.slice(0, 1_950), ...ratings], [...joins, ...ratings]])
        expect(await stored(...events).facts.factsOf(daily, ['ann'])).toEqual({
          ...{ facts: events, large: [], exceeded: [] },
        });
    });

    test.each([1_001, 2_500])(
      'of the session leave the right start and end if %i ends are taken back',
      async (count) => {
        const wrongStarts = times(count / 2).map((time) => withId('wrong start', started(time)));
        const wrongEnds = times(count).map((time) => withId('wrong end', ended(time)));
        const right = [started('12:00'), started('13:00'), ended('08:00'), ended('08:30')];
        const elsewhere = [started('08:40', { roomName: '/other' }), ended('14:00', { roomName: '/other' })];
        const taken = ['wrong start', 'wrong end'].map((id) => retracted({ id }));
        const { facts, calls } = stored(...wrongStarts, ...wrongEnds, ...right, ...elsewhere, ...taken);
        const { facts: read } = await facts.factsOf(daily, []);
        expect(projectSession(read)).toMatchObject({ observedStartAt: at('12:00'), endedAt: at('08:30') });
        if (count < pageSize) expect(calls).toHaveLength(1);
        else expect(read).toHaveLength(4);
        expect(await facts.countRetractions(daily, taken.slice(0, 1))).toEqual({ stored: 2, missing: 0 });
      },
    );
  });

  test('of another room are left out, and so is what no total needs', async () => {
    const join = joined('ann', '09:00', { userAgent: 'Firefox' });
    const own = [join, joined('ann', '09:01', { roomName: '/other' })];
    const ofSession = [retracted(join), ended('10:00', { roomName: '/other' })];
    const answer: Answer = ({ input }) => ({
      Items:
        (input.ExpressionAttributeValues as Record<string, string>)[':first'] === sessionFacts[0] ? ofSession : own,
    });
    const { facts } = await fixture(answer).facts.factsOf(daily, ['ann']);
    expect(facts).toEqual([{ type: 'fact.retracted', data: { eventId: join.id } }, joined('ann', '09:00')]);
  });

  test('of another shape throw when read', async () => {
    const { facts } = fixture(() => ({ Items: [{ ...rowOf(started('09:00')), type: 'room.session.paused' }] }));
    await expect(facts.factsOf(daily, [])).rejects.toThrow();
  });
});
