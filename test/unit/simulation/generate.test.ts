import { describe, expect, it } from 'vitest';
import { RoomEvent } from '#shared/contracts/events.ts';
import { MeasuredEvent } from '#shared/contracts/insights/network-samples.ts';
import type { EventOf, PlatformEvent } from '#tools/simulation/events.ts';
import { queueOf } from '#tools/simulation/events.ts';
import { generateHistory, type HistoryPlan, roomNameOf } from '#tools/simulation/generate.ts';
import { recount } from '#tools/simulation/recount.ts';
import { taken } from '../../support/issues.ts';
import { acme } from './platform-events.ts';

const plan: HistoryPlan = {
  ...{ organizationId: acme, rooms: 5, sessions: 4, participants: 6 },
  ...{ seed: 1, day: '2026-03-02T00:00:00.000Z', roomPrefix: '/sim-' },
};
const seeds = [1, 2, 3, 4, 5];

const ofType = <Type extends PlatformEvent['type']>(events: readonly PlatformEvent[], type: Type) =>
  events.filter((event) => event.type === type) as EventOf<Type>[];
const joinsOf = (events: readonly PlatformEvent[]) => ofType(events, 'room.client.joined');
const leavesOf = (events: readonly PlatformEvent[]) => ofType(events, 'room.client.left');
const byParticipant = <Event extends { readonly data: { readonly participantId: string } }>(events: readonly Event[]) =>
  Map.groupBy(events, ({ data }) => data.participantId);

describe('generateHistory', () => {
  it('returns the same history for the same plan', () => {
    expect(generateHistory({ ...plan })).toEqual(generateHistory(plan));
  });

  it.each([{ seed: 2 }, { organizationId: 'other' }, { day: '2026-03-03T00:00:00.000Z' }])(
    'shares no ID with the history of %o',
    (other) => {
      const idsOf = (events: readonly PlatformEvent[]) =>
        JSON.stringify(events).match(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|crm-[\da-f-]+/g) ?? [];
      const ids = new Set(idsOf(generateHistory(plan)));

      expect(idsOf(generateHistory({ ...plan, ...other })).filter((id) => ids.has(id))).toEqual([]);
    },
  );

  it('keeps the first room unchanged if the plan has more rooms', () => {
    const inFirstRoom = (events: readonly PlatformEvent[]) =>
      events.filter(({ data }) => 'roomName' in data && data.roomName === roomNameOf(plan, 0));

    expect(inFirstRoom(generateHistory({ ...plan, rooms: 1 }))).toEqual(inFirstRoom(generateHistory(plan)));
  });

  it('creates the planned rooms and sessions, and one room without a session', () => {
    const { rooms, sessionsOf, clientsOf } = recount(acme, generateHistory({ ...plan, rooms: 13 }));

    expect(rooms.filter(({ totalSessions }) => totalSessions === 4)).toHaveLength(13);
    expect(rooms.filter(({ totalSessions }) => totalSessions === 0)).toHaveLength(1);
    const sizes = rooms.flatMap(({ roomName }) =>
      sessionsOf(roomName).map(({ roomSessionId }) => clientsOf(roomSessionId).length),
    );
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([5, 9]); // one participant whose join is lost; a recorder, a streamer and a captioner
  });

  it('orders events by time and gives each event its own ID', () => {
    const events = generateHistory(plan);
    const times = events.map(({ createdAt }) => createdAt);

    expect(times).toEqual(times.toSorted());
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  it.each(seeds)('creates events that the queues accept (seed %i)', (seed) => {
    for (const event of generateHistory({ ...plan, seed, samplesOfAll: true })) {
      const schema = queueOf(event) === 'networkSamples' ? MeasuredEvent : RoomEvent;
      expect(taken(schema, event)).toMatchObject({ id: event.id, type: event.type });
    }
  });
});

describe.each(seeds)('the history with seed %i contains', (seed) => {
  const events = generateHistory({ ...plan, seed });
  const { rooms, sessionsOf, participantsOf, detailsOf } = recount(acme, events);
  const sessions = rooms.flatMap(({ roomName }) => sessionsOf(roomName));
  const joins = joinsOf(events);
  const joinsByParticipant = byParticipant(joins);
  const leavesByParticipant = byParticipant(leavesOf(events));
  const counts = [...joinsByParticipant].map(([id, own]) => [own.length, leavesByParticipant.get(id)?.length ?? 0]);

  it('a participant on a bad network with five reconnections, packet loss, gaps and a low rating', () => {
    const found = joins.find(({ data }) => data.displayName.endsWith('(bad network)'));
    const { roomSessionId = '', participantId = '' } = found?.data ?? {};
    const details = detailsOf(roomSessionId, participantId);
    const losses = details.flatMap(({ samples }) => samples.packetLossSend);

    expect(details).toHaveLength(6);
    expect(losses).toContain(null);
    expect(Math.min(...losses.filter((loss) => loss !== null))).toBeGreaterThanOrEqual(8);
    expect(participantsOf(roomSessionId)).toContainEqual(
      expect.objectContaining({ participantId, rating: expect.toSatisfy((rating) => rating <= 2) }),
    );
  });

  it('overlapping connections and successive connections of one participant', () => {
    const isOverlap = ([id, own]: readonly [string, readonly PlatformEvent[]]) => {
      const [first, second] = own;
      const [leave] = leavesByParticipant.get(id) ?? [];
      return first && second && leave && second.createdAt < leave.createdAt && own.length === 2;
    };

    expect([...joinsByParticipant].some(isOverlap)).toBe(true);
    expect(counts).toContainEqual([2, 2]);
    expect(counts).toContainEqual([3, 3]);
  });

  it('lost leaves, joins, starts and ends', () => {
    expect(counts).toContainEqual([1, 0]);
    expect([...leavesByParticipant.keys()].some((id) => !joinsByParticipant.has(id))).toBe(true);
    expect(ofType(events, 'room.session.started').length).toBeLessThan(sessions.length);
    expect(sessions.filter(({ endedAt }) => endedAt === null).length).toBeGreaterThan(1);
  });

  it('a leave dated before its join', () => {
    const firstTimes = [...joinsByParticipant].map(([id, [join]]) => [
      join?.createdAt ?? '',
      leavesByParticipant.get(id)?.[0]?.createdAt ?? '9999',
    ]);

    expect(firstTimes.some(([join = '', leave = '']) => leave <= join)).toBe(true);
  });

  it('speech of participants with samples, in minutes with and without it', () => {
    const spoke = ofType(events, 'room.client.spoke');
    const [speakers, sampled] = [byParticipant(spoke), byParticipant(ofType(events, 'room.client.sampled'))];

    expect(speakers.size).toBeGreaterThan(0);
    expect([...speakers.keys()].filter((id) => !sampled.has(id))).toEqual([]);
    expect(spoke.length).toBeLessThan(ofType(events, 'room.client.sampled').length);
    expect(Math.max(...spoke.map(({ data }) => data.intervals.length))).toBeGreaterThan(1);
  });

  it('a recorder and a streamer, and sessions without them', () => {
    expect(new Set(sessions.map(({ totalUniqueRecorders }) => totalUniqueRecorders))).toEqual(new Set([0, 1]));
    expect(new Set(sessions.map(({ totalUniqueStreamers }) => totalUniqueStreamers))).toEqual(new Set([0, 1]));
    expect(Math.max(...rooms.map(({ totalUniqueRecorders }) => totalUniqueRecorders))).toBe(1);
  });

  it('participants without a user, without an external ID and without a user agent', () => {
    for (const name of ['userId', 'externalId', 'userAgent'] as const) {
      expect(new Set(joins.map(({ data }) => data[name] === undefined))).toEqual(new Set([true, false]));
    }
  });

  it('people who join several sessions of a room', () => {
    const room = rooms.find(({ totalSessions }) => totalSessions > 0);
    const sum = sessionsOf(room?.roomName ?? '').reduce((total, each) => total + each.totalUniqueParticipants, 0);

    expect(room?.totalUniqueParticipants).toBeLessThan(sum);
  });

  it('ratings with and without tags and comments, and text with characters beyond U+FFFF', () => {
    const ratings = ofType(events, 'room.client.rated');

    expect(new Set(ratings.map(({ data }) => data.tags === undefined))).toEqual(new Set([true, false]));
    expect(new Set(ratings.map(({ data }) => data.comment === undefined))).toEqual(new Set([true, false]));
    expect(JSON.stringify(events)).toMatch(/\p{Extended_Pictographic}/u);
  });

  it('a live session as the last session of the first room', () => {
    const live = sessionsOf(roomNameOf(plan, 0)).toSorted((one, other) =>
      one.startedAt < other.startedAt ? 1 : -1,
    )[0];
    const people = participantsOf(live?.roomSessionId ?? '');

    expect(live?.endedAt).toBeNull();
    expect(people.length).toBeGreaterThan(0);
    expect(people.filter(({ leftAt }) => leftAt !== null)).toEqual([]);
  });

  it('rooms without a creation event, with two of them, and without an end', () => {
    const creations = Map.groupBy(ofType(events, 'room.created'), ({ data }) => data.roomName);

    expect(new Set(rooms.map(({ roomName }) => creations.get(roomName)?.length ?? 0))).toEqual(new Set([0, 1, 2]));
    expect(rooms.some(({ endAt }) => endAt === null)).toBe(true);
  });
});
