import type { PlatformEvent } from '#tools/simulation/events.ts';
import { scriptOf } from './session-script.ts';

const otherSession = '5e551011-0000-4000-8000-000000000002';
type History = (organizationId: string) => PlatformEvent[];

/** Short histories for which the order of arrival is most likely to matter. */
export const shortHistories: Readonly<Record<string, History>> = {
  'a whole session with a rating': (organizationId) => {
    const { started, joined, left, rated, ended } = scriptOf(organizationId);
    return [started(0), joined('ada', 5), rated('ada', 50, 4), left('ada', 66), ended(120)];
  },
  'two overlapping connections, one of them ended by the later of two ends of the session': (organizationId) => {
    const { joined, left, ended } = scriptOf(organizationId);
    const again = joined('ada', 30, { deviceId: 'another device', displayName: 'displaycanary again' });
    return [joined('ada', 0), again, left('ada', 70), ended(200), ended(140)];
  },
  'two overlapping connections, each ended by a leave': (organizationId) => {
    const { joined, left, ended } = scriptOf(organizationId);
    const again = joined('ada', 30, { deviceId: 'another device' });
    return [joined('ada', 0), again, left('ada', 61), left('ada', 120), ended(300)]; // the minutes show which connection ended first
  },
  'a reconnection and a leave that precedes the join that it ends': (organizationId) => {
    const { joined, left, ended } = scriptOf(organizationId);
    return [joined('ada', 0), left('ada', 61), left('ada', 97), joined('ada', 100), ended(300)];
  },
  'a recorder, a streamer, a captioner and a person on one device': (organizationId) => {
    const { joined, left, ended } = scriptOf(organizationId);
    const device = { deviceId: 'the device', userId: undefined };
    return [
      joined('rec', 0, { ...device, roleName: 'recorder' }),
      joined('live', 1, { ...device, roleName: 'streamer' }),
      joined('cap', 1, { ...device, roleName: 'captioner' }),
      joined('ada', 2, device),
      left('rec', 59),
      ended(121),
    ];
  },
  'two sessions of one room with the same visitor': (organizationId) => {
    const one = scriptOf(organizationId);
    const two = scriptOf(organizationId, { roomSessionId: otherSession });
    const samePerson = { userId: 'one and the same' };
    return [
      one.created(-10, '2026-03-02T00:00:00Z'),
      one.joined('ada', 0, samePerson),
      one.ended(90),
      two.joined('ada', 3600, samePerson),
      two.started(3590),
      two.left('ada', 3700),
    ];
  },
  'one session id in two rooms': (organizationId) => {
    const one = scriptOf(organizationId);
    const two = scriptOf(organizationId, { roomName: '/elsewhere' });
    return [one.joined('ada', 0), two.joined('ada', 10), one.ended(90), two.rated('ada', 130, 4)];
  },
  'two starts, a leave and a join after the end': (organizationId) => {
    const { started, joined, left, ended } = scriptOf(organizationId);
    return [started(0), started(-30), joined('ada', 5), ended(100), left('ada', 130), joined('bob', 170)];
  },
  'joins of a visitor of two people and two sessions, of which some are taken back': (organizationId) => {
    const one = scriptOf(organizationId);
    const two = scriptOf(organizationId, { roomSessionId: otherSession });
    const samePerson = { userId: 'one and the same' };
    const joins = [one.joined('ada', 0, samePerson), one.joined('bob', 10, samePerson)];
    const elsewhere = two.joined('ada', 3600, samePerson);
    return [...joins, elsewhere, one.retracted(joins[0] as PlatformEvent), two.retracted(elsewhere), one.ended(90)];
  },
  'a session whose start, end and rating are taken back': (organizationId) => {
    const { started, joined, ended, rated, retracted } = scriptOf(organizationId);
    const wrong = [started(-30), ended(200), rated('ada', 20, 1)];
    return [...wrong, joined('ada', 5), ...wrong.map(retracted)];
  },
  'a room and a session of which everything is taken back': (organizationId) => {
    const { created, joined, retracted } = scriptOf(organizationId);
    const events = [created(0, '2026-03-02T00:00:00Z'), created(-10), joined('ada', 5)];
    return [...events, ...events.map(retracted)];
  },
  'events with one id in two rooms with one session id, which are taken back in one room, both or none': (
    organizationId,
  ) => {
    const one = scriptOf(organizationId);
    const two = scriptOf(organizationId, { roomName: '/elsewhere' });
    const inBoth = [one.joined('ada', 0), { ...two.joined('ada', 10), id: 'in both' }] as const;
    const inOne = { ...two.joined('bob', 20), id: 'in one' };
    const { roomName: _, ...ofAnyRoom } = one.retracted({ ...inBoth[0], id: 'in both' }).data;
    return [
      { ...inBoth[0], id: 'in both' },
      ...[inBoth[1], inOne, one.retracted(inOne), one.ended(90)],
      { ...one.retracted(inBoth[0]), data: ofAnyRoom },
    ];
  },
  'a guessed leave that an observed one replaces, after another leave ended a second connection': (organizationId) => {
    const { joined, left, ended } = scriptOf(organizationId);
    const named = (event: PlatformEvent, connectionId: string) =>
      ({ ...event, data: { ...event.data, connectionId } }) as PlatformEvent;
    return [
      named(joined('ada', 0), 'one'),
      named(joined('ada', 1, { roleName: 'streamer' }), 'two'),
      { ...named(left('ada', 30), 'one'), inferred: true, reason: 'test' } as PlatformEvent,
      left('ada', 64),
      named(left('ada', 200), 'one'),
      ended(400),
    ];
  },
  'a guessed join that an observed one in another room with the same session id replaces': (organizationId) => {
    const one = scriptOf(organizationId);
    const two = scriptOf(organizationId, { roomName: '/elsewhere' });
    const guessed = { ...one.joined('ada', 0), id: 'in both', inferred: true, reason: 'test' } as PlatformEvent;
    return [guessed, { ...two.joined('ada', 0), id: 'in both' }, two.left('ada', 61), two.ended(90)];
  },
  'a room created three times': (organizationId) => {
    const { created, joined } = scriptOf(organizationId);
    return [created(0, '2026-03-02T00:00:00Z'), created(60), created(30, '2026-03-03T00:00:00Z'), joined('ada', 45)];
  },
};

/** All permutations of the items. */
export function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
