import { describe, expect, it } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { at, insightsOf, send, sessionOf, untilCounted } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';
import { takeDeadLetters } from '../../support/operations/dead-letters.ts';

// The shared machine allows a hundred years, so that tests can use fixed dates. A stage allows a day ahead and a year back.
const tooLate = '9998-12-31T00:00:00Z';

describe.concurrent('a wrong clock', () => {
  it.each([['the end of a session'], ['a join']])(
    'that dates %s 7000 years ahead makes a dead letter and no minutes',
    async (which) => {
      const acme = organization();
      const session = sessionOf(acme);
      const { roomName } = session;
      const wrong = which === 'a join' ? session.joined('p-2', tooLate) : session.ended(tooLate);
      const right = [session.started('09:00'), session.joined('p-1', '09:00'), session.ended('09:30')];

      await send(wrong, ...right);

      await takeDeadLetters([wrong.id]);
      await untilCounted(acme, right);
      const minutes = { totalParticipantMinutes: 30, totalUniqueParticipants: 1 };
      expect((await insightsOf(acme).rooms()).results).toMatchObject([minutes]);
      const [ended] = (await insightsOf(acme).roomSessions({ roomName })).results;
      expect(ended).toMatchObject({ ...minutes, startedAt: at('09:00'), endedAt: at('09:30') });
    },
  );

  it.each([['before'], ['after']])(
    'is corrected by a retraction that arrives %s the creation of a room',
    async (order) => {
      const acme = organization();
      const [wrong, right] = [sessionOf(acme, { roomName: '/wrong' }), sessionOf(acme, { roomName: '/right' })];
      const created = wrong.created('08:00', '2060-01-01T00:00:00Z');
      const retraction = wrong.retracted(created, { roomSessionId: undefined });
      const events: PlatformEvent[] = order === 'before' ? [retraction, created] : [created, retraction];
      const sent: PlatformEvent[] = [];
      for (const event of [...events, right.created('08:00')]) {
        sent.push(event);
        await send(event);
        await untilCounted(acme, sent);
      }
      expect((await insightsOf(acme).rooms()).results).toMatchObject([{ roomName: '/right' }]);
    },
  );
});
