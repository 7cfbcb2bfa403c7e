import { describe, expect, test } from 'vitest';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { ended, joined, joinsOf, later, left, retracted, withId } from '../../../support/insights/session-facts.ts';
import { watchedStore } from '../../../support/insights/watched-insights.ts';

/** A store that also tells how often each call was made. */
function countingStore() {
  const watched = watchedStore();
  return {
    ...watched,
    /** What recording these events costs: the calls to the store. */
    async costOf(...events: readonly SessionFact[]) {
      watched.calls.splice(0);
      await watched.record(...events);
      const { countOf } = watched;
      return {
        logs: countOf('query blocks'),
        blocks: countOf('put block'),
        segments: countOf('query visitors'),
        starts: countOf('query first start'),
        commits: countOf('commit'),
      };
    },
  };
}

describe('in a session of 70 participants', () => {
  const people = Array.from({ length: 70 }, (_, index) => joined(`guest ${index}`, later('09:00', index * 1000)));
  const known = async () => {
    const store = countingStore();
    await store.record(...people);
    return store;
  };
  const one = { logs: 1, blocks: 1, segments: 0, starts: 0, commits: 1 };

  test.each([
    ['a leave', left('guest 3', '09:30'), one],
    ['the end', ended('10:00'), one],
    ['a further join of a known visitor', joined('guest 3', '09:30'), one],
    ['a join of a new visitor', joined('eve', '09:30'), { ...one, segments: 1 }],
    ['the retraction of the only join of a visitor', retracted(people[3] ?? { id: '' }), { ...one, segments: 1 }],
    ['an earlier event', left('eve', '08:00'), { ...one, starts: 1 }],
  ])('%s reads the log once, and only what it changes', async (_what, event, cost) => {
    const { costOf } = await known();
    expect(await costOf(event)).toEqual(cost);
  });

  test('a repeated event reads the log and writes nothing', async () => {
    const { costOf, calls } = await known();
    expect(await costOf(...people)).toEqual({ logs: 1, blocks: 0, segments: 0, starts: 0, commits: 0 });
    expect(calls.filter((name) => name.startsWith('put'))).toEqual([]);
  });

  test('ten events of one batch cost as much as one', async () => {
    const { costOf } = await known();
    const leaves = people.slice(0, 10).map((join) => left(join.data.participantId, '09:30'));
    expect(await costOf(...leaves)).toEqual(one);
  });

  test('an event writes few items of the lists: those of its participant', async () => {
    const { record, calls, countOf } = await known();
    calls.splice(0);
    await record(left('guest 3', '09:30'));
    expect(countOf('put list item')).toBeGreaterThan(0);
    expect(countOf('put list item')).toBeLessThanOrEqual(4);
  });
});

describe('of a participant with 70 visitors', () => {
  test('each new join reads the visitors of one shard', async () => {
    const { costOf, session } = countingStore();
    const [first, ...others] = joinsOf('ann', 70);
    if (first) expect(await costOf(first)).toMatchObject({ segments: 1, starts: 1 });
    for (const join of others) expect(await costOf(join)).toMatchObject({ segments: 1, starts: 0, commits: 1 });
    expect(session()).toMatchObject({ totalUniqueParticipants: 70 });
  });

  test('joins that are taken back together are one change', async () => {
    const { record, costOf, session } = countingStore();
    const joins = joinsOf('ann', 70);
    const taken = joins.slice(0, 20).map((join) => withId('the same id', join));
    await record(...taken, ...joins.slice(20));
    expect(await costOf(retracted({ id: 'the same id' }))).toMatchObject({ logs: 1, commits: 1 });
    expect(session()).toMatchObject({ totalUniqueParticipants: 50 });
  });
});
