import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '#shared/contracts/session-events.ts';
import { participantRecord } from '#shared/domain/participant-record.ts';
import { projectSession } from '#shared/domain/session-projection.ts';
import {
  at,
  daily,
  ended,
  joined,
  later,
  left,
  permutations,
  rated,
  started,
  withId,
} from '../../support/session-facts.ts';

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
const shuffled = factsOf.chain((facts) =>
  fc.shuffledSubarray(facts, { minLength: facts.length }).map((order) => [facts, order] as const),
);

const namesParticipant = ({ data }: SessionEvent, participantId: string) =>
  'participantId' in data && data.participantId === participantId;
const isOfSession = ({ type }: SessionEvent) => type.startsWith('room.session.');
const participantIn = (facts: readonly SessionEvent[], participantId: string) =>
  projectSession(facts).participants.find((participant) => participant.participantId === participantId);
const byId = <Item extends { readonly participantId: string }>(items: readonly Item[]) =>
  items.toSorted((one, other) => (one.participantId < other.participantId ? -1 : 1));

describe('the projection of any facts', () => {
  test('is the same in every order of the facts', () => {
    fc.assert(
      fc.property(shuffled, ([facts, order]) => {
        const [one, other] = [projectSession(facts), projectSession(order)];
        expect({ ...other, participants: byId(other.participants) }).toEqual({
          ...one,
          participants: byId(one.participants),
        });
      }),
      { numRuns: 1_000 },
    );
  });

  test("needs only the session's and the participant's own facts for a participant", () => {
    fc.assert(
      fc.property(factsOf, fc.constantFrom(...people), (facts, person) => {
        const own = facts.filter((event) => isOfSession(event) || namesParticipant(event, person));
        expect(participantIn(own, person)).toEqual(participantIn(facts, person));
        const { endedAt, observedStartAt } = projectSession(facts);
        expect(projectSession(own)).toMatchObject({ endedAt, observedStartAt });
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
          const connections = participantIn(facts, person)?.connections ?? [];
          expect(connections).toHaveLength(countOf('room.client.joined', person));
          for (const { joined: join, leftAt, endsWithSession } of connections) {
            if (leftAt !== null) expect(leftAt >= join.createdAt).toBe(true);
            if (endsWithSession) expect(leftAt !== null).toBe(isEnded);
          }
          const byLeave = connections.filter(({ endsWithSession }) => !endsWithSession);
          expect(byLeave.length).toBeLessThanOrEqual(countOf('room.client.left', person));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('has whole minutes that are never negative, and counts every rating', () => {
    fc.assert(
      fc.property(factsOf, (facts) => {
        for (const participant of projectSession(facts).participants) {
          const { usage } = participantRecord(daily, participant, null);
          for (const value of Object.values(usage)) expect(Number.isInteger(value) && value >= 0).toBe(true);
          expect(usage.ratings).toBe(participant.ratings.length);
        }
      }),
    );
  });
});

describe('the projection of a session', () => {
  const facts = [
    joined('ann', '08:55'),
    started('09:00'),
    started('09:01'),
    ended('09:30'),
    ended('10:00'),
    left('ann', '10:05'),
  ];

  test('has the earliest start and the latest end in any order', () => {
    for (const order of permutations(facts)) {
      expect(projectSession(order)).toMatchObject({
        observedStartAt: at('09:00'),
        earliestAt: at('08:55'),
        endedAt: at('10:00'),
      });
    }
  });

  test('uses the earliest event as its start if no start is known', () => {
    const known: readonly SessionEvent[] = [ended('09:40'), left('ann', '09:30'), rated('bob', '09:20', 5)];
    for (let count = 1; count <= known.length; count++) {
      const some = known.slice(0, count);
      const earliestAt = some.map(({ createdAt }) => createdAt).toSorted()[0];
      expect(projectSession(some)).toMatchObject({ observedStartAt: null, earliestAt });
    }
  });

  test('is undefined without facts', () => {
    expect(projectSession([])).toEqual({ observedStartAt: null, earliestAt: null, endedAt: null, participants: [] });
  });
});
