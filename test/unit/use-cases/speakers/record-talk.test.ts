import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Measured } from '#shared/domain/insights/talk-changes.ts';
import { lastRevision } from '#shared/domain/insights/talk-facts.ts';
import { recordTalk } from '#shared/use-cases/speakers/record-talk.ts';
import { inAnyOrder } from '../../../support/insights/any-facts.ts';
import { daily, ended, joined, left, rated, started, updated } from '../../../support/insights/session-facts.ts';
import { logOf } from '../../../support/insights/session-views.ts';
import { heard } from '../../../support/insights/talk.ts';
import { watchedStore } from '../../../support/insights/watched-insights.ts';

const { source, transcriptionId, roomName, from, to } = heard('', 0).data;
const of = { source, transcriptionId, roomName, from, to };
const measured = (revision: number, talk: Record<string, number>): Measured => ({
  ...{ of, revision },
  talk: new Map(Object.entries(talk)),
});
const events = [started('09:00'), joined('ann', '09:01'), joined('bob', '09:02'), ended('10:00')];

function scene() {
  const watched = watchedStore();
  const measure = (result: Measured | undefined) => recordTalk(watched.deps, daily, async () => result);
  const talk = () =>
    watched.store.participantsOf(daily).map(({ spokenSeconds, spokenSource }) => [spokenSeconds, spokenSource]);
  return { ...watched, measure, talk };
}

describe('recording talk time', () => {
  test('changes participants and session, and a repetition changes nothing', async () => {
    const { record, measure, session, talk, store } = scene();
    await record(...events);
    await measure(measured(0, { ann: 1500, bob: 500 }));
    expect(session()).toMatchObject({ spokenSeconds: 2, spokenSource: 'transcript' });
    expect(talk()).toEqual([
      [1.5, 'transcript'],
      [0.5, 'transcript'],
    ]);
    await measure(measured(0, { ann: 1500, bob: 500 }));
    expect(store.blocksOf(daily)).toHaveLength(2);
  });

  test('does nothing if nothing was measured', async () => {
    const { record, measure, store } = scene();
    await record(...events);
    await measure(undefined);
    expect(store.blocksOf(daily)).toHaveLength(1);
  });

  test('before the first event counts when that comes, and creates no room and no session before', async () => {
    const { record, measure, store, talk } = scene();
    await measure(measured(0, { ann: 1500 }));
    expect([store.sessions.size, store.rooms.size]).toEqual([0, 0]);
    await record(...events);
    expect(talk()).toEqual([
      [1.5, 'transcript'],
      [null, null],
    ]);
  });

  test('ends in the same state in any order of events and corrections, also before a deletion', async () => {
    const steps = [
      ...[...events, left('ann', '09:30'), rated('bob', '09:40', 5)].map((event) => ({ event })),
      ...[updated('bob', '09:59', { spokenSeconds: 3 })].map((event) => ({ event })),
      ...[0, 0, 1, 2].map((revision) => ({
        of: measured(revision, revision < 2 ? { ann: 9 - revision } : { bob: 5 }),
      })),
    ];
    const deleted = { of: measured(lastRevision, {}) };
    for (const last of [[], [deleted]]) // nobody measures after the deletion what was there before
      await fc.assert(
        fc.asyncProperty(inAnyOrder(steps), async (order) => {
          const [played, sorted] = [scene(), scene()];
          const play = async (one: typeof played, all: readonly (typeof steps)[number][]) => {
            for (const step of [...all, ...last])
              await ('event' in step ? one.record(step.event) : one.measure(step.of));
          };
          await play(played, order);
          await play(sorted, steps);
          expect(played.session()).toEqual(sorted.session());
          expect(played.store.participantsOf(daily)).toEqual(sorted.store.participantsOf(daily));
        }),
        { numRuns: 200 },
      );
  });

  test('of a closed session is left out', async () => {
    const { record, measure, deps, talk, store } = scene();
    await record(...events);
    const now = () => new Date('2027-03-02T09:00:00.000Z');
    for (const session of store.sessions.values())
      store.sessions.set([...store.sessions.keys()][0] ?? '', { ...session, closesAt: '2026-06-02T09:00:00.000Z' });
    await recordTalk({ ...deps, now }, daily, async () => measured(0, { ann: 1500 }));
    expect(talk()[0]).toEqual([null, null]);
    await measure(undefined);
  });

  test('never fills the log: corrections without end leave room for events, and what is taken back is taken back', {
    timeout: 60_000,
  }, async () => {
    const { record, measure, session, store } = scene();
    await record(...events);
    const many = (ms: number) => Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`p${index}`, ms]));
    for (let revision = 0; revision < 90; revision += 1)
      await measure(measured(revision, { ...many(revision + 1), ann: revision + 1 }));
    const { talk } = logOf(...store.blocksOf(daily).map(({ facts }) => facts));
    expect(talk.length).toBeLessThan(80 * 81);
    expect(talk.length).toBeGreaterThan(30 * 81);
    await measure(measured(lastRevision, {}));
    expect(session()).toMatchObject({ spokenSeconds: null, spokenSource: null });
    await record(rated('ann', '09:50', 4));
    expect(session()).toMatchObject({ totalRatings: 1 });
  });
});
