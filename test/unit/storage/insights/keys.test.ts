import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { participantSortFields } from '#shared/contracts/insights/insights.ts';
import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import { visitorShards } from '#shared/domain/insights/room-visitors.ts';
import { compareKeys, type KeyRange } from '#shared/storage/common/keys.ts';
import {
  blockKey,
  blocksAfter,
  creationKey,
  creationRetractionKey,
  creationRetractions,
  creations,
  externalParticipantKey,
  hiddenRooms,
  organizationExternalId,
  organizationSession,
  organizationSessionExternalId,
  organizationShard,
  organizationShards,
  participantPageKey,
  participantPages,
  participantTieBreak,
  roomKey,
  sampleBlockKey,
  sampleBlocks,
  sessionKey,
  sessionStartKey,
  sessionStarts,
  speechBlockKey,
  speechBlocks,
  visitorSegmentKey,
  visitorSegments,
} from '#shared/storage/insights/keys.ts';
import { participantRecord } from '../../../support/insights/insight-records.ts';
import { at, created, daily, withId } from '../../../support/insights/session-facts.ts';
import { compareBytes } from '../../../support/media/byte-order.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';

/** Short and similar texts, so that many are prefixes of each other, with the characters that keys use. */
const texts = fc
  .array(fc.constantFrom('a', 'b', '#', '/', ' ', ':', '0', '\u0001', 'é', '\uffee', '😀'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join(''));
const organizations = fc.constantFrom('a', 'ab', 'a-b', '_').map((id) => organizationId(id));
const sessions: fc.Arbitrary<SessionKey> = fc.record({
  organizationId: organizations,
  roomName: texts.map((name) => `/${name}`),
  roomSessionId: fc.constantFrom(uuid(1), uuid(2)),
});
const times = fc.integer({ min: 0, max: 3 }).map((second) => at(`09:00:0${second}`));
/** Numbers of blocks, of segments and of shards. */
const numbers = fc.oneof(fc.nat(20), fc.constantFrom(99, 100, 999, 1_000));
/** Only an event's id can contain the separator. */
const eventIds = fc.oneof(texts, fc.constantFrom('\0', 'a\0b', `a\0${at('09:00')}\0a`));

type Thing = { readonly is: readonly unknown[]; readonly key: Readonly<Record<string, unknown>> };
type Parts = { session: SessionKey; person: string; time: string; id: string; number: number; shard: number };

const owner = ({ organizationId: of, roomSessionId }: SessionKey) => [of, roomSessionId];
const room = ({ organizationId: of, roomName }: SessionKey) => [of, roomName];

/** Every kind of item in the table of facts, with the parts that identify it. */
const factKinds: readonly ((parts: Parts) => Thing)[] = [
  ({ session, number }) => ({ is: ['block', owner(session), number], key: blockKey(session, number) }),
  ({ session, person, time, id }) => ({
    is: ['samples', person, owner(session), time, id],
    key: sampleBlockKey(session, person, time, id),
  }),
  ({ session, person, time, id }) => ({
    is: ['speech', owner(session), time, person, id],
    key: speechBlockKey(session, time, person, id),
  }),
  ({ session, time, id }) => ({
    is: ['creation', room(session), time, id],
    key: creationKey({
      ...withId(id, created(time)),
      organizationId: session.organizationId,
      data: { roomName: session.roomName, endAt: undefined },
    }),
  }),
  ({ session, id }) => ({ is: ['retraction', room(session), id], key: creationRetractionKey(session, id) }),
  ({ session, shard, number }) => ({
    is: ['visitors', room(session), shard, number],
    key: visitorSegmentKey(session, shard, number),
  }),
  ({ session, time }) => ({ is: ['start', session, time], key: sessionStartKey(session, time) }),
];

const anyParts = fc.record({
  ...{ session: sessions, person: texts, time: times, id: eventIds, number: numbers },
  shard: fc.nat(visitorShards - 1),
});
const anyKind = fc.constantFrom(...factKinds);
const anyFact = fc.tuple(anyKind, anyParts).map(([make, parts]) => make(parts));

/** Two sets of parts that are mostly equal, because unrelated ones hardly ever share a key. */
const relatives = fc
  .tuple(anyParts, anyParts, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }))
  .map(([one, unrelated, differs]): [Parts, Parts] => {
    const pick = <Part>(place: number, own: Part, other: Part) => (differs[place] ? other : own);
    const session = {
      organizationId: pick(0, one.session.organizationId, unrelated.session.organizationId),
      roomName: pick(1, one.session.roomName, unrelated.session.roomName),
      roomSessionId: pick(2, one.session.roomSessionId, unrelated.session.roomSessionId),
    };
    const [person, time, id] = [
      pick(3, one.person, unrelated.person),
      pick(4, one.time, unrelated.time),
      pick(5, one.id, unrelated.id),
    ];
    const [number, shard] = [pick(6, one.number, unrelated.number), pick(7, one.shard, unrelated.shard)];
    return [one, { session, person, time, id, number, shard }];
  });

/** Checks that two things have the same key only if they are the same. */
function areToldApart(pairs: fc.Arbitrary<readonly [Thing, Thing]>) {
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      const areOne = JSON.stringify(one.is) === JSON.stringify(other.is);
      expect(JSON.stringify(one.key) === JSON.stringify(other.key)).toBe(areOne);
    }),
    { numRuns: 3_000 },
  );
}

describe('two different', () => {
  test('blocks, samples, speech, creations, visitors or starts never have the same key', () => {
    areToldApart(fc.tuple(anyKind, relatives).map(([make, [one, other]]) => [make(one), make(other)]));
    areToldApart(
      fc.tuple(anyKind, anyKind, relatives).map(([make, makeOther, [one, other]]) => [make(one), makeOther(other)]),
    );
  });

  test.each<[string, (parts: Parts) => Thing]>([
    [
      'rooms',
      ({ session: { organizationId: of, roomName } }) => ({
        is: [of, roomName],
        key: roomKey({ organizationId: of, roomName }),
      }),
    ],
    ['sessions', ({ session }) => ({ is: [session], key: sessionKey(session) })],
    [
      'participants with an external id',
      ({ session, person }) => ({ is: [session, person], key: externalParticipantKey(session, person) }),
    ],
    [
      'participants in an order',
      ({ session: { organizationId: _, ...rest }, person, time }) => ({
        is: [rest, person, time],
        key: { tieBreak: participantTieBreak({ ...daily, ...rest }, listedAs(rest.roomSessionId, person, time)) },
      }),
    ],
    [
      'external ids',
      ({ session: { organizationId: of }, person }) => ({
        is: [of, person],
        key: { partition: organizationExternalId(of, person) },
      }),
    ],
    [
      'external ids of a session',
      ({ session, person }) => ({
        is: [owner(session), person],
        key: { partition: organizationSessionExternalId(session, person) },
      }),
    ],
  ])('%s never have the same key', (_what, make) => {
    areToldApart(relatives.map(([one, other]) => [make(one), make(other)]));
  });

  test('pages and participants with an external id never have the same key', () => {
    fc.assert(
      fc.property(relatives, anyField, ([one, other], field) => {
        const page = participantPageKey(one.session, field, one.person);
        expect(page).not.toEqual(externalParticipantKey(other.session, other.person));
      }),
    );
  });

  test('kinds of owners never have the same partition', () => {
    fc.assert(
      fc.property(sessions, sessions, (one, other) => {
        expect(organizationSession(one)).not.toBe(sessionStartKey(other, at('09:00')).factOwner);
      }),
    );
  });
});

const anyField = fc.constantFrom(...participantSortFields);
const listedAs = (roomSessionId: string, participantId: string, joinedAt: string) => {
  const { listed } = participantRecord(participantId, { roomSessionId, joinedAt });
  if (!listed) throw new Error('The participant is listed.');
  return listed;
};

describe('a range query returns exactly the items of its kind:', () => {
  const isIn = ([first, last]: KeyRange, key: string) => compareBytes(first, key) <= 0 && compareBytes(key, last) <= 0;
  const isWithin = (range: KeyRange, { factKey }: Readonly<Record<string, unknown>>) => isIn(range, String(factKey));

  test("a room's creations and their retractions, the starts of its sessions, and a shard of its visitors", () => {
    fc.assert(
      fc.property(anyFact, fc.nat(visitorShards - 1), ({ is: [kind, , of], key }, shard) => {
        const ranges = { creation: creations, retraction: creationRetractions, start: sessionStarts };
        for (const [name, range] of Object.entries(ranges)) expect(isWithin(range, key)).toBe(kind === name);
        expect(isWithin(visitorSegments(shard), key)).toBe(kind === 'visitors' && of === shard);
      }),
      { numRuns: 5_000 },
    );
  });

  test("the blocks of a session's log after one of them", () => {
    fc.assert(
      fc.property(anyFact, fc.oneof(numbers, fc.constant(99_999_998)), ({ is: [kind, , number], key }, after) => {
        expect(isWithin(blocksAfter(after), key)).toBe(kind === 'block' && Number(number) > after);
      }),
      { numRuns: 5_000 },
    );
  });

  test('the pages of a list from one place to another, and no participants with an external id', () => {
    const places = fc.constantFrom('0', '00', '05', '05\0a', '1', '1\0a', '1\0😀');
    fc.assert(
      fc.property(places, places, places, anyField, anyField, texts, (first, last, place, field, other, person) => {
        const { listKey } = participantPageKey(daily, other, place);
        const isBetween = compareBytes(first, place) <= 0 && compareBytes(place, last) <= 0;
        expect(isIn(participantPages(field, first, last), String(listKey))).toBe(field === other && isBetween);
        expect(isIn(participantPages(field), String(listKey))).toBe(field === other);
        expect(isIn(participantPages(field), String(externalParticipantKey(daily, person).listKey))).toBe(false);
      }),
    );
  });

  test("a participant's blocks of samples from one time to before another", () => {
    const bound = fc.option(times, { nil: undefined });
    fc.assert(
      fc.property(anyFact, texts, bound, bound, ({ is: [kind, of, , time], key }, person, from, to) => {
        const isMeant = kind === 'samples' && of === person;
        const isInTime = (!from || String(time) >= from) && (!to || String(time) < to);
        expect(isWithin(sampleBlocks(person, from, to), key)).toBe(isMeant && isInTime);
      }),
      { numRuns: 10_000 },
    );
  });

  test("a session's blocks of speech from one time to before another", () => {
    const bound = fc.option(times, { nil: undefined });
    fc.assert(
      fc.property(anyFact, bound, bound, ({ is: [kind, , time], key }, from, to) => {
        const isInTime = (!from || String(time) >= from) && (!to || String(time) < to);
        expect(isWithin(speechBlocks(from, to), key)).toBe(kind === 'speech' && isInTime);
      }),
      { numRuns: 10_000 },
    );
  });

  test('in the order of the numbers of blocks and of segments', () => {
    fc.assert(
      fc.property(numbers, numbers, (one, other) => {
        const orderOf = (keyOf: (number: number) => { readonly factKey?: string }) =>
          Math.sign(compareBytes(String(keyOf(one).factKey), String(keyOf(other).factKey)));
        expect(orderOf((number) => blockKey(daily, number))).toBe(Math.sign(one - other));
        expect(orderOf((number) => visitorSegmentKey(daily, 3, number))).toBe(Math.sign(one - other));
      }),
    );
  });

  test('in order of time, then of id', () => {
    fc.assert(
      fc.property(times, times, eventIds, eventIds, (oneTime, otherTime, oneId, otherId) => {
        const keyOf = (time: string, id: string) => String(sampleBlockKey(daily, 'ann', time, id).factKey);
        const expected = compareBytes(oneTime, otherTime) || compareBytes(oneId, otherId);
        expect(Math.sign(compareBytes(keyOf(oneTime, oneId), keyOf(otherTime, otherId)))).toBe(Math.sign(expected));
      }),
    );
  });
});

describe('the shards of an organization', () => {
  const acme = organizationId();
  const room = (roomName: string) => ({ organizationId: acme, roomName });

  test('are four, and each room is always in one of them', () => {
    expect(organizationShards(acme)).toEqual(['acme#0', 'acme#1', 'acme#2', 'acme#3']);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(organizationShards(acme)).toContain(organizationShard(room(name)));
        expect(organizationShard(room(name))).toBe(organizationShard(room(name)));
      }),
    );
    // A stored row keeps its shard, so these must never change.
    expect(['/a', '/b', '/team/standup'].map((name) => organizationShard(room(name)))).toEqual([
      'acme#2',
      'acme#0',
      'acme#3',
    ]);
  });

  test('take rooms whose names are alike in equal parts', () => {
    const names = Array.from({ length: 4000 }, (_, index) => `/room-${index}`);
    const sizes = Map.groupBy(names, (name) => organizationShard(room(name)));
    for (const shard of organizationShards(acme)) {
      expect(sizes.get(shard)?.length).toBeGreaterThan(900);
      expect(sizes.get(shard)?.length).toBeLessThan(1100);
    }
  });

  test('contain no hidden room', () => {
    expect(organizationShards(acme)).not.toContain(hiddenRooms(acme));
  });
});

test('keys are compared by their bytes, as DynamoDB does', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      expect(Math.sign(compareKeys(one, other))).toBe(Math.sign(compareBytes(one, other)));
    }),
  );
  expect(compareKeys('\uffee', '😀')).toBe(-1);
});
