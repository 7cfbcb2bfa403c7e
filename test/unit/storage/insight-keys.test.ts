import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionKey, Visitor } from '#shared/domain/participant-record.ts';
import {
  clientFacts,
  eventKey,
  type KeyRange,
  organizationExternalId,
  organizationSession,
  organizationSessionExternalId,
  participantKey,
  participantTieBreak,
  roomKey,
  roomVisitorKey,
  sampleBlockKey,
  sampleBlocks,
  sessionFacts,
  sessionKey,
  sessionStartKey,
  sessionStarts,
  sessionVisitorKey,
} from '#shared/storage/insight-keys.ts';
import { compareBytes } from '../../support/byte-order.ts';
import { organizationId, uuid } from '../../support/records.ts';
import { at, daily, ended, joined, withId } from '../../support/session-facts.ts';

/** Short and alike, so that many are prefixes of each other, and made of what keys are made of. */
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
/** An event's id is the only part that may hold the separator. */
const eventIds = fc.oneof(texts, fc.constantFrom('\0', 'a\0b', `a\0${at('09:00')}\0a`));

type Thing = { readonly is: readonly unknown[]; readonly key: Readonly<Record<string, unknown>> };
const factsOf: fc.Arbitrary<Thing> = fc
  .record({ kind: fc.nat(5), session: sessions, person: texts, time: times, id: eventIds, visitor: visitors })
  .map(({ kind, session, person, time, id, visitor }): Thing => {
    const { organizationId: owner, roomName, roomSessionId } = session;
    const inSession = [owner, roomSessionId];
    const own = { organizationId: owner };
    if (kind === 0) {
      const event = { ...withId(id, ended(time, { roomName, roomSessionId })), ...own };
      return { is: ['event', inSession, time, id], key: eventKey(event) };
    }
    if (kind === 1) {
      const event = { ...withId(id, joined(person, time, { roomName, roomSessionId })), ...own };
      return { is: ['event of', person, inSession, time, id], key: eventKey(event) };
    }
    if (kind === 2)
      return { is: ['samples', person, inSession, time, id], key: sampleBlockKey(session, person, time, id) };
    if (kind === 3) return { is: ['visitor', visitor, inSession, roomName], key: sessionVisitorKey(session, visitor) };
    if (kind === 4) return { is: ['visitor of room', visitor, owner, roomName], key: roomVisitorKey(session, visitor) };
    return { is: ['start', owner, roomName, time, roomSessionId], key: sessionStartKey(session, time) };
  });

/** Two of them have one key only where they are one. */
function areToldApart(things: fc.Arbitrary<Thing>) {
  fc.assert(
    fc.property(things, things, (one, other) => {
      const areOne = JSON.stringify(one.is) === JSON.stringify(other.is);
      expect(JSON.stringify(one.key) === JSON.stringify(other.key)).toBe(areOne);
    }),
    { numRuns: 5_000 },
  );
}

describe('two different', () => {
  test('facts, blocks, marks or starts never have one key', () => areToldApart(factsOf));

  test.each<[string, (session: SessionKey, text: string) => Thing]>([
    [
      'rooms',
      ({ organizationId: owner, roomName }) => ({
        is: [owner, roomName],
        key: roomKey({ organizationId: owner, roomName }),
      }),
    ],
    ['sessions', (session) => ({ is: [session], key: sessionKey(session) })],
    ['participants', (session, text) => ({ is: [session, text], key: participantKey(session, text) })],
    [
      'participants of an organization',
      ({ organizationId: _, ...session }, text) => ({
        is: [session, text],
        key: { tieBreak: participantTieBreak({ ...session, organizationId: organizationId() }, text) },
      }),
    ],
    [
      'external ids',
      ({ organizationId: owner }, text) => ({
        is: [owner, text],
        key: { partition: organizationExternalId(owner, text) },
      }),
    ],
    [
      'external ids of a session',
      ({ roomName: _, ...session }, text) => ({
        is: [session, text],
        key: { partition: organizationSessionExternalId(session, text) },
      }),
    ],
  ])('%s never have one key', (_what, thingOf) => {
    areToldApart(fc.tuple(sessions, texts).map(([session, text]) => thingOf(session, text)));
  });

  test('kinds of owners never have one partition', () => {
    fc.assert(
      fc.property(sessions, sessions, (one, other) => {
        expect(organizationSession(one)).not.toBe(
          roomVisitorKey(other, { kind: 'recorder', visitorId: 'a' }).factOwner,
        );
      }),
    );
  });
});

describe('what is asked for by range is all of its kind, and nothing else', () => {
  const isWithin = ([first, last]: KeyRange, { factKey }: Readonly<Record<string, unknown>>) =>
    compareBytes(first, String(factKey)) <= 0 && compareBytes(String(factKey), last) <= 0;

  test("a session's own events, those of a participant, the starts of a room's sessions", () => {
    fc.assert(
      fc.property(factsOf, texts, ({ is: [kind, of], key }, person) => {
        expect(isWithin(sessionFacts, key)).toBe(kind === 'event');
        expect(isWithin(sessionStarts, key)).toBe(kind === 'start');
        expect(isWithin(clientFacts(person), key)).toBe(kind === 'event of' && of === person);
      }),
      { numRuns: 5_000 },
    );
  });

  test('the blocks of a participant from a time on, before another', () => {
    const bound = fc.option(times, { nil: undefined });
    fc.assert(
      fc.property(factsOf, texts, bound, bound, ({ is: [kind, of, , time], key }, person, from, to) => {
        const isMeant = kind === 'samples' && of === person;
        const isInTime = (!from || String(time) >= from) && (!to || String(time) < to);
        expect(isWithin(sampleBlocks(person, from, to), key)).toBe(isMeant && isInTime);
      }),
      { numRuns: 10_000 },
    );
  });

  test('in the order of time, then of id', () => {
    fc.assert(
      fc.property(times, times, eventIds, eventIds, (oneTime, otherTime, oneId, otherId) => {
        const keyOf = (time: string, id: string) => String(sampleBlockKey(daily, 'ann', time, id).factKey);
        const expected = compareBytes(oneTime, otherTime) || compareBytes(oneId, otherId);
        expect(Math.sign(compareBytes(keyOf(oneTime, oneId), keyOf(otherTime, otherId)))).toBe(Math.sign(expected));
      }),
    );
  });
});

describe('the longest names and ids there are', () => {
  const longest = 'a'.repeat(256);
  const session = {
    organizationId: organizationId('o'.repeat(64)),
    roomName: `/${'a'.repeat(511)}`,
    roomSessionId: uuid(1),
  };
  const visitor: Visitor = { kind: 'participant', visitorId: longest };
  const eventId = '\uffee'.repeat(128);
  const join = {
    ...withId(eventId, joined(longest, '09:00', { ...session, deviceId: longest })),
    organizationId: session.organizationId,
  };

  test.each(
    Object.entries({
      room: roomKey(session),
      session: sessionKey(session),
      participant: participantKey(session, longest),
      event: eventKey(join),
      block: sampleBlockKey(session, longest, at('09:00'), eventId),
      'mark of a session': sessionVisitorKey(session, visitor),
      'mark of a room': roomVisitorKey(session, visitor),
      start: sessionStartKey(session, at('09:00')),
    }),
  )('fit into the key of a %s, which begins with the organization', (_what, key) => {
    const [partition = '', sort = ''] = Object.values<string>(key);
    expect(Buffer.byteLength(partition)).toBeLessThanOrEqual(2048);
    expect(Buffer.byteLength(sort)).toBeLessThanOrEqual(1024);
    expect(partition).toMatch(/^o{64}(#|$)/);
  });

  test('fit into the keys of the indexes of external ids, which begin with the organization', () => {
    const { organizationId: owner } = session;
    for (const key of [organizationExternalId(owner, longest), organizationSessionExternalId(session, longest)]) {
      expect(Buffer.byteLength(key)).toBeLessThanOrEqual(2048);
      expect(key).toMatch(/^o{64}#/);
    }
  });

  test('fit into what a range is asked for with', () => {
    for (const range of [
      sessionFacts,
      sessionStarts,
      clientFacts(longest),
      sampleBlocks(longest, at('09:00'), at('10:00')),
    ])
      for (const key of range) expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1024);
  });
});
