import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionKey, Visitor } from '#shared/domain/participant-record.ts';
import {
  clientConnections,
  clientFacts,
  clientRatings,
  eventKey,
  hiddenRooms,
  organizationExternalId,
  organizationSession,
  organizationSessionExternalId,
  organizationShard,
  organizationShards,
  ownStarts,
  participantKey,
  participantTieBreak,
  roomKey,
  roomVisitorKey,
  sampleBlockKey,
  sampleBlocks,
  sessionEnds,
  sessionFacts,
  sessionKey,
  sessionRetractions,
  sessionStartKey,
  sessionStarts,
  sessionVisitorKey,
} from '#shared/storage/insights/keys.ts';
import type { KeyRange } from '#shared/storage/keys.ts';
import { compareBytes } from '../../../support/byte-order.ts';
import { organizationId, uuid } from '../../../support/records.ts';
import { at, daily, ended, joined, rated, started, withId } from '../../../support/session-facts.ts';

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
const visitors: fc.Arbitrary<Visitor> = fc.record({
  kind: fc.constantFrom('participant', 'recorder', 'streamer'),
  visitorId: texts,
});
/** Only an event's id can contain the separator. */
const eventIds = fc.oneof(texts, fc.constantFrom('\0', 'a\0b', `a\0${at('09:00')}\0a`));

type Thing = { readonly is: readonly unknown[]; readonly key: Readonly<Record<string, unknown>> };
type Parts = { session: SessionKey; person: string; time: string; id: string; visitor: Visitor };

/** Every kind of stored fact, with the parts that identify it. */
const factKinds: readonly ((parts: Parts) => Thing)[] = [
  ({ session, time, id }) => ({
    is: ['end', owner(session), time, id],
    key: eventKey({ ...withId(id, ended(time, session)), organizationId: session.organizationId }),
  }),
  ({ session, time, id }) => ({
    is: ['own start', owner(session), time, id],
    key: eventKey({ ...withId(id, started(time, session)), organizationId: session.organizationId }),
  }),
  ({ session, id, time }) => ({
    is: ['retraction', owner(session), id, session.roomName],
    key: eventKey({
      ...{ id: 'any', type: 'fact.retracted', createdAt: time, organizationId: session.organizationId },
      data: { eventId: id, roomName: session.roomName, roomSessionId: session.roomSessionId },
    }),
  }),
  ({ session, id, time }) => ({
    is: ['retraction', owner(session), id, 'any room'],
    key: eventKey({
      ...{ id: 'any', type: 'fact.retracted', createdAt: time, organizationId: session.organizationId },
      data: { eventId: id, roomName: undefined, roomSessionId: session.roomSessionId },
    }),
  }),
  ({ session, person, time, id }) => ({
    is: ['connection of', person, owner(session), time, id],
    key: eventKey({ ...withId(id, joined(person, time, session)), organizationId: session.organizationId }),
  }),
  ({ session, person, time, id }) => ({
    is: ['rating of', person, owner(session), time, id],
    key: eventKey({ ...withId(id, rated(person, time, 5, session)), organizationId: session.organizationId }),
  }),
  ({ session, person, time, id }) => ({
    is: ['samples', person, owner(session), time, id],
    key: sampleBlockKey(session, person, time, id),
  }),
  ({ session, visitor }) => ({ is: ['visitor', visitor, session], key: sessionVisitorKey(session, visitor) }),
  ({ session: { organizationId: of, roomName }, visitor }) => ({
    is: ['visitor of room', visitor, of, roomName],
    key: roomVisitorKey({ organizationId: of, roomName }, visitor),
  }),
  ({ session, time }) => ({ is: ['start', session, time], key: sessionStartKey(session, time) }),
];
const owner = ({ organizationId: of, roomSessionId }: SessionKey) => [of, roomSessionId];

const anyParts = fc.record({ session: sessions, person: texts, time: times, id: eventIds, visitor: visitors });
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
    const visitor = {
      kind: pick(6, one.visitor.kind, unrelated.visitor.kind),
      visitorId: pick(7, one.visitor.visitorId, unrelated.visitor.visitorId),
    };
    return [one, { session, person, time, id, visitor }];
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
  test('facts, blocks, marks or starts never have the same key', () => {
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
    ['participants', ({ session, person }) => ({ is: [session, person], key: participantKey(session, person) })],
    [
      'participants of an organization',
      ({ session: { organizationId: _, ...rest }, person }) => ({
        is: [rest, person],
        key: { tieBreak: participantTieBreak({ ...rest, organizationId: organizationId() }, person) },
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

  test('kinds of owners never have the same partition', () => {
    fc.assert(
      fc.property(sessions, sessions, (one, other) => {
        expect(organizationSession(one)).not.toBe(
          roomVisitorKey(other, { kind: 'recorder', visitorId: 'a' }).factOwner,
        );
      }),
    );
  });
});

describe('a range query returns exactly the items of its kind:', () => {
  const isWithin = ([first, last]: KeyRange, { factKey }: Readonly<Record<string, unknown>>) =>
    compareBytes(first, String(factKey)) <= 0 && compareBytes(String(factKey), last) <= 0;

  test("a session's own events, a participant's events, and the starts of a room's sessions", () => {
    fc.assert(
      fc.property(anyFact, texts, ({ is: [kind, of], key }, person) => {
        const ofSession = { end: sessionEnds, 'own start': ownStarts, retraction: sessionRetractions };
        expect(isWithin(sessionFacts, key)).toBe(String(kind) in ofSession);
        for (const [name, range] of Object.entries(ofSession)) expect(isWithin(range, key)).toBe(kind === name);
        expect(isWithin(sessionStarts, key)).toBe(kind === 'start');
        const ofPerson = { 'connection of': clientConnections, 'rating of': clientRatings };
        expect(isWithin(clientFacts(person), key)).toBe(String(kind) in ofPerson && of === person);
        for (const [name, range] of Object.entries(ofPerson))
          expect(isWithin(range(person), key)).toBe(kind === name && of === person);
      }),
      { numRuns: 5_000 },
    );
  });

  test("a participant's blocks from one time to before another", () => {
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
