import { describe, expect, test } from 'vitest';
import type { SessionFact } from '#shared/contracts/session-events.ts';
import { recordSessionEvents } from '#shared/use-cases/record-session-events.ts';
import { MemoryInsights } from '../../faults/support/memory-insights.ts';
import { joined, joinsOf, later, retracted, withId } from '../../support/session-facts.ts';
import { watchedStore } from '../../support/watched-insights.ts';

/** Joins with one id of participants of their own, who are all the same visitors as Ann's. */
function joinsWithOneId(count: number) {
  return joinsOf('ann', count).map((join, index) =>
    withId('the same id', { ...join, data: { ...join.data, participantId: `guest ${index}` } }),
  );
}

/** A store that also counts the visitors whose marks are read. */
function countingStore(store?: MemoryInsights) {
  const watched = watchedStore(undefined, store);
  const asked: number[] = [];
  const { readCounted } = watched.deps.insights;
  Object.assign(watched.deps.insights, {
    readCounted: (...args: Parameters<typeof readCounted>) => {
      asked.push(args[1].length);
      return readCounted(...args);
    },
  });
  const record = (...events: readonly SessionFact[]) => recordSessionEvents(watched.deps, events);
  /** What recording these events costs. */
  const costOf = async (...events: readonly SessionFact[]) => {
    for (const list of [asked, watched.calls]) list.splice(0);
    await record(...events);
    return {
      marks: asked.reduce((sum, count) => sum + count, 0),
      commits: watched.countOf('commit'),
      searches: watched.countOf('query all facts'),
    };
  };
  return { ...watched, record, costOf };
}

describe('of a participant with 70 visitors', () => {
  test('the visitor of an older join is the only one whose marks are read', async () => {
    const { costOf, session } = countingStore();
    for (const join of joinsOf('ann', 70).toReversed())
      expect(await costOf(join)).toEqual({ marks: 1, commits: 1, searches: 0 });
    expect(session()).toMatchObject({ totalUniqueParticipants: 70 });
  });

  test('the same holds if a known visitor comes back in the same batch', async () => {
    const { record, costOf, session } = countingStore();
    await record(...joinsOf('ann', 70));
    const older = joined('ann', '08:00', { deviceId: 'another device' });
    const again = joined('ann', '10:00', { deviceId: 'device 3' });
    expect(await costOf(again, older)).toEqual({ marks: 1, commits: 1, searches: 0 });
    expect(session()).toMatchObject({ totalUniqueParticipants: 71 });
  });

  test('only new visitors are compared, even if they are too many for one change and known ones are among them', async () => {
    const { record, costOf, session } = countingStore();
    const [first, second] = [joinsOf('ann', 70), joinsOf('ann', 110)];
    await record(...first);
    const again = second.slice(0, 20).map((join, index) => ({ ...join, createdAt: later('10:00', index * 1000) }));
    const older = second.slice(70).map((join, index) => ({ ...join, createdAt: later('08:00', index * 1000) }));
    expect(await costOf(...older, ...again)).toEqual({ marks: 40, commits: 2, searches: 0 });
    expect(session()).toMatchObject({ totalUniqueParticipants: 110 });
  });

  test('the visitor of a join that is taken back is the only one whose marks are read', async () => {
    const { record, costOf, session } = countingStore();
    const joins = joinsOf('ann', 70);
    await record(...joins);
    for (const [index, join] of joins.slice(20, 23).entries()) {
      expect(await costOf(retracted(join))).toEqual({ marks: 1, commits: 2, searches: 3 });
      expect(session()).toMatchObject({ totalUniqueParticipants: 69 - index });
    }
  });

  test('all marks are read and the wrong ones changed at once if an earlier worker has died between its fact and its commit', async () => {
    const { record, costOf, session, deps } = countingStore();
    const joins = joinsOf('ann', 72);
    await record(...joins.slice(0, 70));
    for (const join of joins.slice(20, 22)) await deps.facts.keep(retracted(join));
    for (const join of joins.slice(70)) await deps.facts.keep(join);
    const cost = await costOf(joined('ann', '10:00', { deviceId: 'device 3' }));
    expect(cost).toMatchObject({ marks: 72 + 4, commits: 1 });
    expect(session()).toMatchObject({ totalUniqueParticipants: 70 });
    expect(await costOf(joined('ann', '10:01', { deviceId: 'device 4' }))).toMatchObject({ marks: 0, commits: 1 });
  });
});

describe('a session is searched once', () => {
  test('for all visitors of 90 joins with one id, beside the searches for its start and for the joins', async () => {
    const { record, costOf, session } = countingStore();
    const joins = joinsWithOneId(90);
    await record(...joins, ...joinsOf('bob', 30));
    expect(await costOf(retracted({ id: 'the same id' }))).toMatchObject({ marks: 90, searches: 3 });
    expect(session()).toMatchObject({ totalUniqueParticipants: 30 });
  });

  test('again if another worker has changed it in the meantime', async () => {
    const store = new MemoryInsights();
    const { record, changes, deps, session } = countingStore(store);
    await record(...joinsWithOneId(40));
    changes.splice(0);
    const { commit } = deps.insights;
    Object.assign(deps.insights, {
      commit: async (change: Parameters<typeof commit>[0]) => {
        const outcome = await commit(change);
        // Its visitor is one of the last group's, whom the first search has not found.
        if (changes.length === 2)
          await recordSessionEvents(store.ports(), [joined('eve', '10:00', { deviceId: 'device 39' })]);
        return outcome;
      },
    });
    await record(retracted({ id: 'the same id' }));
    expect(session()).toMatchObject({ totalUniqueParticipants: 1 });
  });

  test('for events that were taken back before they arrive', async () => {
    const { record, costOf, session } = countingStore();
    const joins = joinsWithOneId(45);
    await record(retracted({ id: 'the same id' }));
    await record(...joinsOf('ann', 45));
    for (const _ of ['the first delivery', 'the second'])
      expect(await costOf(...joins)).toMatchObject({ marks: 45, searches: 1 });
    expect(session()).toMatchObject({ totalUniqueParticipants: 45 });
  });

  test('never for an event that was taken back, if the session does not count its visitor', async () => {
    const { record, costOf } = countingStore();
    await record(retracted({ id: 'the same id' }));
    expect(await costOf(...joinsWithOneId(5))).toMatchObject({ searches: 0 });
  });

  test('never if another join of the same participant shows the visitor, even beyond the limit', async () => {
    const store = new MemoryInsights({ limits: { connections: 3, ratings: 2 } });
    const { record, costOf, session } = countingStore(store);
    const late = joined('ann', '10:00', { deviceId: 'device 0' });
    await record(retracted(late));
    await record(...joinsOf('ann', 5));
    expect(await costOf(late)).toEqual({ marks: 1, commits: 1, searches: 0 });
    expect(session()).toMatchObject({ totalUniqueParticipants: 5 });
  });
});
