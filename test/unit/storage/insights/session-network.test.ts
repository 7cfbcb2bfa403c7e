import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { ClientSampled } from '#shared/contracts/insights/network-samples.ts';
import { type GetSessionNetwork, mostMinutes, type SessionMinute } from '#shared/contracts/insights/session-network.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { attributeNames, minuteSums, samplesByTime } from '#shared/runtime/names.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { type ReadLimits, sessionNetworkReader } from '#shared/storage/insights/session-network.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { networkOf } from '#tools/simulation/recount-network.ts';
import { answering } from '../../../support/client/fake-client.ts';
import { seriesOf, type Values } from '../../../support/insights/network-samples.ts';
import { daily } from '../../../support/insights/session-facts.ts';

const organizationId = OrganizationId.parse(daily.organizationId);
const { roomSessionId } = daily;
const nine = Date.parse('2026-03-02T09:00:00.000Z');
const at = (seconds: number) => new Date(nine + seconds * 1000).toISOString();
const minuteMs = 60_000;

let lastId = 0;
function sampled(participantId: string, second: number, values: Values, sampleRateMs = 2000): ClientSampled {
  lastId += 1;
  return {
    ...{ id: `event-${lastId}`, type: 'room.client.sampled', organizationId, createdAt: at(second) },
    data: { roomSessionId, participantId, startedAt: at(second), sampleRateMs, ...seriesOf(values) },
  };
}

type Item = Readonly<Record<string, unknown>>;

/** The items of events, as the worker stores them. */
async function itemsOf(events: readonly ClientSampled[]): Promise<Item[]> {
  const { client, calls } = answering(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' })));
  for (const event of events) await insightFacts(client, 'facts').keepSamples(event);
  return calls.map(({ input }) => input.Item as Item);
}

/** The index of these items, which returns so many in a page of a query. */
function indexOf(items: readonly Item[], pageSize: number) {
  const sorted = items.toSorted((one, other) => (String(one.spanKey) < String(other.spanKey) ? -1 : 1));
  const queries: QueryCommandInput[] = [];
  const send = async ({ input }: { readonly input: QueryCommandInput }) => {
    queries.push(input);
    const { ':first': first, ':last': last } = input.ExpressionAttributeValues as unknown as Record<string, string>;
    const found = sorted.filter(({ spanKey }) => String(spanKey) >= `${first}` && String(spanKey) <= `${last}`);
    const begin = found.findIndex(({ factKey }) => factKey === Object(input.ExclusiveStartKey).factKey) + 1;
    const shown = found.slice(begin, begin + pageSize);
    const next = begin + pageSize < found.length && { LastEvaluatedKey: shown.at(-1) };
    return {
      Items: shown.map(({ factKey, spanKey, [minuteSums]: sums }) => ({ factKey, spanKey, [minuteSums]: sums })),
      ...next,
    };
  };
  return { documents: { send } as unknown as Pick<DynamoDBDocumentClient, 'send'>, queries };
}

type Reading = { readonly pageSize?: number; readonly limits?: ReadLimits };

function readerOf(items: readonly Item[], { pageSize = 1000, limits }: Reading = {}) {
  const { documents, queries } = indexOf(items, pageSize);
  const read = sessionNetworkReader(documents, 'facts', limits);
  const page = (query: Partial<GetSessionNetwork> = {}) => read(organizationId, { roomSessionId, ...query });
  const pages = async (query: Partial<GetSessionNetwork> = {}) => {
    const all: (readonly SessionMinute[])[] = [];
    let cursor: string | null | undefined;
    do {
      const next = await page({ ...query, ...(cursor && { cursor }) });
      all.push(next.results);
      cursor = next.cursor;
    } while (cursor !== null);
    return all;
  };
  return { page, pages, queries };
}

const unlimited = Number.MAX_SAFE_INTEGER;

describe('the minutes of a session', () => {
  test.each([1, 2, 3])('are those of a recount, on pages of any size (round %i)', async (round) => {
    const random = createRandom('session network', round);
    const events = Array.from({ length: 40 }, () => {
      const values = Array.from({ length: random.integer(1, 80) }, () =>
        random.chance(0.1) ? null : random.integer(0, 9_999) / 1000,
      );
      return sampled(
        random.pick(['ada', 'ben', 'eve']),
        random.integer(0, 5000),
        values,
        random.pick([100, 2000, 30_000, 3_600_000]),
      );
    });
    const items = await itemsOf(random.shuffled(events));
    const expected = networkOf(events);
    expect(expected.length).toBeGreaterThan(60);
    for (const pageSize of [2, 7, 1000]) {
      for (const usual of [0, 50, 500, unlimited]) {
        const pages = await readerOf(items, { pageSize, limits: { usual, most: unlimited } }).pages();
        expect(pages.flat()).toEqual(expected);
        if (usual === 0 && pageSize === 2) expect(pages.length).toBeGreaterThan(10);
        if (usual === unlimited) expect(pages).toHaveLength(Math.ceil(expected.length / mostMinutes));
      }
    }
    const [from, to] = [at(1801), at(3599)];
    const inRange = expected.filter(({ minute }) => minute >= from && minute < to);
    expect(
      (await readerOf(items, { pageSize: 5, limits: { usual: 20, most: unlimited } }).pages({ from, to })).flat(),
    ).toEqual(inRange);
  });

  test('are at most 1 440 on a page', async () => {
    const samples = Array.from({ length: 1500 }, () => 1);
    const items = await itemsOf([
      sampled('ada', 0, samples.slice(0, 1440), minuteMs),
      sampled('ada', 1440 * 60, samples.slice(1440), minuteMs),
    ]);
    const pages = await readerOf(items).pages();
    expect(pages.map((page) => page.length)).toEqual([1440, 60]);
    expect(pages.flat().map(({ minute }) => Date.parse(minute))).toEqual(
      samples.map((_, index) => nine + index * minuteMs),
    );
  });

  test('are empty without a query if no minute begins in the range', async () => {
    const { page, queries } = readerOf([]);
    expect(await page({ from: at(10), to: at(50) })).toEqual({ results: [], cursor: null });
    expect(queries).toEqual([]);
  });

  test('are refused if there is more for the first one than an answer can be made from', async () => {
    const items = await itemsOf(Array.from({ length: 30 }, (_, index) => sampled(`p${index}`, 0, [1])));
    const read = (most: number) => readerOf(items, { pageSize: 10, limits: { usual: 10, most } }).page({ from: at(0) });
    const refusal = read(40);
    await expect(refusal).rejects.toThrow(InvalidRequest);
    await expect(refusal).rejects.toMatchObject({ issues: [{ path: 'from' }] });
    expect((await read(100)).results).toMatchObject([{ participants: 30 }]);
  });
});

/** A session of so many people, each with one block that begins at the same time. The index returns about 1 MB in a page. */
function crowd(span: string, { people, minutes }: { readonly people: number; readonly minutes: number }) {
  const sums = JSON.stringify(Array.from({ length: minutes }, () => [1, 2, 1, 2, 1, 2, 1, 2, 1]));
  const rowOf = (index: number) => ({
    ...{ factKey: `samples\0p-${index}\0${at(30)}\0event`, spanKey: `${span}\0${at(30)}`, [minuteSums]: sums },
  });
  const pageSize = minutes > 10 ? 340 : 3000;
  const calls = { count: 0 };
  const send = async ({ input }: { readonly input: QueryCommandInput }) => {
    calls.count += 1;
    if (!String(input.ExpressionAttributeValues?.[':first']).startsWith(span)) return { Items: [] };
    const first = Number(input.ExclusiveStartKey?.position ?? 0);
    const end = Math.min(first + pageSize, people);
    const Items = Array.from({ length: end - first }, (_, index) => rowOf(first + index));
    return { Items, ...(end < people && { LastEvaluatedKey: { position: end } }) };
  };
  const documents = { send } as unknown as Pick<DynamoDBDocumentClient, 'send'>;
  const read = () => sessionNetworkReader(documents, 'facts')(organizationId, { roomSessionId, from: at(0) });
  return { calls, read };
}

describe('the usual limits', () => {
  test.each([
    ['of a minute', '1m', { people: 50_000, minutes: 2 }],
    ['of an hour', '1h', { people: 2_500, minutes: 61 }],
  ])('have room for the blocks %s of a large crowd', async (_, span, blocks) => {
    const { results } = await crowd(span, blocks).read();
    expect(results[0]).toMatchObject({ minute: at(0), participants: blocks.people });
  });

  test.each([
    ['of a minute', '1m', 2],
    ['of an hour', '1h', 61],
  ])('end a request for too many blocks %s after 25 queries', async (_, span, minutes) => {
    const { calls, read } = crowd(span, { people: Number.POSITIVE_INFINITY, minutes });
    await expect(read()).rejects.toThrow(InvalidRequest);
    expect(calls.count).toBeLessThanOrEqual(25);
  });
});

describe('a call', () => {
  test('reads each span of blocks from as much earlier as they can reach into the range', async () => {
    const { page, queries } = readerOf([]);
    await page({ from: at(0), to: at(600) });
    expect(queries.map(({ ExpressionAttributeValues: values }) => values)).toEqual(
      (
        [
          ['1m', -60],
          ['10m', -600],
          ['1h', -3600],
        ] as const
      ).map(([span, seconds]) => ({
        ':owner': `${organizationId}#${roomSessionId}`,
        ':first': `${span}\0${at(seconds)}`,
        ':last': `${span}\0${at(599.999)}`,
      })),
    );
    expect(queries[0]).toMatchObject({
      IndexName: samplesByTime,
      KeyConditionExpression: `factOwner = :owner AND ${attributeNames.spanKey} BETWEEN :first AND :last`,
      ConsistentRead: false,
    });
  });

  test('reads no further than the usual amount once a minute is complete', async () => {
    const items = await itemsOf(Array.from({ length: 100 }, (_, minute) => sampled('ada', minute * 60, [1, 2, 3])));
    const { page, queries } = readerOf(items, { pageSize: 4, limits: { usual: 20, most: unlimited } });
    const { results, cursor } = await page();
    expect(cursor).not.toBeNull();
    expect(results.length).toBeLessThan(15);
    expect(queries.length).toBeLessThan(8);
  });
});

describe('a cursor', () => {
  test('is refused by another range, and with a time that is no minute of the range', async () => {
    const items = await itemsOf(Array.from({ length: 20 }, (_, minute) => sampled('ada', minute * 60, [1])));
    const { page } = readerOf(items, { pageSize: 2, limits: { usual: 1, most: unlimited } });
    const range = { from: at(60), to: at(1200) };
    const { cursor } = await page(range);
    const [hash] = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString());
    const withPosition = (position: string) => Buffer.from(JSON.stringify([hash, position])).toString('base64url');
    await expect(page({ ...range, cursor: withPosition(at(120)) })).resolves.toMatchObject({
      results: [{ minute: at(120) }, { minute: at(180) }],
    });
    for (const wrong of [at(0), at(1260), at(90), '2', '2026', 'x', `${at(120)}x`]) {
      await expect(page({ ...range, cursor: withPosition(wrong) }), wrong).rejects.toMatchObject({
        issues: [{ path: 'cursor' }],
      });
    }
    await expect(page({ cursor: cursor ?? '' })).rejects.toMatchObject({ issues: [{ path: 'cursor' }] });
  });
});
