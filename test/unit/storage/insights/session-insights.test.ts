import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { fingerprintOf, type VisitorSegment } from '#shared/domain/insights/room-visitors.ts';
import type { RoomChange, SessionChange } from '#shared/domain/insights/session/session-change.ts';
import { newsOf } from '#shared/domain/insights/session/session-notices.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import {
  roomKey,
  sessionKey,
  sessionStartKey,
  visitorSegmentKey,
  visitorSegments,
} from '#shared/storage/insights/keys.ts';
import { toRoomRow, toSessionRow } from '#shared/storage/insights/rows.ts';
import { sessionInsights } from '#shared/storage/insights/session-insights.ts';
import { toVisitorItem } from '#shared/storage/insights/visitor-segments.ts';
import { type Answer, answering, type Call } from '../../../support/client/fake-client.ts';
import { roomRecord, sessionRecord } from '../../../support/insights/insight-records.ts';
import { storedItem } from '../../../support/insights/participant-table.ts';
import { at, daily } from '../../../support/insights/session-facts.ts';
import { uuid } from '../../../support/operations/records.ts';

const tables = {
  rooms: 'rooms',
  roomSessions: 'sessions',
  participants: 'participants',
  insightFacts: 'facts',
  notices: 'notices',
};
const [phone, laptop] = ['phone', 'laptop'].map((visitorId) => fingerprintOf({ kind: 'participant', visitorId }));
const segmentOf = (shard: number, number: number, version: number): VisitorSegment => ({
  ...{ shard, number, version },
  sessions: new Map([
    [phone ?? '', 1],
    [laptop ?? '', 70_000],
  ]),
});

function fixture(answer?: Answer) {
  const { client, calls } = answering(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' })), answer);
  return { store: sessionInsights(client, tables, insightFacts(client, tables.insightFacts)), calls };
}

const isConsistent = ({ input }: Call) => {
  const batches = Object.values((input.RequestItems ?? {}) as Record<string, { readonly ConsistentRead?: boolean }>);
  return [input, ...batches].some(({ ConsistentRead }) => ConsistentRead === true);
};

describe('sessionInsights, with consistent reads,', () => {
  test('reads the sessions of rooms that have one', async () => {
    const elsewhere = sessionRecord({ roomName: '/other', version: 7, listedVersion: 6, closesAt: at('23:00') });
    const { store, calls } = fixture(() => ({ Responses: { sessions: [storedItem(toSessionRow(elsewhere))] } }));
    expect(await store.readSessions(daily, ['/daily', '/other'])).toEqual([elsewhere]);
    expect(calls.map(isConsistent)).toEqual([true]);
    const Keys = ['/daily', '/other'].map((roomName) => sessionKey({ ...daily, roomName }));
    expect(calls[0]?.input).toMatchObject({ RequestItems: { sessions: { Keys } } });
  });

  test('returns undefined for a room that does not exist yet', async () => {
    const { store, calls } = fixture((_call, index) => (index === 0 ? { Item: toRoomRow(roomRecord()) } : {}));
    expect(await store.readRoom(daily)).toEqual(roomRecord());
    expect(await store.readRoom(daily)).toBeUndefined();
    expect(calls.map(isConsistent)).toEqual([true, true]);
    expect(calls[0]?.input).toMatchObject({ TableName: 'rooms', Key: roomKey(daily) });
  });

  test('reads all segments of the shards of visitors, over all pages, and nothing without a shard', async () => {
    const segments = [segmentOf(3, 1, 5), segmentOf(3, 2, 1), segmentOf(15, 1, 2)];
    const { store, calls } = fixture(({ input }) => {
      const first = Object(input.ExpressionAttributeValues)[':first'];
      const [one, ...others] = segments
        .filter(({ shard }) => visitorSegments(shard)[0] === first)
        .slice(input.ExclusiveStartKey ? 1 : 0)
        .map((segment) => storedItem({ ...toVisitorItem(segment), version: segment.version }));
      return { Items: one ? [one] : [], ...(others.length > 0 && { LastEvaluatedKey: { page: 1 } }) };
    });
    const read = await store.readVisitors(daily, [3, 15, 4]);
    expect(read).toEqual(segments);
    expect(calls).toHaveLength(4);
    expect(calls.every(isConsistent)).toBe(true);
    calls.splice(0);
    expect(await store.readVisitors(daily, [])).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('reads the first and the last start of the other sessions', async () => {
    const starts = [[uuid(3), '09:00'] as const, [uuid(4), '09:10'] as const, [uuid(5), '09:20'] as const];
    const read = async (known: typeof starts) => {
      const { store, calls } = fixture(({ input }) => {
        const items = known.map(([roomSessionId, time]) => ({ roomSessionId, startedAt: at(time) }));
        return { Items: (input.ScanIndexForward ? items : items.toReversed()).slice(0, Number(input.Limit)) };
      });
      const found = await store.readOtherStarts(daily);
      expect(calls.map(isConsistent)).toEqual([true, true]);
      return found;
    };
    expect(await read(starts)).toEqual({ first: at('09:10'), last: at('09:20') });
    expect(await read(starts.toReversed())).toEqual({ first: at('09:20'), last: at('09:10') });
    expect(await read(starts.slice(0, 1))).toEqual({ first: null, last: null });
    expect(await read(starts.slice(0, 2))).toEqual({ first: at('09:10'), last: at('09:10') });
    expect(await read([])).toEqual({ first: null, last: null });
  });
});

describe('a change', () => {
  const here: RoomChange = {
    session: sessionRecord({ version: 0 }),
    room: roomRecord({ version: 4 }),
    segments: [segmentOf(3, 1, 0), segmentOf(15, 2, 6)],
    movedStart: { from: at('09:05'), to: at('09:00') },
    notice: null,
  };
  const elsewhere: RoomChange = {
    session: sessionRecord({ roomName: '/other', version: 3 }),
    ...{ room: null, segments: [], movedStart: null, notice: null },
  };
  const change: SessionChange = { to: 8, rooms: [here, elsewhere] };
  const putsOf = (calls: readonly Call[]) =>
    calls.flatMap(({ input }) => input.TransactItems as readonly Record<string, Record<string, unknown>>[]);
  const notThere = { ConditionExpression: 'attribute_not_exists(version)' };
  const ifStill = (version: number) => ({
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':version': version },
  });

  const ifUntold = { ...ifStill(3), ConditionExpression: 'version = :version AND attribute_not_exists(told)' };

  test('is one transaction, conditional on the versions of sessions, rooms and visitors, and raises them', async () => {
    const { store, calls } = fixture();
    expect(await store.commit(change)).toBe(true);
    expect(calls.map(({ name }) => name)).toEqual(['TransactWriteCommand']);
    const segmentItem = (shard: number, number: number, version: number) => ({
      ...{ ...visitorSegmentKey(daily, shard, number), ...toVisitorItem(segmentOf(shard, number, version)) },
      version: version + 1,
    });
    expect(putsOf(calls)).toEqual([
      { Put: { TableName: 'sessions', Item: { ...toSessionRow(here.session), version: 8 }, ...notThere } },
      { Put: { TableName: 'rooms', Item: { ...toRoomRow(roomRecord()), version: 5 }, ...ifStill(4) } },
      { Put: { TableName: 'facts', Item: segmentItem(3, 1, 0), ...notThere } },
      { Put: { TableName: 'facts', Item: segmentItem(15, 2, 6), ...ifStill(6) } },
      { Delete: { TableName: 'facts', Key: sessionStartKey(daily, at('09:05')) } },
      {
        Put: {
          TableName: 'facts',
          Item: { ...sessionStartKey(daily, at('09:00')), startedAt: at('09:00'), roomSessionId: daily.roomSessionId },
        },
      },
      { Put: { TableName: 'sessions', Item: { ...toSessionRow(elsewhere.session), version: 8 }, ...ifUntold } },
    ]);
  });

  test('does not write what it does not change', async () => {
    const { store, calls } = fixture();
    await store.commit({ ...change, rooms: [elsewhere] });
    expect(putsOf(calls)).toMatchObject([{ Put: { TableName: 'sessions', ...ifUntold } }]);
    const movedStart = { from: null, to: at('09:00') };
    await store.commit({ ...change, rooms: [{ ...elsewhere, movedStart }] });
    expect(putsOf(calls.slice(1)).map((write) => Object.keys(write)[0])).toEqual(['Put', 'Put']);
  });

  test('stores its notice with it, and requires that nothing was told of the session meanwhile', async () => {
    const { store, calls } = fixture();
    const told = { revision: 4, digest: 'abcdefghijk' };
    const session = sessionRecord({ version: 3, told: { revision: 5 } });
    const { notice } = newsOf({ ...session, endedAt: at('09:30'), told }, session, 60, new Date(at('10:00')));
    await store.commit({ ...change, rooms: [{ ...elsewhere, session, notice, toldBefore: told }] });
    expect(putsOf(calls)).toMatchObject([
      {
        Put: {
          TableName: 'sessions',
          Item: { told: '5' },
          ConditionExpression: 'version = :version AND told = :told AND attribute_not_exists(counted)',
          ExpressionAttributeValues: { ':version': 3, ':told': '4 abcdefghijk' },
        },
      },
      { Put: { TableName: 'notices', Item: { type: 'room.session.started', data: { revision: 5 } } } },
    ]);
  });

  test('that is too large for one transaction throws and is not sent', async () => {
    const { store, calls } = fixture();
    const segments = Array.from({ length: 100 }, (_, number) => segmentOf(1, number + 1, 0));
    await expect(store.commit({ ...change, rooms: [{ ...elsewhere, segments }] })).rejects.toThrow(
      'A change has 101 items, but at most 100 are possible.',
    );
    expect(calls).toEqual([]);
  });

  const canceled =
    (...codes: readonly (string | undefined)[]) =>
    () => {
      const CancellationReasons = codes.map((Code) => (Code === undefined ? {} : { Code }));
      throw new TransactionCanceledException({ message: 'canceled', $metadata: {}, CancellationReasons });
    };
  const [lost, conflict] = ['ConditionalCheckFailed', 'TransactionConflict'];

  test.each([
    [[lost, 'None', 'None']],
    [[conflict, undefined, undefined]],
    [['None', lost, 'None']],
    [[undefined, conflict, undefined]],
    [['None', 'None', conflict]],
  ])('that lost a race (%j) returns false', async (codes) => {
    expect(await fixture(canceled(...codes)).store.commit(change)).toBe(false);
  });

  test.each([['ThrottlingError'], [lost, 'ProvisionedThroughputExceeded'], ['ValidationError'], []])(
    'that was cancelled because of %j throws',
    async (...codes) => {
      await expect(fixture(canceled(...codes)).store.commit(change)).rejects.toThrow(TransactionCanceledException);
      await expect(fixture(canceled(...codes)).store.commitRoom(roomRecord())).rejects.toThrow('canceled');
    },
  );

  test('of the room alone is conditional on its version', async () => {
    const { store, calls } = fixture();
    expect(await store.commitRoom(roomRecord({ version: 0 }))).toBe(true);
    expect(putsOf(calls)).toMatchObject([
      { Put: { TableName: 'rooms', Item: { version: 1 }, ConditionExpression: 'attribute_not_exists(version)' } },
    ]);
    expect(await fixture(canceled(lost)).store.commitRoom(roomRecord())).toBe(false);
  });
});
