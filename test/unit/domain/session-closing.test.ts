import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '#shared/contracts/session-events.ts';
import { closingOf, refuseClosed } from '#shared/domain/session-closing.ts';
import { UnreadableMessage } from '#shared/errors.ts';
import { recordSessionEvents } from '#shared/use-cases/record-session-events.ts';
import { ended, joined, left, rated, started } from '../../support/session-facts.ts';
import { watchedStore } from '../../support/watched-insights.ts';

const day = (number: number) => new Date(Date.parse('2026-03-02T12:00:00Z') + number * 24 * 60 * 60 * 1000);
const events = [started('09:00'), joined('ann', '09:01'), left('ann', '09:10')];

/** A store that keeps facts for 60 days. `expire` removes the given facts. */
function expiringStore() {
  const watched = watchedStore();
  const { deps } = watched;
  const gone = new Set<string>();
  const readSession: typeof deps.insights.readSession = async (key, participantIds) => {
    const state = await deps.insights.readSession(key, participantIds);
    return { ...state, facts: state.facts.filter((fact) => !('id' in fact && gone.has(fact.id))) };
  };
  const insights = { ...deps.insights, readSession };
  return {
    ...watched,
    expire: (...expired: readonly SessionEvent[]) => expired.forEach(({ id }) => void gone.add(id)),
    recordOn: (number: number, more: readonly SessionEvent[]) =>
      recordSessionEvents({ facts: deps.facts, insights, factRetentionDays: 60, now: () => day(number) }, more),
  };
}

describe('recording late events of a session', () => {
  test('accepts events for the first 30 of 60 days of retention and rejects them from then on', async () => {
    const { recordOn, session } = expiringStore();
    await recordOn(0, events);
    await recordOn(29, [rated('ann', '09:09', 4)]);
    expect(session()).toMatchObject({ totalParticipantMinutes: 9, totalRatings: 1 });
    await expect(recordOn(30, [rated('ann', '09:08', 2)])).rejects.toThrow(UnreadableMessage);
  });

  test.each([
    ['a rating', rated('ann', '09:08', 2)],
    ['an earlier join', joined('ann', '09:01')],
    ['a new participant', joined('bob', '09:02')],
    ['an end', ended('10:00')],
  ])('does not recount the session from its remaining facts because of %s', async (_, late) => {
    const { recordOn, expire, session, room } = expiringStore();
    await recordOn(0, events);
    const before = [session(), room()];
    expire(...events);
    await expect(recordOn(61, [late])).rejects.toThrow(UnreadableMessage);
    expect([session(), room()]).toEqual(before);
  });

  test('accepts events at any time if facts do not expire', async () => {
    const { deps, session } = watchedStore();
    await recordSessionEvents({ ...deps, now: () => day(0) }, events);
    await recordSessionEvents({ ...deps, now: () => day(2000) }, [rated('ann', '09:09', 4)]);
    expect(session()).toMatchObject({ totalParticipantMinutes: 9, totalRatings: 1 });
  });
});

describe('closingOf', () => {
  test('keeps the first closing time if the retention gets longer later', () => {
    const first = closingOf(undefined, 60, day(0));
    expect(first).toEqual({ closesAt: day(30).toISOString() });
    for (const factRetentionDays of [60, 365, undefined])
      expect(closingOf(first, factRetentionDays, day(10))).toEqual(first);
  });

  test('returns an earlier closing time if later facts are kept for a shorter time', () => {
    const first = closingOf(undefined, 365, day(0));
    const shorter = { closesAt: day(40).toISOString() };
    expect(closingOf(first, 60, day(10))).toEqual(shorter);
    expect(closingOf({}, 60, day(10))).toEqual(shorter);
  });

  test('returns no closing time if no facts expire', () => {
    expect(closingOf(undefined, undefined, day(0))).toEqual({});
    expect(() => refuseClosed({}, day(10_000))).not.toThrow();
  });

  test('still closes the session at its closing time if new facts no longer expire', () => {
    const closed = { closesAt: day(30).toISOString() };
    expect(() => refuseClosed(closed, day(30))).toThrow(UnreadableMessage);
    expect(() => refuseClosed(closed, day(29))).not.toThrow();
  });
});
