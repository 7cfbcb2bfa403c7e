import { describe, expect, test } from 'vitest';
import {
  ListParticipants,
  ListRoomInsights,
  ListRoomSessionInsights,
} from '#shared/contracts/insights/insight-operations.ts';
import { participantSortFields, roomSessionSortFields, roomSortFields } from '#shared/contracts/insights/insights.ts';
import type { ParticipantRecord, SessionId } from '#shared/domain/insights/participant-record.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { participantLister, roomSessionLister } from '#shared/storage/insights/lists.ts';
import { participantItems } from '#shared/storage/insights/participant-items.ts';
import { roomLister } from '#shared/storage/insights/room-lists.ts';
import { toRoomRow, toSessionRow } from '#shared/storage/insights/rows.ts';
import { participantRecord, roomRecord, sessionRecord } from '../../../support/insights/insight-records.ts';
import { at, daily } from '../../../support/insights/session-facts.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';
import { fakeIndex } from '../../../support/storage/fake-index.ts';

const acme = organizationId();
const orders = (fields: readonly string[]) => fields.flatMap((field) => [`${field}:asc`, `${field}:desc`]);
const others = { other: organizationId('other') };

describe('rooms', () => {
  const rows = ['/a', '/b', '/c'].map((roomName, sessions) => toRoomRow(roomRecord({ roomName, sessions })));
  const foreign = toRoomRow(roomRecord({ organizationId: others.other, roomName: '/foreign' }));
  const rooms = () => fakeIndex([attributeNames.organizationRoom], [...rows, foreign]);

  test.each(orders(roomSortFields))('of an organization are listed by %s, page by page', async (sortBy) => {
    const list = roomLister(rooms().documents, 'rooms');
    const first = await list(acme, ListRoomInsights.parse({ sortBy, limit: '2' }));
    const rest = await list(acme, ListRoomInsights.parse({ sortBy, limit: '2', cursor: first.cursor }));
    const names = [...first.results, ...rest.results].map(({ roomName }) => roomName);
    // The rooms differ in this field only. All other fields are sorted by name.
    const isDescending = sortBy.endsWith(':desc') && !isMissing(sortBy);
    expect(names).toEqual(isDescending ? ['/c', '/b', '/a'] : ['/a', '/b', '/c']);
    expect(rest.cursor).toBeNull();
  });

  const isMissing = (sortBy: string) => /^(endAt|firstSession|lastSession|rating)/.test(sortBy);
});

describe("a room's sessions", () => {
  const session = (number: number, roomName = '/daily') =>
    toSessionRow(sessionRecord({ roomName, roomSessionId: uuid(number), startedAt: at(`09:0${number}`) }));
  const table = () =>
    fakeIndex(
      [attributeNames.organizationRoom, attributeNames.roomSessionId],
      [1, 2, 3].map((number) => session(number)).concat(session(4, '/other')),
      { rooms: [toRoomRow(roomRecord({ endAt: at('18:00') }))] },
    );
  const tables = { rooms: 'rooms', roomSessions: 'sessions' };
  const query = (more: object = {}) => ListRoomSessionInsights.parse({ roomName: '/daily', ...more });

  test.each(orders(roomSessionSortFields))('are listed by %s', async (sortBy) => {
    const { results, cursor } = await roomSessionLister(table().documents, tables)(acme, query({ sortBy }));
    expect(results.map(({ roomSessionId }) => roomSessionId).toSorted()).toEqual([uuid(1), uuid(2), uuid(3)]);
    expect(cursor).toBeNull();
  });

  test('are listed latest first by default', async () => {
    const { results } = await roomSessionLister(table().documents, tables)(acme, query());
    expect(results.map(({ startedAt }) => startedAt)).toEqual([at('09:03'), at('09:02'), at('09:01')]);
  });

  test.each([
    [uuid(2), '/daily', [uuid(2)]],
    [uuid(4), '/daily', []],
    [uuid(9), '/daily', []],
    [uuid(4), '/other', [uuid(4)]],
  ])('with the id %s in the room %s are read by key', async (roomSessionId, roomName, expected) => {
    const sessions = table();
    const list = roomSessionLister(sessions.documents, tables);
    const { results, cursor } = await list(acme, query({ roomSessionId, roomName }));
    expect(results.map((found) => found.roomSessionId)).toEqual(expected);
    expect([cursor, sessions.queries.length, sessions.reads.length]).toEqual([null, 0, 1]);
    expect((await list(others.other, query({ roomSessionId, roomName }))).results).toEqual([]);
  });

  test('have the creation and the end of their room', async () => {
    for (const more of [{}, { roomSessionId: uuid(2) }]) {
      const { results } = await roomSessionLister(table().documents, tables)(acme, query(more));
      expect(new Set(results.map(({ createdAt, endAt }) => `${createdAt} ${endAt}`))).toEqual(
        new Set([`${at('08:00')} ${at('18:00')}`]),
      );
    }
  });

  test.each([
    ['is not shown any more', [toRoomRow(roomRecord({ createdAt: null }))]],
    ['was erased', []],
  ])('are not shown if their room %s', async (_what, rooms) => {
    const { documents } = fakeIndex([attributeNames.organizationRoom, attributeNames.roomSessionId], [session(1)], {
      rooms,
    });
    expect((await roomSessionLister(documents, tables)(acme, query())).results).toEqual([]);
  });

  test('queried by id accept no cursor, because none is ever issued', async () => {
    const list = roomSessionLister(table().documents, tables);
    const { cursor } = await list(acme, query({ limit: '1' }));
    for (const given of [cursor, 'x', '']) {
      await expect(list(acme, query({ roomSessionId: uuid(2), cursor: given }))).rejects.toThrow(InvalidRequest);
    }
  });
});

describe('participants', () => {
  const later = { ...daily, roomSessionId: uuid(4) };
  const itemsOf = (session: SessionId, ...participants: readonly ParticipantRecord[]) =>
    [...participantItems(session, participants).values()].map(({ toItem }) => toItem());
  const rows = [
    ...itemsOf(
      daily,
      participantRecord('ann', { externalId: 'e-1', joinedAt: at('09:02') }),
      participantRecord('bob', { externalId: 'e-2', joinedAt: at('09:01') }),
      participantRecord('rec', null),
    ),
    ...itemsOf(
      later,
      participantRecord('ann', { roomSessionId: later.roomSessionId, externalId: 'e-1', joinedAt: at('10:00') }),
      participantRecord('eve', { roomSessionId: later.roomSessionId, joinedAt: at('10:01') }),
    ),
    ...itemsOf({ ...daily, organizationId: others.other }, participantRecord('foreign', { externalId: 'e-1' })),
  ];
  const table = () => fakeIndex([attributeNames.organizationSession, attributeNames.listKey], rows);
  const [{ roomSessionId }, ofLater] = [daily, later.roomSessionId];

  test.each([
    [{ roomSessionId }, ['bob 09:01', 'ann 09:02'], undefined],
    [{ externalId: 'e-1' }, ['ann 09:02', 'ann 10:00'], 'by-organization-external-id-and-joined-at'],
    [{ roomSessionId: ofLater, externalId: 'e-1' }, ['ann 10:00'], 'by-organization-session-external-id-and-joined-at'],
    [{ roomSessionId: ofLater, externalId: 'e-2' }, [], 'by-organization-session-external-id-and-joined-at'],
    [{ externalId: 'e-' }, [], 'by-organization-external-id-and-joined-at'],
    [{ roomSessionId: uuid(9) }, [], undefined],
  ])('of %j are listed from the table itself or from one index', async (query, expected, index) => {
    const participants = table();
    const list = participantLister(participants.documents, 'participants');
    const { results } = await list(acme, ListParticipants.parse(query));
    expect(results.map(({ participantId, joinedAt }) => `${participantId} ${joinedAt.slice(11, 16)}`)).toEqual(
      expected,
    );
    expect(participants.queries.map(({ IndexName }) => IndexName)).toEqual([index]);
  });

  test.each(orders(participantSortFields))('are listed by %s', async (sortBy) => {
    const list = participantLister(table().documents, 'participants');
    const { results } = await list(acme, ListParticipants.parse({ roomSessionId, sortBy }));
    expect(results.map(({ participantId }) => participantId).toSorted()).toEqual(['ann', 'bob']);
  });

  test('with an external id who were removed are left out, although the index may still contain them', async () => {
    const participants = table();
    const removed = participants.items.findIndex(({ listed }) => Object(listed).externalId === 'e-1');
    const { listed: _, ...empty } = participants.items[removed] ?? {};
    participants.items.splice(removed, 1, empty);
    const list = participantLister(participants.documents, 'participants');
    const { results } = await list(acme, ListParticipants.parse({ externalId: 'e-1' }));
    expect(results.map(({ roomSessionId: of }) => of)).toEqual([ofLater]);
  });

  test('have separate cursors for each of the three lists', async () => {
    const list = participantLister(table().documents, 'participants');
    const ofSession = await list(acme, ListParticipants.parse({ roomSessionId, limit: '1' }));
    const cursor = ofSession.cursor ?? '';
    for (const query of [{ externalId: 'e-1' }, { roomSessionId, externalId: 'e-1' }, { roomSessionId: ofLater }]) {
      await expect(list(acme, ListParticipants.parse({ ...query, cursor }))).rejects.toThrow(InvalidRequest);
    }
    expect((await list(acme, ListParticipants.parse({ roomSessionId, limit: '1', cursor }))).results).toHaveLength(1);
  });
});
