import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entityTables } from '#infra/tables.ts';
import { attributeNames, participantPartitions } from '#shared/names.ts';
import { organizationShards, participantKey, roomKey, sessionKey } from '#shared/storage/insights/keys.ts';
import {
  toParticipantRecord,
  toParticipantRow,
  toRoomRecord,
  toRoomRow,
  toSessionRecord,
  toSessionRow,
} from '#shared/storage/insights/rows.ts';
import {
  anyParticipant,
  anyRoom,
  anySession,
  participantRecord,
  roomRecord,
  sessionRecord,
} from '../../../support/insight-records.ts';
import { at, daily } from '../../../support/session-facts.ts';

type Item = Record<string, unknown>;

/** Marshalls and unmarshalls an item as the document client does. */
const stored = (item: Item): Item => unmarshall(marshall(item, { removeUndefinedValues: true }));

/** The indexes of a table that contain an item, because it has both of their keys. */
const indexesWith = (table: 'rooms' | 'roomSessions' | 'participants', item: Item) =>
  (entityTables[table].indexes ?? []).filter(({ partitionKey, sortKey }) =>
    [partitionKey, sortKey].every((name) => typeof item[name] === 'string'),
  );

/** Checks that any record of a kind is the same after it was stored. */
function comesOutAsItWentIn<Kind>(
  records: fc.Arbitrary<Kind>,
  write: (record: Kind) => Item,
  read: (item: Item) => Kind,
) {
  fc.assert(
    fc.property(records, (record) => {
      expect(read(stored(write(record)))).toEqual(record);
    }),
  );
}

describe('a stored record is read back unchanged:', () => {
  test('a room', () => comesOutAsItWentIn(anyRoom, toRoomRow, toRoomRecord));
  test('a session', () => comesOutAsItWentIn(anySession, toSessionRow, toSessionRecord));
  test('a participant', () =>
    comesOutAsItWentIn(anyParticipant, (record) => toParticipantRow(daily, record), toParticipantRecord));
});

describe('an item is stored', () => {
  test('under its key', () => {
    fc.assert(
      fc.property(anyRoom, anySession, anyParticipant, (room, session, record) => {
        expect(toRoomRow(room)).toMatchObject(roomKey(room));
        expect(toSessionRow(session)).toMatchObject(sessionKey(session));
        expect(toParticipantRow(daily, record)).toMatchObject(participantKey(daily, record.participantId));
      }),
    );
  });

  test('in every index if it is a room or a session, even if values are missing', () => {
    fc.assert(
      fc.property(anyRoom, anySession, (room, session) => {
        expect(indexesWith('rooms', toRoomRow(room))).toEqual(entityTables.rooms.indexes);
        expect(indexesWith('roomSessions', toSessionRow(session))).toEqual(entityTables.roomSessions.indexes);
      }),
    );
  });

  test('in a partition that no list reads if it is a room whose events were all taken back', () => {
    const hidden = roomRecord({ createdAt: null, firstSessionStartedAt: null });
    expect(toRoomRow(hidden).organizationShard).toBe('acme#hidden');
    expect(indexesWith('rooms', toRoomRow(hidden))).toEqual(entityTables.rooms.indexes);
    expect(organizationShards(hidden.organizationId)).toContain(toRoomRow(roomRecord()).organizationShard);
  });

  test('in the indexes of its session, and of its external id if a participant has one', () => {
    const [ofSession, ...ofExternalId] = participantPartitions;
    const partitionsOf = (record: Parameters<typeof toParticipantRow>[1]) => [
      ...new Set(indexesWith('participants', toParticipantRow(daily, record)).map(({ partitionKey }) => partitionKey)),
    ];
    expect(partitionsOf(participantRecord('ann', {}))).toEqual([ofSession]);
    expect(partitionsOf(participantRecord('ann', { externalId: 'e-1' }))).toEqual([ofSession, ...ofExternalId]);
    expect(toParticipantRow(daily, participantRecord('ann', { externalId: 'e-1' }))).toMatchObject({
      [attributeNames.organizationExternalId]: `acme#e-1`,
      [attributeNames.organizationSessionExternalId]: `acme#${daily.roomSessionId}#e-1`,
    });
  });

  test('in no index if it is a participant who is not listed', () => {
    expect(indexesWith('participants', toParticipantRow(daily, participantRecord('rec', null)))).toEqual([]);
  });
});

test('participants who joined at the same time are sorted by session and id', () => {
  const sorts = [participantRecord('ann'), participantRecord('bob')].map((record) =>
    String(toParticipantRow(daily, record).joinedAtSort),
  );
  expect(sorts).toEqual(sorts.toSorted());
  const other = { ...daily, roomName: '/other' };
  expect(toParticipantRow(other, participantRecord()).joinedAtSort).not.toBe(sorts[0]);
});

test('a participant row without sessionEnd, as older versions stored it, is checked again at any end of the session', () => {
  const { sessionEnd: _, ...old } = toParticipantRow(daily, { ...participantRecord(), sessionEnd: at('10:00') });
  expect(toParticipantRecord(old)).toMatchObject({ participantId: 'ann', sessionEnd: '' });
});

describe('reading an item of another shape throws', () => {
  test.each<[string, (item: Item) => unknown, Item, onlyForIndexes: RegExp]>([
    ['room', toRoomRecord, toRoomRow(roomRecord()), /^(organizationShard|roomNameSort|createdAtSort|ratingSort)$/],
    ['session', toSessionRecord, toSessionRow(sessionRecord()), /Sort$/],
    ['participant', toParticipantRecord, toParticipantRow(daily, participantRecord()), /Sort$|Key$|^organization/],
  ])('for a %s with any value missing or wrong', (_what, read, item, onlyForIndexes) => {
    const names = Object.keys(item).filter((name) => !onlyForIndexes.test(name));
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      const { [name]: _, ...rest } = item;
      if (!['sessionEnd', 'counted'].includes(name)) expect(() => read(rest), name).toThrow();
      expect(() => read({ ...item, [name]: Symbol('none of ours') }), name).toThrow();
    }
  });
});
