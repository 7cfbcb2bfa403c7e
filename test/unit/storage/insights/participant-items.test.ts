import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entityTables } from '#infra/storage/tables.ts';
import { participantSortFields } from '#shared/contracts/insights/insights.ts';
import type { ParticipantRecord } from '#shared/domain/insights/participant-record.ts';
import { attributeNames, participantPartitions } from '#shared/runtime/names.ts';
import {
  participantItems,
  participantOfItem,
  participantsOfPage,
  sortAttributesOfParticipant,
} from '#shared/storage/insights/participant-items.ts';
import { anyParticipant, participantRecord } from '../../../support/insights/insight-records.ts';
import { inKeyOrder, itemsOf } from '../../../support/insights/participant-table.ts';
import { at, daily, later } from '../../../support/insights/session-facts.ts';
import { compareBytes } from '../../../support/media/byte-order.ts';

type Item = Record<string, unknown>;

const nameOf = ({ roomName, participantId }: Pick<ParticipantRecord, 'roomName' | 'participantId'>) =>
  `${roomName} ${participantId}`;
const anyParticipants = fc.uniqueArray(anyParticipant, { selector: nameOf, maxLength: 40 });

/** The pages of a list in the order of their keys. */
const pagesOf = (items: readonly Item[], field: string) =>
  inKeyOrder(items.filter(({ listKey }) => String(listKey).startsWith(`${field}\0`)));
const namesOf = (page: Item) => participantsOfPage(page).map(({ roomName, listed }) => nameOf({ ...listed, roomName }));

/** Participants of whom none begins a page, a second apart. */
function neighbours(count: number, listed: object = {}): ParticipantRecord[] {
  const ids = Array.from({ length: count * 8 }, (_, index) => `p${index}`).filter((id) => crc32(id) % 4 !== 0);
  return ids
    .slice(0, count)
    .map((id, index) => participantRecord(id, { joinedAt: later('09:00', index * 1000), ...listed }));
}

describe('the items of participants', () => {
  test('contain the listed ones unchanged, once in each list, in the order of bytes of their sort keys', () => {
    fc.assert(
      fc.property(anyParticipants, (participants) => {
        const items = itemsOf(participants);
        const listed = participants.flatMap(({ roomName, listed }) => (listed ? [{ roomName, listed }] : []));
        for (const field of participantSortFields) {
          const keyOf = (each: (typeof listed)[number]) =>
            String(sortAttributesOfParticipant(daily, each)[`${field}Sort`]);
          const sorted = listed.toSorted((one, other) => compareBytes(keyOf(one), keyOf(other)));
          const stored = pagesOf(items, field).flatMap(participantsOfPage);
          expect(stored.map(({ visitorIds: _, ...element }) => element)).toEqual(sorted);
        }
      }),
    );
  });

  test('have an item for each participant with an external id, and only this one is in indexes', () => {
    fc.assert(
      fc.property(anyParticipants, (participants) => {
        const items = itemsOf(participants);
        const isIn = (item: Item) => participantPartitions.some((name) => name in item);
        const shown = items.filter(isIn).map(participantOfItem);
        expect(shown).toEqual(
          participants.flatMap(({ listed }) => (listed && listed.externalId !== null ? [listed] : [])),
        );
        const indexes = entityTables.participants.indexes ?? [];
        for (const item of items.filter(isIn))
          for (const { partitionKey, sortKey } of indexes) {
            expect(typeof item[partitionKey]).toBe('string');
            expect(typeof item[sortKey]).toBe('string');
          }
        const pages = items.filter((item) => !isIn(item));
        for (const { sortKey } of indexes) expect(pages.filter((page) => sortKey in page)).toEqual([]);
      }),
    );
  });

  test('with an external id are in the partitions of the organization, and of the session', () => {
    expect(itemsOf([participantRecord('ann', { externalId: 'e-1' })])).toContainEqual(
      expect.objectContaining({
        [attributeNames.organizationExternalId]: 'acme#e-1',
        [attributeNames.organizationSessionExternalId]: `acme#${daily.roomSessionId}#e-1`,
      }),
    );
  });

  test('do not exist for a participant who is not listed', () => {
    expect(itemsOf([participantRecord('rec', null)])).toEqual([]);
  });

  test('list who has left, and then those without a leave in the order of their joins', () => {
    const people = [
      participantRecord('last', { joinedAt: at('09:03') }),
      participantRecord('there', { joinedAt: at('09:01') }),
      participantRecord('left', { joinedAt: at('09:02'), leftAt: at('09:30') }),
    ];
    const names = pagesOf(itemsOf(people), 'leftAt').flatMap(namesOf);
    expect(names).toEqual(['/daily left', '/daily there', '/daily last']);
  });
});

describe('a page', () => {
  test('never contains both participants with a value and without one', () => {
    const people = neighbours(20).map((record, index) =>
      index % 2 && record.listed ? { ...record, listed: { ...record.listed, leftAt: at('10:00') } } : record,
    );
    const pages = pagesOf(itemsOf(people), 'leftAt').map((page) => participantsOfPage(page));
    expect(pages.map((page) => new Set(page.map(({ listed }) => listed.leftAt)))).toEqual([
      new Set([at('10:00')]),
      new Set([null]),
    ]);
  });

  test('begins with the same participant whoever else comes: one more changes at most two pages of a list', () => {
    const listed = anyParticipants.map((all) =>
      all.flatMap((record) => (record.listed ? [{ ...record, listed: { ...record.listed, comment: null } }] : [])),
    );
    fc.assert(
      fc.property(listed, fc.nat(), (participants, place) => {
        const without = participants.toSpliced(place % Math.max(1, participants.length), 1);
        for (const field of participantSortFields) {
          const textsOf = (all: readonly ParticipantRecord[]) =>
            pagesOf(itemsOf(all), field).map((page) => JSON.stringify([page.listKey, namesOf(page)]));
          const [before, after] = [textsOf(without), textsOf(participants)];
          expect(after.filter((page) => !before.includes(page)).length).toBeLessThanOrEqual(2);
          expect(before.filter((page) => !after.includes(page)).length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('has four participants on average', () => {
    const people = Array.from({ length: 1000 }, (_, index) =>
      participantRecord(`person ${index}`, { joinedAt: later('09:00', index * 1000) }),
    );
    const pages = pagesOf(itemsOf(people), 'joinedAt').length;
    expect(1000 / pages).toBeGreaterThan(3.5);
    expect(1000 / pages).toBeLessThan(4.5);
  });

  test('has at most 64 participants', () => {
    const pages = pagesOf(itemsOf(neighbours(150)), 'joinedAt');
    expect(pages.map((page) => participantsOfPage(page).length)).toEqual([64, 64, 22]);
  });

  test('names the visitors of earlier devices, the last eight of each participant, and not the listed one', () => {
    const visitor = (visitorId: string) => ({ kind: 'participant' as const, visitorId });
    const devices = ['laptop', 'phone', 'tablet'].map(visitor);
    const visitorIdsOf = (visitors: ParticipantRecord['visitors'], listed: object) => {
      const people = neighbours(1, listed).map((record) => ({ ...record, visitors }));
      return pagesOf(itemsOf(people), 'joinedAt').flatMap(participantsOfPage)[0]?.visitorIds;
    };
    expect(visitorIdsOf(devices, { deviceId: 'phone', userId: null })).toEqual(['laptop', 'tablet']);
    expect(visitorIdsOf([visitor('user')], { deviceId: 'phone', userId: 'user' })).toBeUndefined();
    expect(visitorIdsOf([{ kind: 'recorder', visitorId: 'laptop' }], {}), 'a recorder is nobody').toBeUndefined();
    const many = Array.from({ length: 20 }, (_, index) => visitor(`device ${index}`));
    expect(visitorIdsOf(many, {})).toEqual(many.slice(-8).map(({ visitorId }) => visitorId));
  });

  test('has at most 16 384 characters of comments and tags, if it has more than one participant', () => {
    const sizes = (people: readonly ParticipantRecord[]) =>
      pagesOf(itemsOf(people), 'joinedAt').map((page) => participantsOfPage(page).length);
    expect(sizes(neighbours(8, { comment: 'x'.repeat(4000), tags: ['y'.repeat(96)] }))).toEqual([4, 4]);
    expect(sizes(neighbours(2, { comment: 'x'.repeat(8000), tags: ['y'.repeat(193)] }))).toEqual([1, 1]);
  });

  test('with the longest names fits into an item of DynamoDB, however badly it compresses', () => {
    const noise = (characters: number, seed: number) =>
      Array.from({ length: characters }, (_, index) =>
        String.fromCodePoint(0x10000 + ((seed * 7919 + index * 104_729) % 60_000)),
      ).join('');
    const people = neighbours(64).map((record, number) => ({
      ...record,
      roomName: `/${noise(127, number)}`,
      visitors: [],
      listed: record.listed && {
        ...record.listed,
        ...{ deviceId: noise(64, number), userId: noise(64, number + 1), roleName: noise(64, number + 2) },
        ...{ displayName: noise(256, number + 3), externalId: noise(64, number + 4), comment: noise(128, number + 5) },
      },
    }));
    const [page = {}] = pagesOf(itemsOf(people), 'joinedAt');
    expect(participantsOfPage(page)).toHaveLength(64);
    expect((page.participants as Uint8Array).length).toBeLessThan(400 * 1000);
  });
});

test('the same participants have the same items, in whatever order they are given', () => {
  fc.assert(
    fc.property(anyParticipants, (participants) => {
      const keysOf = (all: readonly ParticipantRecord[]) => [...participantItems(daily, all).keys()].toSorted();
      expect(keysOf(participants.toReversed())).toEqual(keysOf(participants));
      expect(inKeyOrder(itemsOf(participants.toReversed()))).toEqual(inKeyOrder(itemsOf(participants)));
    }),
  );
});

describe('reading', () => {
  const [page = {}, external = {}] = [
    itemsOf([participantRecord()])[0],
    itemsOf([participantRecord('ann', { externalId: 'e-1' })]).find(({ listed }) => listed),
  ];

  test('a removed item finds nobody', () => {
    expect(participantsOfPage({ listKey: page.listKey, version: 3, expiresAt: 1 })).toEqual([]);
    expect(participantOfItem({ listKey: external.listKey, version: 3, expiresAt: 1 })).toBeUndefined();
  });

  test('an item of another shape throws', () => {
    expect(() => participantsOfPage({ ...page, participants: 'text' })).toThrow();
    expect(() => participantsOfPage({ ...page, participants: Buffer.from('not deflated') })).toThrow();
    const listed = external.listed as Item;
    for (const name of Object.keys(listed)) {
      const { [name]: _, ...rest } = listed;
      expect(() => participantOfItem({ ...external, listed: rest }), name).toThrow();
    }
  });
});
