import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionEvent, SessionFact } from '#shared/contracts/insights/session-events.ts';
import { nameOf } from '#shared/domain/insights/participant-record.ts';
import { noUsage, plus } from '#shared/domain/insights/usage.ts';
import {
  at,
  daily,
  ended,
  joined,
  later,
  left,
  permutations,
  rated,
  retracted,
  started,
  withId,
} from '../../../support/insights/session-facts.ts';
import { stayIn, viewOf } from '../../../support/insights/session-views.ts';

const people = ['ann', 'bob'];
const nine = '09:00';

/** Facts within one minute, many of them at the same time, and many leaves just before a join. */
const fact: fc.Arbitrary<SessionEvent> = fc
  .record({
    type: fc.constantFrom(joined, joined, left, left, rated, started, ended),
    person: fc.constantFrom(...people),
    halfSeconds: fc.nat(40),
    roleName: fc.constantFrom('guest', 'host', 'recorder'),
    rating: fc.integer({ min: 10, max: 50 }),
  })
  .map(({ type, person, halfSeconds, roleName, rating }) => {
    const time = later(nine, halfSeconds * 500);
    if (type === joined) return joined(person, time, { roleName });
    if (type === left) return left(person, time);
    if (type === rated) return rated(person, time, rating / 10);
    return type === started ? started(time) : ended(time);
  });
/** Each fact once: facts of the same time have different ids. */
const factsOf = fc
  .array(fact, { maxLength: 14 })
  .map((facts) => facts.map((event, index) => withId(`event-${index}`, event)));

const namesParticipant = ({ data }: SessionEvent, participantId: string) =>
  'participantId' in data && data.participantId === participantId;
const isOfSession = ({ type }: SessionEvent) => type.startsWith('room.session.');
const timesOf = (facts: readonly SessionFact[]) => facts.map(({ createdAt }) => createdAt).toSorted();
/** The session of the default room. */
const sessionOf = (facts: readonly SessionFact[]) => viewOf(facts).rooms.get(daily.roomName);

describe('the view of any facts', () => {
  test("needs only the session's and the participant's own facts for a participant", () => {
    fc.assert(
      fc.property(factsOf, fc.constantFrom(...people), (facts, person) => {
        const own = facts.filter((event) => isOfSession(event) || namesParticipant(event, person));
        const recordIn = (some: readonly SessionFact[]) =>
          viewOf(some).participants.find(({ participantId }) => participantId === person);
        expect(recordIn(own)).toEqual(recordIn(facts));
        expect(sessionOf(own)?.endedAt ?? null).toEqual(sessionOf(facts)?.endedAt ?? null);
      }),
      { numRuns: 1_000 },
    );
  });

  test('has one connection per join, which never ends before it starts, and each leave ends at most one', () => {
    fc.assert(
      fc.property(factsOf, (facts) => {
        const countOf = (type: string, person: string) =>
          facts.filter((event) => event.type === type && namesParticipant(event, person)).length;
        const isEnded = facts.some(({ type }) => type === 'room.session.ended');
        for (const person of people) {
          const { connections } = stayIn(facts, person);
          expect(connections).toHaveLength(countOf('room.client.joined', person));
          for (const { joined: join, leftAt } of connections)
            if (leftAt !== null) expect(leftAt >= join.createdAt).toBe(true);
          const closed = connections.filter(({ leftAt }) => leftAt !== null).length;
          if (isEnded) expect(closed).toBe(connections.length);
          else expect(closed).toBeLessThanOrEqual(countOf('room.client.left', person));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('has whole minutes that are never negative, and counts every rating', () => {
    fc.assert(
      fc.property(factsOf, (facts) => {
        const usage = sessionOf(facts)?.usage ?? noUsage;
        for (const value of Object.values(usage)) expect(Number.isInteger(value) && value >= 0).toBe(true);
        expect(usage.ratings).toBe(facts.filter(({ type }) => type === 'room.client.rated').length);
      }),
    );
  });

  test("has the sum of its participants' usage, and each of their visitors once", () => {
    fc.assert(
      fc.property(factsOf, (facts) => {
        const records = viewOf(facts).participants;
        const session = sessionOf(facts);
        expect(session?.usage ?? noUsage).toEqual(records.map(({ usage }) => usage).reduce(plus, noUsage));
        const names = records.flatMap(({ visitors }) => visitors.map(nameOf));
        expect(new Set(session?.visitors.keys() ?? [])).toEqual(new Set(names));
      }),
    );
  });

  test('with retractions is the view of the facts that are left, in any order', () => {
    const taken = factsOf.chain((facts) =>
      fc.subarray(facts).chain((some) => {
        const all: SessionFact[] = [...facts, ...some.map(retracted)];
        const order = fc.shuffledSubarray(all, { minLength: all.length });
        return order.map((shuffled) => ({ shuffled, kept: facts.filter((event) => !some.includes(event)) }));
      }),
    );
    fc.assert(
      fc.property(taken, ({ shuffled, kept }) => {
        const nothing = {
          ...{ startedAt: null, endedAt: null, usage: noUsage, visitors: new Map() },
          ...{ talk: null, missing: [], asOf: null },
        };
        // Of what was taken back, only its time is left.
        const heardAt = timesOf(shuffled.filter(({ type }) => type !== 'fact.retracted')).at(-1);
        expect(sessionOf(shuffled)).toEqual(heardAt && { ...(sessionOf(kept) ?? nothing), heardAt });
      }),
      { numRuns: 500 },
    );
  });
});

describe('the view of a session', () => {
  const facts = [
    joined('ann', '08:55'),
    started('09:00'),
    started('09:01'),
    ended('09:30'),
    ended('10:00'),
    left('ann', '10:05'),
  ];

  test('has the earliest start and the latest end in any order', () => {
    for (const order of permutations(facts))
      expect(sessionOf(order)).toMatchObject({ startedAt: at('09:00'), endedAt: at('10:00') });
  });

  test('uses the earliest event as its start if no start is known', () => {
    const known: readonly SessionEvent[] = [ended('09:40'), left('ann', '09:30'), rated('bob', '09:20', 5)];
    for (let count = 1; count <= known.length; count++) {
      const some = known.slice(0, count);
      expect(sessionOf(some)?.startedAt).toBe(some.map(({ createdAt }) => createdAt).toSorted()[0]);
    }
  });

  test('has no room without an event', () => {
    expect(viewOf([]).rooms).toEqual(new Map());
    expect(viewOf([retracted(started('09:00'))]).rooms).toEqual(new Map());
  });
});
