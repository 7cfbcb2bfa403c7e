import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRandom } from '#tools/simulation/random.ts';
import { eventually } from '../../support/eventually.ts';
import { at, insightsOf, send, seriesOf, sessionOf, tellerOf, untilCounted } from '../../support/insights/insights.ts';
import { logOf, organization } from '../../support/machine.ts';

const copies = 50;

/** How often a worker has logged an event as done. */
async function timesDone(worker: string, eventId: string): Promise<number> {
  const lines = (await logOf(worker)).split('\n');
  return lines.filter((line) => line.includes(eventId) && line.includes('"message":"message done"')).length;
}

describe.concurrent('a repeated event', () => {
  it(`that arrives ${copies} times in any order counts once`, async () => {
    const acme = organization();
    const seed = randomInt(2 ** 31 - 1);
    const { roomName, roomSessionId, ...session } = sessionOf(acme);
    const events = [
      session.created('08:00', '12:00'),
      session.started('09:00'),
      session.joined('p-1', '09:00', { userId: 'u-1' }),
      session.rated('p-1', '09:05', 3),
      session.left('p-1', '09:10'),
      session.joined('p-1', '09:11', { userId: 'u-1' }),
      session.sampled('p-1', '09:11', [1, 2, 3]),
      session.ended('09:20'),
    ];

    await send(...createRandom(seed).shuffled(events.flatMap((event) => Array.from({ length: copies }, () => event))));
    await eventually(async () => {
      for (const { id, type } of events) {
        const worker = type === 'room.client.sampled' ? 'record-network-samples' : 'record-room-events';
        expect(await timesDone(worker, id), type).toBe(copies);
      }
    }, 40_000);

    await untilCounted(acme, events);
    const insights = insightsOf(acme);
    expect((await insights.roomSessions({ roomName })).results, `seed ${seed}`).toEqual([
      {
        ...{ roomName, roomSessionId, createdAt: at('08:00'), endAt: at('12:00') },
        ...{ startedAt: at('09:00'), endedAt: at('09:20') },
        ...{ totalParticipantMinutes: 19, totalRecorderMinutes: 0, totalStreamerMinutes: 0 },
        ...{ totalUniqueParticipants: 1, totalUniqueRecorders: 0, totalUniqueStreamers: 0 },
        ...{ rating: 3, totalRatings: 1, spokenSeconds: null, spokenSource: null },
        ...{ completeness: { state: 'inferred', missing: ['leave'] }, asOf: at('09:20') },
      },
    ]);
    expect((await insights.rooms()).results).toMatchObject([{ totalSessions: 1, totalRatings: 1 }]);
    const details = await insights.participant({ roomSessionId, participantId: 'p-1' });
    expect(details.map(({ samples }) => samples)).toEqual([seriesOf([]), seriesOf([1, 2, 3])]);
  });

  it('keeps its first content, and is a new event with another time or participant', async () => {
    const acme = organization();
    const tell = tellerOf(acme);
    const session = sessionOf(acme);
    const rating = { ...session.rated('p-1', '09:05', 5, { comment: 'First.' }), id: 'one and the same' };
    const { roomSessionId, roomName } = session;

    await tell(session.joined('p-1', '09:00'), session.joined('p-2', '09:00'), rating);
    await tell({ ...rating, data: { ...rating.data, rating: 1, comment: 'Second.' } });
    await tell({ ...rating, createdAt: at('09:04') });
    await tell({ ...rating, data: { ...rating.data, participantId: 'p-2', rating: 2 } });

    const { results } = await insightsOf(acme).participants({ roomSessionId });
    expect(results.map(({ rating, comment }) => [rating, comment])).toEqual([
      [5, 'First.'],
      [2, 'First.'],
    ]);
    expect((await insightsOf(acme).roomSessions({ roomName })).results).toMatchObject([{ rating: 4, totalRatings: 3 }]);
  });
});
