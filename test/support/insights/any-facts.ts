import fc from 'fast-check';
import type { SessionEvent, SessionFact } from '#shared/contracts/insights/session-events.ts';
import { uuid } from '../operations/records.ts';
import {
  daily,
  ended,
  inferred,
  joined,
  later,
  left,
  rated,
  retracted,
  retractedEverywhere,
  started,
  updated,
  withId,
} from './session-facts.ts';

const kinds = [joined, joined, left, left, rated, updated, started, ended];
const anyPlace = { roomName: fc.constantFrom('/daily', '/other'), roomSessionId: fc.constant(daily.roomSessionId) };

/** Any event within one minute: many have the same time, and leaves are often just before a join. Two people may use one device. */
const anyEvent = (place: typeof anyPlace): fc.Arbitrary<SessionEvent> =>
  fc
    .record({
      ...{ type: fc.constantFrom(...kinds), place: fc.record(place) },
      ...{
        isInferred: fc.constantFrom(false, false, true),
        numClients: fc.constantFrom(undefined, undefined, 0, 1, 2),
        connectionId: fc.constantFrom(undefined, 'one', 'two'),
        exclusive: fc.constantFrom(undefined, undefined, true),
      },
      ...{
        person: fc.constantFrom('ann', 'bob'),
        halfSeconds: fc.nat(40),
        deviceId: fc.constantFrom('phone', 'laptop'),
      },
      ...{ roleName: fc.constantFrom('guest', 'host', 'recorder'), rating: fc.integer({ min: 10, max: 50 }) },
    })
    .map(({ type, place: where, person, halfSeconds, deviceId, roleName, rating, isInferred, ...client }) => {
      const { numClients, connectionId } = client;
      const certain = <Event extends SessionEvent>(event: Event): Event => (isInferred ? inferred(event) : event);
      const time = later('09:00', halfSeconds * 500);
      if (type === joined) return certain(joined(person, time, { roleName, deviceId, ...client, ...where }));
      if (type === left) return certain(left(person, time, { numClients, connectionId, ...where }));
      if (type === updated) return updated(person, time, { deviceId, spokenSeconds: rating, ...where });
      if (type === rated) return rated(person, time, rating / 10, where);
      return certain(type === started ? started(time, where) : ended(time, where));
    });

/**
 * Any facts of sessions in two rooms: different events, of which some share an id, and retractions of some of them, in the event's room
 * or in every room.
 */
export function anyFacts({ sessions = 1, maxLength = 14 } = {}): fc.Arbitrary<SessionFact[]> {
  const ids = Array.from({ length: sessions }, (_, index) => uuid(3 + index));
  const place = { ...anyPlace, roomSessionId: fc.constantFrom(...ids) };
  const event = fc.tuple(anyEvent(place), fc.option(fc.nat(5)), fc.constantFrom('none', 'none', 'room', 'session'));
  const identityOf = ([{ type, createdAt, data, inferred: guessed }, shared]: readonly [
    SessionEvent,
    number | null,
    string,
  ]) =>
    JSON.stringify([
      type.replace('left', 'joined'),
      createdAt,
      'participantId' in data && data.participantId,
      shared,
      guessed,
    ]);
  return fc.uniqueArray(event, { maxLength, selector: (each) => identityOf(each) }).map((events) =>
    events.flatMap(([each, shared, taken], index): SessionFact[] => {
      const fact = withId(shared === null ? `event-${index}` : `shared-${shared}`, each);
      if (taken === 'none') return [fact];
      const { roomName, roomSessionId } = fact.data;
      const retraction = taken === 'room' ? retracted(fact) : retractedEverywhere(fact);
      const place = { roomSessionId, ...(taken === 'room' && { roomName }) };
      return [fact, { ...retraction, data: { ...retraction.data, ...place } }];
    }),
  );
}

/** The items in another order. */
export function inAnyOrder<Item>(items: readonly Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length });
}

/** The items in their order as one part or several. */
export function inAnyParts<Item>(items: readonly Item[]): fc.Arbitrary<Item[][]> {
  return fc.array(fc.boolean(), { minLength: items.length, maxLength: items.length }).map((cuts) => {
    const parts: Item[][] = [[]];
    for (const [index, item] of items.entries()) {
      if (cuts[index]) parts.push([]);
      parts.at(-1)?.push(item);
    }
    return parts;
  });
}
