import { expect, it } from 'vitest';
import { chunk } from '#shared/runtime/chunk.ts';
import { eventually } from '../../support/eventually.ts';
import { at, insightsOf, send, sessionOf, untilCounted } from '../../support/insights/insights.ts';
import { deliver } from '../../support/insights/live-sessions.ts';
import { organization } from '../../support/machine.ts';

const longestId = 256; // bytes
const reconnects = 1_600; // their device ids alone have the 400 KB of an item
const batch = 200; // batches of ten, as the worker gets them, would cost this test more

it(`a participant who reconnects ${reconnects} times with new devices does not keep a session from ending`, {
  timeout: 120_000,
}, async () => {
  const acme = organization();
  const session = sessionOf(acme);
  const { roomName, roomSessionId } = session;
  const joins = Array.from({ length: reconnects }, (_, index) =>
    session.joined('p-1', '09:00', { deviceId: `${index} `.padEnd(longestId, 'd') }),
  );
  for (const part of chunk(joins, batch))
    await eventually(async () => expect(await deliver('record-room-events', part)).toBe(0), 60_000); // as SQS redelivers
  const last = [session.joined('p-1', '09:10', { deviceId: 'last' }), session.ended('09:30')];

  await send(...last);

  await untilCounted(acme, [...joins, ...last]);
  const [ended] = (await insightsOf(acme).roomSessions({ roomName })).results;
  expect(ended).toMatchObject({ endedAt: at('09:30'), totalUniqueParticipants: reconnects + 1 });
  expect((await insightsOf(acme).participants({ roomSessionId })).results).toMatchObject([{ participantId: 'p-1' }]);
});
