import { describe, expect, test } from 'vitest';
import type { SessionFact } from '#shared/contracts/session-events.ts';
import { ServiceUnavailable } from '#shared/errors.ts';
import { recordRoomCreated } from '#shared/use-cases/record-room-created.ts';
import { recordSessionEvents } from '#shared/use-cases/record-session-events.ts';
import { uuid } from '../../support/records.ts';
import { at, created, joined, left, rated, started } from '../../support/session-facts.ts';
import { watchedStore } from '../../support/watched-insights.ts';

describe('recording the events of a session', () => {
  const events = [started('09:00'), joined('ann', '09:01'), rated('ann', '09:09', 4), left('ann', '09:10')];

  test('changes session and room in one transaction', async () => {
    const { record, changes, session, room } = watchedStore();
    await record(...events);
    expect(changes).toHaveLength(1);
    const totals = { totalParticipantMinutes: 9, totalUniqueParticipants: 1, rating: 4, totalRatings: 1 };
    expect(session()).toMatchObject({ startedAt: at('09:00'), endedAt: null, ...totals });
    expect(room()).toMatchObject({ firstSessionStartedAt: at('09:00'), totalSessions: 1, ...totals });
  });

  test('stores all events before it reads anything, even if storing is slow', async () => {
    const { deps, calls } = watchedStore();
    const keep = async (event: SessionFact) => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      return deps.facts.keep(event);
    };
    await recordSessionEvents({ ...deps, facts: { ...deps.facts, keep } }, events);
    expect(calls.slice(0, events.length)).toEqual(events.map(() => 'put fact'));
    expect(calls.lastIndexOf('put fact')).toBe(events.length - 1);
  });

  test('gives the same result for events one at a time and in any order', async () => {
    const [forward, backward] = [watchedStore(), watchedStore()];
    for (const event of events) await forward.record(event);
    for (const event of events.toReversed()) await backward.record(event);
    expect(backward.session()).toEqual(forward.session());
    expect(backward.room()).toEqual(forward.room());
  });

  test('changes only the version if events are repeated, so that a concurrent worker reads again', async () => {
    const { record, changes } = watchedStore();
    await record(...events);
    await record(...events);
    await record(...events.toReversed());
    const [first, ...others] = changes;
    const nothing = {
      ...{ room: null, participants: [], goneParticipants: [], movedStart: null },
      ...{ sessionVisitors: [], goneVisitors: [], roomMarks: [] },
    };
    const session = (version: number) => ({ ...first?.session, version });
    expect(others).toEqual([
      { session: session(1), ...nothing },
      { session: session(2), ...nothing },
    ]);
  });

  test('counts events that a failed worker stored, with the next event of the same participant', async () => {
    const { record, deps, session } = watchedStore();
    const [start, join, ...rest] = events;
    for (const event of rest) await deps.facts.keep(event);
    await record(...[start, join].filter((event) => event !== undefined));
    expect(session()).toMatchObject({ totalParticipantMinutes: 9, totalRatings: 1 });
  });

  test('does nothing without events', async () => {
    const { record, calls } = watchedStore();
    await record();
    expect(calls).toEqual([]);
  });

  test('treats one session id in two rooms as two sessions', async () => {
    const { record, store } = watchedStore();
    await record(...events);
    await record(joined('ann', '09:02', { roomName: '/other' }));
    expect([...store.sessions.values()].map(({ roomName, usage }) => [roomName, usage.participantMinutes])).toEqual([
      ['/daily', 9],
      ['/other', 0],
    ]);
  });

  test('counts a visitor of two sessions of a room once for the room', async () => {
    const { record, room } = watchedStore();
    await record(...events);
    await record(joined('ann', '10:00', { roomSessionId: uuid(4) }));
    expect(room()).toMatchObject({ totalSessions: 2, totalUniqueParticipants: 1, lastSessionStartedAt: at('10:00') });
  });
});

describe('a lost race', () => {
  const join = joined('ann', '09:00');

  test('for the session is retried from the stored state', async () => {
    const { record, countOf, changes, session } = watchedStore((commits) =>
      commits <= 3 ? 'session-changed' : undefined,
    );
    await record(join);
    expect(changes).toHaveLength(4);
    expect(countOf('get session')).toBe(4);
    expect(session()).toMatchObject({ totalUniqueParticipants: 1 });
  });

  test('for the room reads only the room again, not the session', async () => {
    const { record, countOf, session } = watchedStore((commits) => (commits <= 3 ? 'room-changed' : undefined));
    await record(join);
    expect([countOf('get room'), countOf('get session'), countOf('query facts')]).toEqual([4, 1, 2]);
    expect(session()).toMatchObject({ totalUniqueParticipants: 1 });
  });

  test('against a worker that recorded the same events leaves nothing to change', async () => {
    const { record, changes, store } = watchedStore((commits) => {
      if (commits > 1) return undefined;
      const [change] = changes;
      if (change) void store.ports().insights.commit(change);
      return 'session-changed';
    });
    await record(join);
    expect(changes.map(({ participants }) => participants.length)).toEqual([1, 0]);
  });

  test.each(['session-changed', 'room-changed'] as const)(
    'that repeats (%s) ends in an error, so that the message is retried',
    async (outcome) => {
      const { record, changes, countOf, store, pausesMs } = watchedStore(() => outcome);
      await expect(record(join)).rejects.toThrow(ServiceUnavailable);
      expect([countOf('put fact'), store.sessions.size]).toEqual([1, 0]);
      expect(changes.length).toBeGreaterThanOrEqual(20);
      expect(changes.length).toBeLessThanOrEqual(50);
      expect(pausesMs).toHaveLength(changes.length - 1);
    },
  );

  test('is not retried if too little time is left', async () => {
    const { deps, changes } = watchedStore(() => 'room-changed');
    const assertTimeLeft = () => {
      if (changes.length === 3) throw new Error('too late');
    };
    await expect(recordSessionEvents(deps, [join], assertTimeLeft)).rejects.toThrow('too late');
    expect(changes).toHaveLength(3);
  });

  test('is followed by a short, random pause', async () => {
    const { record, pausesMs } = watchedStore(() => 'room-changed');
    await record(join).catch(() => undefined);
    expect(Math.min(...pausesMs)).toBeGreaterThanOrEqual(0);
    expect(pausesMs[0]).toBeLessThanOrEqual(20);
    expect(Math.max(...pausesMs)).toBeLessThanOrEqual(600);
    expect(Math.max(...pausesMs)).toBeGreaterThan(100);
    expect(new Set(pausesMs).size).toBe(pausesMs.length);
    // All pauses together leave the function enough time to answer.
    expect(pausesMs.length * 600).toBeLessThan(25_000);
  });
});

describe('recording a created room', () => {
  test('writes it once, and again only if an event has something new', async () => {
    const { deps, countOf, room } = watchedStore();
    for (const event of [created('09:00', '18:00'), created('09:00', '18:00'), created('10:00', '19:00')])
      await recordRoomCreated(deps, event);
    expect(countOf('commit room')).toBe(2);
    expect(room()).toMatchObject({ createdAt: at('09:00'), endAt: at('19:00'), totalSessions: 0 });
  });

  test('reads the room again if its sessions change it meanwhile, and throws after the last attempt', async () => {
    const { deps, room } = watchedStore();
    let lostRaces = 3;
    const busy = {
      ...deps.insights,
      commitRoom: async (record: never) => lostRaces-- <= 0 && deps.insights.commitRoom(record),
    };
    await recordRoomCreated({ ...deps, insights: busy }, created('09:00'));
    expect(room()).toMatchObject({ createdAt: at('09:00') });
    const never = { ...deps.insights, commitRoom: async () => false };
    await expect(recordRoomCreated({ ...deps, insights: never }, created('10:00', '18:00'))).rejects.toThrow(
      ServiceUnavailable,
    );
  });
});
