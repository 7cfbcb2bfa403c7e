import { describe, expect, test } from 'vitest';
import { RoomEvent } from '#shared/contracts/events.ts';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { recordSessionEvents } from '#shared/use-cases/insights/record-session-events.ts';
import {
  daily,
  ended,
  joined,
  left,
  permutations,
  rated,
  retracted,
  started,
} from '../../../support/insights/session-facts.ts';
import { watchedStore } from '../../../support/insights/watched-insights.ts';

/** A store, and a function that records events in a stage with these roles of non-participants. */
function stage() {
  const { deps, store, session, room } = watchedStore();
  const recordWith = (nonParticipantRoles: readonly string[], ...events: readonly SessionFact[]) =>
    recordSessionEvents({ ...deps, nonParticipantRoles }, events);
  const listed = () => store.participantsOf(daily).map(({ participantId }) => participantId);
  const marksOf = () => store.blocksOf(daily).flatMap(({ facts }) => facts.map((fact) => 'isNonParticipant' in fact));
  return { store, session, room, recordWith, listed, marksOf };
}

const bot = (time: string, more: Parameters<typeof joined>[2] = {}) =>
  joined('bot', time, { roleName: 'bot', deviceId: 'one', ...more });
const ann = joined('ann', '09:00', { deviceId: 'one' });

describe('a non-participant', () => {
  const [join, leave, captioner] = [
    bot('09:01'),
    left('bot', '09:31'),
    joined('cap', '09:02', { roleName: 'captioner' }),
  ];
  const events = [started('09:00'), ann, join, leave, captioner, rated('bot', '09:30', 2), ended('09:10')];

  test('has no minutes, is nobody and is not listed, in whatever order its events arrive, alone and twice', async () => {
    const totals = {
      ...{ totalParticipantMinutes: 10, totalRecorderMinutes: 0, totalStreamerMinutes: 0 },
      ...{ totalUniqueParticipants: 1, totalUniqueRecorders: 0, totalUniqueStreamers: 0 },
      ...{ rating: 2, totalRatings: 1 },
    };
    const others = [started('09:00'), rated('bot', '09:30', 2), ended('09:10')];
    for (const order of permutations<SessionFact>([ann, join, leave, captioner])) {
      const { session, room, recordWith, listed } = stage();
      for (const event of [...order, ...others, ...order]) await recordWith(['bot'], event);
      expect(session()).toMatchObject(totals);
      expect(room()).toMatchObject(totals);
      expect(listed()).toEqual(['ann']);
    }
  });

  test('is shown with its role in participant detail', async () => {
    const { store, recordWith } = stage();
    await recordWith(['bot'], ...events);
    const questions = { rooms: [], sessions: [], externalIds: [], clients: [{ ...daily, participantId: 'bot' }] };
    const { details } = await store.insightsFor(daily.organizationId, questions);
    expect(Object.values(details)).toMatchObject([[{ userRole: 'bot', timeStamp: join.createdAt }]]);
  });

  test('makes a session that has no participants, and none after its join is taken back', async () => {
    const { session, recordWith, store } = stage();
    await recordWith(['bot'], join);
    expect(session()).toMatchObject({ startedAt: join.createdAt, totalUniqueParticipants: 0 });
    await recordWith(['bot'], retracted({ id: join.id }));
    expect([...store.sessions.values()]).toMatchObject([{ startedAt: null }]);
  });

  test('stays one only for its marked connections, and is listed with the others', async () => {
    const { session, recordWith, store } = stage();
    const guest = bot('10:00', { roleName: 'guest', displayName: 'Ann' });
    await recordWith(['bot'], join, leave, guest, left('bot', '10:05'));
    expect(store.participantsOf(daily)).toMatchObject([{ joinedAt: guest.createdAt, displayName: 'Ann' }]);
    expect(session()).toMatchObject({ totalParticipantMinutes: 5, totalUniqueParticipants: 1 });
  });
});

describe('a changed list of roles', () => {
  const [join, leave] = [bot('09:01'), left('bot', '09:31')];
  const counted = { totalParticipantMinutes: 30, totalUniqueParticipants: 1 };
  const uncounted = { totalParticipantMinutes: 0, totalUniqueParticipants: 0 };

  test.each([
    ['added', [], ['bot'], counted],
    ['removed', ['bot'], [], uncounted],
  ])(
    'does not change a stored join, which is delivered again after the role was %s',
    async (_, before, after, totals) => {
      const { session, room, recordWith, store } = stage();
      await recordWith(before, join, leave);
      const blocks = store.blocksOf(daily);
      await recordWith(after, join, leave);
      await recordWith(after, leave, join, join);
      expect(store.blocksOf(daily)).toEqual(blocks);
      // A further event counts the session again, from its log.
      await recordWith(after, ended('11:00'), ann, left('ann', '09:00'));
      expect(session()).toMatchObject({ ...totals, totalUniqueParticipants: totals.totalUniqueParticipants || 1 });
      expect(room()).toMatchObject({ totalParticipantMinutes: totals.totalParticipantMinutes });
    },
  );

  test('decides about joins that arrive later, though they happened earlier', async () => {
    const { session, room, recordWith, marksOf } = stage();
    await recordWith([], join, leave);
    const late = bot('08:00', { deviceId: 'two' });
    await recordWith(['bot'], late, left('bot', '08:30'));
    expect(marksOf()).toEqual([false, false, true, false]);
    expect(session()).toMatchObject(counted);
    expect(room()).toMatchObject(counted);
  });

  test('decides once about a join that two workers with different lists store at the same time', async () => {
    const { session, recordWith, store } = stage();
    await Promise.all([recordWith(['bot'], join), recordWith([], join), recordWith(['bot'], leave)]);
    await Promise.all([recordWith([], leave, join), recordWith(['bot'], join)]);
    const facts = store.blocksOf(daily).flatMap((block) => block.facts);
    expect(facts.filter(({ type }) => type === 'room.client.joined')).toHaveLength(1);
    const isMarked = facts.some((fact) => 'isNonParticipant' in fact);
    expect(session()).toMatchObject(isMarked ? uncounted : counted);
  });
});

test('a platform cannot mark a join', () => {
  const join = bot('09:01');
  const sent = { ...join, isNonParticipant: true, data: { ...join.data, isNonParticipant: true } };
  expect(RoomEvent.parse(sent)).toEqual(RoomEvent.parse(join));
  expect(JSON.stringify(RoomEvent.parse(sent))).not.toContain('isNonParticipant');
});
