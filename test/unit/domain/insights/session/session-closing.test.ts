import { describe, expect, test } from 'vitest';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { closingOf, refusalOfClosed } from '#shared/domain/insights/session/session-closing.ts';
import { ServiceUnavailable, UnreadableMessage } from '#shared/runtime/errors.ts';
import { recordSessionEvents } from '#shared/use-cases/insights/record-session-events.ts';
import { daily, ended, joined, left, rated, retracted, started } from '../../../../support/insights/session-facts.ts';
import { watchedStore } from '../../../../support/insights/watched-insights.ts';

const day = (number: number) => new Date(Date.parse('2026-03-02T12:00:00Z') + number * 24 * 60 * 60 * 1000);
const events = [started('09:00'), joined('ann', '09:01'), left('ann', '09:10')];

/** A store that keeps facts for 60 days. `recordOn` returns the refused facts. */
function expiringStore() {
  const watched = watchedStore();
  const { deps, store } = watched;
  return {
    ...watched,
    /** Removes the first blocks, or all of them. */
    expire: (count = Number.POSITIVE_INFINITY) => {
      for (const [owner, blocks] of store.logs) store.logs.set(owner, blocks.slice(count));
    },
    async recordOn(number: number, more: readonly SessionFact[]): Promise<SessionFact[]> {
      const refused = await recordSessionEvents({ ...deps, factRetentionDays: 60, now: () => day(number) }, more);
      for (const reason of refused.values()) expect(reason).toBeInstanceOf(UnreadableMessage);
      return [...refused.keys()];
    },
  };
}

describe('recording late events of a session', () => {
  test('accepts events for the first 30 of 60 days of retention and refuses new ones from then on', async () => {
    const { recordOn, session, store } = expiringStore();
    expect(await recordOn(0, events)).toEqual([]);
    const [inTime, late] = [rated('ann', '09:09', 4), rated('ann', '09:08', 2)];
    expect(await recordOn(29, [inTime])).toEqual([]);
    expect(session()).toMatchObject({ totalParticipantMinutes: 9, totalRatings: 1 });
    expect(await recordOn(30, [late, inTime])).toEqual([late]);
    expect(session()).toMatchObject({ totalRatings: 1 });
    expect(store.blocksOf(daily)).toHaveLength(2);
  });

  test('accepts no new event of another room with the session id', async () => {
    const { recordOn, store } = expiringStore();
    await recordOn(0, events);
    const other = joined('bob', '09:00', { roomName: '/other' });
    expect(await recordOn(30, [other])).toEqual([other]);
    expect([...store.sessions.values()].map(({ roomName }) => roomName)).toEqual(['/daily']);
  });

  test('closes the sessions of all rooms with the id together, however late one of them began', async () => {
    const { recordOn, store } = expiringStore();
    await recordOn(0, events);
    expect(await recordOn(20, [joined('bob', '09:00', { roomName: '/other' })])).toEqual([]);
    const closings = [...store.sessions.values()].map(({ closesAt }) => closesAt);
    expect(closings).toEqual([day(30).toISOString(), day(30).toISOString()]);
  });

  test('accepts no event if the first facts have expired, even if no row says that the session is closed', async () => {
    const { recordOn, expire, store } = expiringStore();
    await recordOn(0, events);
    await recordOn(1, [rated('ann', '09:09', 4)]);
    expire(1);
    for (const [key, { closesAt: _, ...row }] of store.sessions) store.sessions.set(key, row);
    const late = rated('ann', '09:08', 2);
    expect(await recordOn(29, [late])).toEqual([late]);
    expect(store.logs.values().next().value).toHaveLength(1);
  });

  test.each<[string, SessionFact]>([
    ['a rating', rated('ann', '09:08', 2)],
    ['an earlier join', joined('ann', '09:01')],
    ['a new participant', joined('bob', '09:02')],
    ['an end', ended('10:00')],
    ['a retraction', { ...retracted(joined('ann', '09:01')) }],
  ])('does not recount the session from its remaining facts because of %s', async (_, late) => {
    const { recordOn, expire, session, room } = expiringStore();
    await recordOn(0, events);
    const before = [session(), room()];
    expire();
    expect(await recordOn(61, [late])).toEqual([late]);
    expect([session(), room()]).toEqual(before);
  });

  test('changes nothing because of a repeated event of a block that has not expired yet', async () => {
    const { recordOn, expire, session, store, deps, calls } = expiringStore();
    const [last, ...joins] = ['bob', 'eve', 'dan', 'sam'].map((id) => joined(id, '09:02'));
    if (!last) throw new Error('There is a join.');
    await recordOn(0, events);
    for (const [index, join] of joins.entries()) await deps.facts.append(daily, 2 + index, [join]);
    await recordOn(1, [last]);
    const before = [session(), store.participantsOf(daily)];
    expire(1);
    calls.splice(0);
    expect(await recordOn(60, [last])).toEqual([]);
    expect([session(), store.participantsOf(daily)]).toEqual(before);
    expect(calls.filter((name) => /put|commit/.test(name))).toEqual([]);
  });

  test('never begins a new log of a session that was counted from a longer one', async () => {
    const { record, expire, session, store } = expiringStore();
    await record(...events);
    const before = session();
    expire();
    await expect(record(rated('ann', '09:08', 2))).rejects.toThrow(ServiceUnavailable);
    expect([session(), store.blocksOf(daily)]).toEqual([before, []]);
  });

  test('accepts events at any time if facts do not expire', async () => {
    const { deps, session } = watchedStore();
    await recordSessionEvents({ ...deps, now: () => day(0) }, events);
    const later = await recordSessionEvents({ ...deps, now: () => day(2000) }, [rated('ann', '09:09', 4)]);
    expect(later.size).toBe(0);
    expect(session()).toMatchObject({ totalParticipantMinutes: 9, totalRatings: 1 });
  });
});

describe('closingOf', () => {
  test('keeps the first closing time if the retention gets longer later', () => {
    const first = closingOf([], 60, day(0));
    expect(first).toEqual({ closesAt: day(30).toISOString() });
    for (const factRetentionDays of [60, 365, undefined])
      expect(closingOf([first], factRetentionDays, day(10))).toEqual(first);
  });

  test('returns an earlier closing time if later facts are kept for a shorter time', () => {
    const first = closingOf([], 365, day(0));
    const shorter = { closesAt: day(40).toISOString() };
    expect(closingOf([first], 60, day(10))).toEqual(shorter);
    expect(closingOf([{}], 60, day(10))).toEqual(shorter);
  });

  test('returns no closing time if no facts expire', () => {
    expect(closingOf([], undefined, day(0))).toEqual({});
    expect(refusalOfClosed([{}], day(10_000))).toBeUndefined();
    expect(refusalOfClosed([], day(10_000))).toBeUndefined();
  });

  test('still closes the session at its closing time if new facts no longer expire', () => {
    const closed = { closesAt: day(30).toISOString() };
    expect(refusalOfClosed([{}, closed], day(30))).toBeInstanceOf(UnreadableMessage);
    expect(refusalOfClosed([{}, closed], day(29))).toBeUndefined();
  });
});
