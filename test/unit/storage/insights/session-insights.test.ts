import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { SessionEvent, SessionFact } from '#shared/contracts/session-events.ts';
import type { Visitor } from '#shared/domain/participant-record.ts';
import type { SessionChange } from '#shared/domain/session-change.ts';
import {
  participantKey,
  roomKey,
  roomVisitorKey,
  sessionKey,
  sessionStartKey,
  sessionVisitorKey,
} from '#shared/storage/insights/keys.ts';
import { toParticipantRow, toRoomRow, toSessionRow } from '#shared/storage/insights/rows.ts';
import { sessionInsights } from '#shared/storage/insights/session-insights.ts';
import { allOf } from '../../../support/all-of.ts';
import { type Answer, answering, type Call } from '../../../support/fake-client.ts';
import { participantRecord, roomRecord, sessionRecord } from '../../../support/insight-records.ts';
import { uuid } from '../../../support/records.ts';
import { at, daily, joined } from '../../../support/session-facts.ts';

const tables = { rooms: 'rooms', roomSessions: 'sessions', participants: 'participants', insightFacts: 'facts' };
const visitor: Visitor = { kind: 'participant', visitorId: 'phone' };
const other: Visitor = { kind: 'recorder', visitorId: 'phone' };
const third: Visitor = { kind: 'streamer', visitorId: 'phone' };
const ifOne = { ConditionExpression: 'sessions = :from', ExpressionAttributeValues: { ':from': 1 } };

function fixture(answer?: Answer, events: readonly SessionFact[] = [joined('ann', '09:00')]) {
  const { client, calls } = answering(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' })), answer);
  const facts = {
    factsOf: async () => {
      calls.push({ name: 'events', input: { ConsistentRead: true } });
      return { facts: events, large: [], exceeded: [] };
    },
    async *allEventsOf() {
      yield* events as SessionEvent[];
    },
    creationsOf: async () => [],
    isRetracted: async () => false,
  };
  return { store: sessionInsights(client, tables, facts), calls };
}

const tableOf = ({ input }: Call) => String(input.TableName);
const isConsistent = ({ input }: Call) => {
  const batches = Object.values((input.RequestItems ?? {}) as Record<string, { readonly ConsistentRead?: boolean }>);
  return [input, ...batches].some(({ ConsistentRead }) => ConsistentRead === true);
};

describe('sessionInsights, with consistent reads,', () => {
  test('reads the session before its facts and participants, so that its version covers them', async () => {
    const rows: Record<string, unknown> = { sessions: toSessionRow(sessionRecord({ version: 7 })) };
    const ann = toParticipantRow(daily, participantRecord());
    const { store, calls } = fixture((call) =>
      call.name === 'GetCommand' ? { Item: rows[tableOf(call)] } : { Responses: { participants: [ann] } },
    );
    const state = await store.readSession(daily, ['ann', 'bob']);
    expect(state).toEqual({
      session: sessionRecord({ version: 7 }),
      participants: [participantRecord()],
      ...{ facts: [joined('ann', '09:00')], large: [], exceeded: [] },
    });
    expect(calls.map(({ name }) => name)).toEqual(['GetCommand', expect.anything(), expect.anything()]);
    expect(calls.map(isConsistent)).toEqual([true, true, true]);
    const [get] = calls;
    expect(get?.input).toMatchObject({ TableName: 'sessions', Key: sessionKey(daily) });
    expect(calls.find(({ name }) => name === 'BatchGetCommand')?.input).toMatchObject({
      RequestItems: { participants: { Keys: ['ann', 'bob'].map((id) => participantKey(daily, id)) } },
    });
  });

  test('omits the events of a session with the same id in another room', async () => {
    const events = [joined('ann', '09:00'), joined('ann', '09:00', { roomName: '/other' })];
    const { store } = fixture(undefined, events);
    const read = await allOf(store.eventsOf(daily));
    expect(read.map(({ data }) => data.roomName)).toEqual(['/daily']);
  });

  test('returns undefined for a room that does not exist yet', async () => {
    const { store, calls } = fixture((_call, index) => (index === 0 ? { Item: toRoomRow(roomRecord()) } : {}));
    expect(await store.readRoom(daily)).toEqual(roomRecord());
    expect(await store.readRoom(daily)).toBeUndefined();
    expect(calls.map(isConsistent)).toEqual([true, true]);
    expect(calls[0]?.input).toMatchObject({ TableName: 'rooms', Key: roomKey(daily) });
  });

  test('reads the visitors that session and room have counted', async () => {
    const marks = [
      sessionVisitorKey(daily, visitor),
      { ...roomVisitorKey(daily, other), sessions: 2 },
      roomVisitorKey(daily, third), // as earlier versions wrote it
    ];
    const { store, calls } = fixture(() => ({ Responses: { facts: marks } }));
    expect(await store.readCounted(daily, [visitor, other, third])).toEqual({
      session: [visitor],
      room: [
        { ...other, sessions: 2 },
        { ...third, sessions: null },
      ],
    });
    expect(calls.every(isConsistent)).toBe(true);
    expect(await store.readCounted(daily, [])).toEqual({ session: [], room: [] });
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

  test('lists the participants that the end of the session still has to end, over all pages', async () => {
    const people = [
      participantRecord('ann'),
      { ...participantRecord('bob'), sessionEnd: null },
      { ...participantRecord('eve'), sessionEnd: at('09:30') },
      { ...participantRecord('mia'), sessionEnd: at('10:00') },
      { ...participantRecord('dan'), sessionEnd: at('10:30') },
    ];
    const { store, calls } = fixture((_call, page) => ({
      Items: people.map((record) =>
        toParticipantRow(daily, { ...record, participantId: `${record.participantId}${page}` }),
      ),
      ...(page < 2 && { LastEvaluatedKey: { page } }),
    }));
    const found = await store.listParticipantsToEnd(daily, at('10:00'));
    const ids = [0, 1, 2].flatMap((page) => [`ann${page}`, `eve${page}`, `dan${page}`]);
    expect(found).toEqual(ids);
    expect(calls.map(isConsistent)).toEqual([true, true, true]);
  });
});

describe('a change', () => {
  const change: SessionChange = {
    ...{
      session: sessionRecord({ version: 0 }),
      room: roomRecord({ version: 4 }),
      participants: [participantRecord()],
    },
    ...{
      sessionVisitors: [{ ...visitor, participantId: 'ann' }],
      ...{ goneParticipants: ['bob'], goneVisitors: [other] },
      roomMarks: [
        { visitor: other, from: 0, to: 1 },
        { visitor, from: 1, to: 2 },
        { visitor: third, from: 1, to: 0 },
      ],
      movedStart: { from: at('09:05'), to: at('09:00') },
    },
  };
  const nothing = {
    ...{ room: null, participants: [], goneParticipants: [], movedStart: null },
    ...{ sessionVisitors: [], goneVisitors: [], roomMarks: [] },
  };
  const putsOf = (calls: readonly Call[]) =>
    calls.flatMap(({ input }) => input.TransactItems as readonly Record<string, Record<string, unknown>>[]);

  test('is one transaction, conditional on the versions of session and room, and increments both', async () => {
    const { store, calls } = fixture();
    expect(await store.commit(change)).toBe('committed');
    expect(calls.map(({ name }) => name)).toEqual(['TransactWriteCommand']);
    const notThere = 'attribute_not_exists(version)';
    expect(putsOf(calls)).toEqual([
      {
        Put: {
          TableName: 'sessions',
          Item: { ...toSessionRow(change.session), version: 1 },
          ConditionExpression: notThere,
        },
      },
      {
        Put: {
          ...{ TableName: 'rooms', Item: { ...toRoomRow(roomRecord()), version: 5 } },
          ...{ ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': 4 } },
        },
      },
      { Put: { TableName: 'participants', Item: toParticipantRow(daily, participantRecord()) } },
      { Put: { TableName: 'facts', Item: { ...sessionVisitorKey(daily, visitor), participantId: 'ann' } } },
      { Delete: { TableName: 'participants', Key: participantKey(daily, 'bob') } },
      { Delete: { TableName: 'facts', Key: sessionVisitorKey(daily, other) } },
      {
        Put: {
          ...{ TableName: 'facts', Item: { ...roomVisitorKey(daily, other), sessions: 1 } },
          ConditionExpression: 'attribute_not_exists(factKey)',
        },
      },
      { Put: { TableName: 'facts', Item: { ...roomVisitorKey(daily, visitor), sessions: 2 }, ...ifOne } },
      { Delete: { TableName: 'facts', Key: roomVisitorKey(daily, third), ...ifOne } },
      { Delete: { TableName: 'facts', Key: sessionStartKey(daily, at('09:05')) } },
      {
        Put: {
          TableName: 'facts',
          Item: { ...sessionStartKey(daily, at('09:00')), startedAt: at('09:00'), roomSessionId: daily.roomSessionId },
        },
      },
    ]);
  });

  test('does not write what it does not change', async () => {
    const { store, calls } = fixture();
    const least = { ...change, ...nothing };
    await store.commit({ ...least, session: sessionRecord({ version: 3 }) });
    expect(putsOf(calls)).toMatchObject([
      {
        Put: {
          TableName: 'sessions',
          ConditionExpression: 'version = :version',
          ExpressionAttributeValues: { ':version': 3 },
        },
      },
    ]);
    await store.commit({ ...least, movedStart: { from: null, to: at('09:00') } });
    expect(putsOf(calls.slice(1)).map((write) => Object.keys(write)[0])).toEqual(['Put', 'Put']);
  });

  test('that is too large for one transaction throws and is not sent', async () => {
    const { store, calls } = fixture();
    const sessionVisitors = Array.from({ length: 100 }, () => ({ ...visitor, participantId: 'ann' }));
    await expect(store.commit({ ...change, ...nothing, sessionVisitors })).rejects.toThrow(
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
    ['session-changed', [lost, 'None', 'None']],
    ['session-changed', [lost, lost, 'None']],
    ['session-changed', [conflict, undefined, undefined]],
    ['room-changed', ['None', lost, 'None']],
    ['room-changed', [undefined, conflict, undefined]],
    ['room-changed', ['None', 'None', conflict]],
  ] as const)('that lost a race returns %s', async (outcome, codes) => {
    expect(await fixture(canceled(...codes)).store.commit(change)).toBe(outcome);
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
