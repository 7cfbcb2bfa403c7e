import { beforeEach, expect, test } from 'vitest';
import { roomEventsWorker } from '../../../support/insights/room-events-worker.ts';
import {
  at,
  created,
  daily,
  ended,
  joined,
  left,
  rated,
  retracted,
  retractedEverywhere,
  started,
} from '../../../support/insights/session-facts.ts';
import { watchedStore } from '../../../support/insights/watched-insights.ts';
import { captureLogLines } from '../../../support/log-lines.ts';
import { uuid } from '../../../support/operations/records.ts';

beforeEach(() => {
  captureLogLines();
});

/** The room events worker over a store in memory. */
function fixture() {
  const watched = watchedStore();
  return { ...watched, run: roomEventsWorker(watched.deps) };
}

const stay = [joined('ann', '09:00'), left('ann', '09:10')];
const another = { roomSessionId: uuid(4) };

test('the facts of one session in a batch are stored as one block and counted by one change', async () => {
  const { run, store, changes, session } = fixture();
  const rating = rated('ann', '09:05', 4);
  expect(await run(...stay, rating, started('08:50'), retracted(rating), joined('ann', '09:00'))).toEqual([]);
  expect(store.blocksOf(daily).map(({ facts }) => facts.length)).toEqual([5]);
  expect(changes).toHaveLength(1);
  expect(session()).toMatchObject({ startedAt: at('08:50'), totalParticipantMinutes: 10, totalRatings: 0 });
});

test('the sessions of one room in a batch do not compete', async () => {
  const { run, changes, pausesMs, room } = fixture();
  const sessions = [uuid(3), uuid(4), uuid(5)].map((roomSessionId) => joined('ann', '09:00', { roomSessionId }));
  expect(await run(...sessions, created('08:00'))).toEqual([]);
  expect([changes.length, pausesMs.length]).toEqual([3, 0]);
  expect(room()).toMatchObject({ createdAt: at('08:00'), totalSessions: 3, totalUniqueParticipants: 1 });
});

test('a session id in several rooms, with a retraction that names none of them, is recorded completely', async () => {
  const { run, store } = fixture();
  const rooms = ['/daily', '/other', '/third'];
  const joins = rooms.map((roomName) => joined(`guest of ${roomName}`, '09:00', { roomName }));
  expect(await run(...joins, retractedEverywhere(joins[1] ?? { id: '' }), ended('10:00'))).toEqual([]);
  const rows = [...store.sessions.values()].map(({ roomName, startedAt, endedAt }) => [roomName, startedAt, endedAt]);
  expect(rows.toSorted()).toEqual([
    ['/daily', at('09:00'), at('10:00')],
    ['/other', null, null],
    ['/third', at('09:00'), null],
  ]);
  expect(store.participantsOf(daily)).toHaveLength(2);
});

test('the messages of a session that cannot be stored fail together, and the others of the batch are done', async () => {
  const { store, deps } = fixture();
  const append: typeof deps.facts.append = async (session, ...block) => {
    if (session.roomSessionId === another.roomSessionId) throw new Error('no table');
    return deps.facts.append(session, ...block);
  };
  const run = roomEventsWorker({ ...deps, facts: { ...deps.facts, append } });
  const [join, leave] = stay;
  expect(await run(joined('bob', '09:00', another), join ?? {}, left('bob', '09:10', another), leave ?? {})).toEqual([
    'message-1',
    'message-3',
  ]);
  expect([...store.sessions.values()]).toMatchObject([{ ...daily, usage: { participantMinutes: 10 } }]);
});
