import { describe, expect, test } from 'vitest';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { recordRoomCreated } from '#shared/use-cases/insights/record-room-created.ts';
import { recordSessionEvents } from '#shared/use-cases/insights/record-session-events.ts';
import {
  at,
  created,
  daily,
  joined,
  left,
  rated,
  retracted,
  started,
} from '../../../support/insights/session-facts.ts';
import { watchedStore } from '../../../support/insights/watched-insights.ts';
import { uuid } from '../../../support/operations/records.ts';

const events = [started('09:00'), joined('ann', '09:01'), rated('ann', '09:09', 4), left('ann', '09:10')];

describe('recording the events of a session', () => {
  test('changes session and room in one transaction', async () => {
    const { record, changes, session, room } = watchedStore();
    await record(...events);
    expect(changes).toHaveLength(1);
    const totals = { totalParticipantMinutes: 9, totalUniqueParticipants: 1, rating: 4, totalRatings: 1 };
    expect(session()).toMatchObject({ startedAt: at('09:00'), endedAt: null, ...totals });
    expect(room()).toMatchObject({ firstSessionStartedAt: at('09:00'), totalSessions: 1, ...totals });
  });

  test('stores all events as one block before the change, and the lists after it', async () => {
    const { record, calls, countOf, store } = watchedStore();
    await record(...events);
    expect(store.blocksOf(daily)).toMatchObject([{ number: 1, facts: events }]);
    expect(countOf('put block')).toBe(1);
    const order = ['put block', 'commit', 'put list item'].map((name) => calls.indexOf(name));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(store.participantsOf(daily)).toMatchObject([{ participantId: 'ann', leftAt: at('09:10'), rating: 4 }]);
  });

  test('gives the same result for events one at a time and in any order', async () => {
    const [forward, backward] = [watchedStore(), watchedStore()];
    for (const event of events) await forward.record(event);
    for (const event of events.toReversed()) await backward.record(event);
    expect(backward.session()).toEqual(forward.session());
    expect(backward.room()).toEqual(forward.room());
    expect(backward.store.participantsOf(daily)).toEqual(forward.store.participantsOf(daily));
  });

  test('stores and changes nothing if events are repeated', async () => {
    const { record, changes, calls, store } = watchedStore();
    await record(...events);
    calls.splice(0);
    await record(...events);
    await record(...events.toReversed());
    expect([changes.length, store.blocksOf(daily).length]).toEqual([1, 1]);
    expect(calls.filter((name) => /put|commit/.test(name))).toEqual([]);
  });

  test('does nothing without events', async () => {
    const { record, calls } = watchedStore();
    await record();
    expect(calls).toEqual([]);
  });

  test('stores a retraction alone, and creates no session', async () => {
    const { record, changes, store } = watchedStore();
    const [start] = events;
    if (start) await record(retracted(start));
    expect([changes.length, store.blocksOf(daily).length, store.sessions.size]).toEqual([0, 1, 0]);
    await record(...events);
    expect([...store.sessions.values()]).toMatchObject([{ startedAt: at('09:01'), version: 2 }]);
  });

  test('treats one session id in two rooms as two sessions, which have one log', async () => {
    const { record, store } = watchedStore();
    await record(...events);
    await record(joined('ann', '09:02', { roomName: '/other' }));
    const rows = [...store.sessions.values()];
    expect(rows.map(({ roomName, usage, version }) => [roomName, usage.participantMinutes, version])).toEqual([
      ['/daily', 9, 2],
      ['/other', 0, 2],
    ]);
  });

  test('counts a visitor of two sessions of a room once for the room', async () => {
    const { record, room } = watchedStore();
    await record(...events);
    await record(joined('ann', '10:00', { roomSessionId: uuid(4) }));
    expect(room()).toMatchObject({ totalSessions: 2, totalUniqueParticipants: 1, lastSessionStartedAt: at('10:00') });
  });
});

describe('after a worker has died', () => {
  test('between its block and its commit, any further event counts its events', async () => {
    const { record, deps, session, changes } = watchedStore();
    await deps.facts.append(daily, 1, events.slice(1));
    await record(...events.slice(0, 1));
    expect(session()).toMatchObject({ startedAt: at('09:00'), totalParticipantMinutes: 9, totalRatings: 1 });
    expect(changes).toMatchObject([{ to: 2, rooms: [{ session: { version: 0 } }] }]);
  });

  test('between its block and its commit, its repeated events are counted', async () => {
    const { record, deps, session, store } = watchedStore();
    await deps.facts.append(daily, 1, events);
    await record(...events);
    expect(session()).toMatchObject({ totalParticipantMinutes: 9 });
    expect(store.participantsOf(daily)).toHaveLength(1);
  });

  test.each([
    ['its repeated events', events, 1],
    ['the events of another participant', [joined('bob', '09:02')], 2],
  ])('between its commit and the lists, the lists are completed by %s', async (_what, further, count) => {
    const { record, deps, changes, store } = watchedStore();
    const insights = { ...deps.insights, writeParticipants: () => Promise.reject(new Error('dead')) };
    await expect(recordSessionEvents({ ...deps, insights }, events)).rejects.toThrow('dead');
    expect([changes.length, store.participantsOf(daily)]).toEqual([1, []]);
    await record(...further);
    const listed = store.participantsOf(daily);
    expect(listed[0]).toMatchObject({ participantId: 'ann', leftAt: at('09:10') });
    expect(listed).toHaveLength(count);
  });
});

describe('if other workers record events of the session at the same time,', () => {
  const join = joined('bob', '09:05');

  test('a worker that loses the race for the next block reads it, and stores its events in the one after it', async () => {
    const { deps, store, session } = watchedStore();
    let isFirst = true;
    const append: typeof deps.facts.append = async (...block) => {
      if (isFirst) await recordSessionEvents(store.ports(), events);
      isFirst = false;
      return deps.facts.append(...block);
    };
    await recordSessionEvents({ ...deps, facts: { ...deps.facts, append } }, [join, ...events]);
    expect(store.blocksOf(daily).map(({ facts }) => facts)).toEqual([events, [join]]);
    expect(session()).toMatchObject({ totalUniqueParticipants: 2, totalParticipantMinutes: 9 });
  });

  test('a worker waits while another one counts, and leaves its own block to it', async () => {
    const { deps, store, changes, pausesMs } = watchedStore();
    await deps.facts.append(daily, 1, events);
    const pause = async (ms: number) => {
      await deps.pause(ms);
      if (pausesMs.length === 3) await recordSessionEvents(store.ports(), events);
    };
    await recordSessionEvents({ ...deps, pause }, [join]);
    expect([changes.length, pausesMs.length]).toEqual([0, 3]);
    expect([...store.sessions.values()]).toMatchObject([{ version: 2, visitors: { participant: 2 } }]);
  });

  test('a worker counts in the place of one that makes no progress, after some seconds', async () => {
    const { deps, record, changes, pausesMs } = watchedStore();
    await deps.facts.append(daily, 1, events);
    await record(join);
    expect(changes).toMatchObject([{ to: 2, rooms: [{ session: { version: 0 } }] }]);
    const waitedMs = pausesMs.reduce((sum, ms) => sum + ms, 0);
    expect(waitedMs).toBeGreaterThan(200);
    expect(waitedMs).toBeLessThan(5_000);
  });

  test('a worker that has waited counts what others have stored meanwhile, and stops when it loses a race for that', async () => {
    const { deps, record, changes, store } = watchedStore((commits) => {
      if (commits === 1) void deps.facts.append(daily, 3, [joined('eve', '09:06')]);
      return commits === 2 ? false : undefined;
    });
    await deps.facts.append(daily, 1, events);
    await record(join);
    expect(changes.map(({ to }) => to)).toEqual([2, 3]);
    expect([...store.sessions.values()]).toMatchObject([{ version: 2, visitors: { participant: 2 } }]);
  });

  test('a worker that waits stops when no time is left', async () => {
    const { deps, changes, pausesMs } = watchedStore();
    await deps.facts.append(daily, 1, events);
    const assertTimeLeft = () => {
      if (pausesMs.length === 2) throw new Error('too late');
    };
    await expect(recordSessionEvents(deps, [join], assertTimeLeft)).rejects.toThrow('too late');
    expect([changes.length, pausesMs.length]).toEqual([0, 2]);
  });
});

describe('a lost race', () => {
  const join = joined('ann', '09:00');

  test('is retried from the stored state', async () => {
    const { record, countOf, changes, session } = watchedStore((commits) => (commits <= 3 ? false : undefined));
    await record(join);
    expect([changes.length, countOf('get room'), countOf('put block')]).toEqual([4, 4, 1]);
    expect(session()).toMatchObject({ totalUniqueParticipants: 1 });
  });

  test('against a worker that counted the same block leaves nothing to change', async () => {
    const { record, changes, store } = watchedStore(() => {
      const [change] = changes;
      if (change) void store.ports().insights.commit(change);
      return false;
    });
    await record(join);
    expect(changes).toHaveLength(1);
  });

  test('that repeats ends in an error, so that the message is retried', async () => {
    const { record, changes, countOf, store, pausesMs } = watchedStore(() => false);
    await expect(record(join)).rejects.toThrow(ServiceUnavailable);
    expect([countOf('put block'), store.sessions.size]).toEqual([1, 0]);
    expect(changes.length).toBeGreaterThanOrEqual(20);
    expect(changes.length).toBeLessThanOrEqual(50);
    expect(pausesMs).toHaveLength(changes.length - 1);
  });

  test('is not retried if too little time is left', async () => {
    const { deps, changes } = watchedStore(() => false);
    const assertTimeLeft = () => {
      if (changes.length === 3) throw new Error('too late');
    };
    await expect(recordSessionEvents(deps, [join], assertTimeLeft)).rejects.toThrow('too late');
    expect(changes).toHaveLength(3);
  });

  test('is followed by a short, random pause', async () => {
    const { record, pausesMs } = watchedStore(() => false);
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
