import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entityTables } from '#infra/storage/tables.ts';
import { indexNames } from '#shared/runtime/names.ts';
import { dueShards, settleShards } from '#shared/storage/common/keys.ts';
import { organizationShards, roomKey, sessionKey } from '#shared/storage/insights/keys.ts';
import { toRoomRecord, toRoomRow, toSessionRecord, toSessionRow } from '#shared/storage/insights/rows.ts';
import { anyRoom, anySession, roomRecord, sessionRecord } from '../../../support/insights/insight-records.ts';

type Item = Record<string, unknown>;

/** Marshalls and unmarshalls an item as the document client does. */
const stored = (item: Item): Item => unmarshall(marshall(item, { removeUndefinedValues: true }));

/** The indexes of a table that contain an item, because it has both of their keys. */
const indexesWith = (table: 'rooms' | 'roomSessions', item: Item) =>
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
});

describe('an item is stored', () => {
  test('under its key', () => {
    fc.assert(
      fc.property(anyRoom, anySession, (room, session) => {
        expect(toRoomRow(room)).toMatchObject(roomKey(room));
        expect(toSessionRow(session)).toMatchObject(sessionKey(session));
      }),
    );
  });

  test('in every index of a list if it is a room or a session, even if values are missing', () => {
    fc.assert(
      fc.property(anyRoom, anySession, (room, session) => {
        expect(indexesWith('rooms', toRoomRow(room))).toEqual(entityTables.rooms.indexes);
        const { indexes = [] } = entityTables.roomSessions;
        const row = toSessionRow({ ...session, idleFrom: undefined, settling: undefined });
        expect(indexesWith('roomSessions', row)).toEqual(indexes.filter(({ name }) => name !== indexNames.byDueAt));
      }),
    );
  });

  test('in the index of what is due, too, if it is a session with an hour from which it is closed', () => {
    const idleFrom = '2026-03-02T11:00:00.000Z';
    const row = toSessionRow(sessionRecord({ idleFrom }));
    expect(indexesWith('roomSessions', row)).toEqual(entityTables.roomSessions.indexes);
    expect(toSessionRecord(row)).toMatchObject({ idleFrom });
  });

  test('in shards of their own in that index if they are ended sessions whose ends are to be told', () => {
    const settling = { at: '2026-03-02T11:00:10.000Z', by: '2026-03-02T11:10:00.000Z' };
    const row = toSessionRow(sessionRecord({ endedAt: '2026-03-02T10:59:00.000Z', settling }));
    expect(indexesWith('roomSessions', row)).toEqual(entityTables.roomSessions.indexes);
    expect(settleShards).toContain(row.dueShard);
    expect(dueShards).not.toContain(row.dueShard);
    expect(toSessionRecord(row)).toMatchObject({ settling });
    expect(toSessionRecord(row)).not.toHaveProperty('idleFrom');
  });

  test('with what was told of it, also while no event of it counts, so that no revision is used twice', () => {
    const told = { revision: 3, digest: 'abcdefghijk' };
    for (const startedAt of [null, '2026-03-02T09:00:00.000Z'])
      expect(toSessionRecord(toSessionRow(sessionRecord({ startedAt, told })))).toMatchObject({ startedAt, told });
  });

  test('in a partition that no list reads if it is a room whose events were all taken back', () => {
    const hidden = roomRecord({ createdAt: null, firstSessionStartedAt: null });
    expect(toRoomRow(hidden).organizationShard).toBe('acme#hidden');
    expect(indexesWith('rooms', toRoomRow(hidden))).toEqual(entityTables.rooms.indexes);
    expect(organizationShards(hidden.organizationId)).toContain(toRoomRow(roomRecord()).organizationShard);
  });

  test('in no index if it is a session of which everything was taken back', () => {
    expect(indexesWith('roomSessions', toSessionRow(sessionRecord({ startedAt: null })))).toEqual([]);
  });
});

describe('reading an item of another shape throws', () => {
  test.each<[string, (item: Item) => unknown, Item, onlyForIndexes: RegExp]>([
    ['room', toRoomRecord, toRoomRow(roomRecord()), /^(organizationShard|roomNameSort|createdAtSort|ratingSort)$/],
    ['session', toSessionRecord, toSessionRow(sessionRecord()), /Sort$/],
  ])('for a %s with any value missing or wrong', (_what, read, item, onlyForIndexes) => {
    const names = Object.keys(item).filter((name) => !onlyForIndexes.test(name));
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      const { [name]: _, ...rest } = item;
      expect(() => read(rest), name).toThrow();
      expect(() => read({ ...item, [name]: Symbol('none of ours') }), name).toThrow();
    }
  });
});
