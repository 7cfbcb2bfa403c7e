import { beforeAll, expect, it } from 'vitest';
import { clientOf } from '../../support/http/checked-api.ts';
import { sessionOf, tellerOf } from '../../support/insights/insights.ts';
import { keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { broken, whereby } from '../../support/insights/whereby.ts';
import { organization } from '../../support/machine.ts';

// Holds real answers against the fields that Whereby's published description promises.

const acme = organization();
const session = sessionOf(acme, { roomName: '/team/standup' });
const live = liveSession(acme);
const inSession = `roomSessionId=${session.roomSessionId}`;
const queries: Readonly<Record<string, string>> = {
  'GET /transcriptions': '/transcriptions?limit=1&sortBy=roomName:asc',
  'GET /transcriptions/{transcriptionId}': `/transcriptions/${live.transcriptionId}`,
  'GET /transcriptions/{transcriptionId}/access-link': `/transcriptions/${live.transcriptionId}/access-link?validForSeconds=60`,
  'GET /insights/rooms': '/insights/rooms?sortBy=totalSessions:asc&limit=30',
  'GET /insights/room-sessions': `/insights/room-sessions?roomName=/team/standup&${inSession}&sortBy=totalUniqueParticipants:asc`,
  'GET /insights/participants': `/insights/participants?${inSession}&externalId=crm-1&sortBy=joinedAt:asc`,
  'GET /insights/participant': `/insights/participant?${inSession}&participantId=ada`,
};

beforeAll(async () => {
  const location = await keepTranscript(live.key('daily.vtt'), 'WEBVTT\n');
  await sendToRoomEvents([live.finished({ storageType: 'SERVICE_HOSTED', location })]);
  await known(acme, live.path, 'ready');
  await tellerOf(acme)(
    session.created('08:00', '18:00'),
    session.started('09:00'),
    session.joined('ada', '09:00:01', { userId: 'user-ada', externalId: 'crm-1', userAgent: 'Firefox' }),
    session.sampled('ada', '09:00:11', [0.5, null]),
    session.rated('ada', '09:10', 4, { tags: ['audio'], comment: 'Fine.' }),
    session.left('ada', '09:20:30'),
    session.ended('09:30'),
  );
});

it.each(Object.entries(queries))('%s is answered with every field that Whereby promises', async (operation, path) => {
  const { status, text } = await clientOf(acme)('GET', `/v1${path}`);
  const promised = whereby.operations[operation];
  expect(status).toBe(promised?.success);
  const body = JSON.parse(text);
  const elements = promised?.page ? body.results : [body].flat();
  expect(elements).toHaveLength(1);
  expect(broken(operation, promised?.elements ?? promised?.fields ?? {}, elements[0])).toEqual([]);
});

it('every read that we share with Whereby is tried', () => {
  const reads = Object.keys(whereby.operations).filter((name) => name.startsWith('GET '));
  expect(Object.keys(queries).toSorted()).toEqual(reads.toSorted());
});
