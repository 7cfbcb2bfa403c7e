import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { type SessionTeller, send, sessionOf, untilCounted } from '../../support/insights/insights.ts';
import { endpoints, organization, s3, sendRoomEvent } from '../../support/machine.ts';
import { createTranscription, ended, linkTo, shortWav } from '../../support/media/recordings.ts';
import { mixedMeeting, pausedMonologue, second } from '../../support/transcriptions/mixed-meetings.ts';

const ada = { displayName: 'Ada Lovelace' };
/** A session with a start and an end, in which Ada is all the time. */
const withAda = (session: SessionTeller, ...others: readonly ReturnType<SessionTeller['joined' | 'left']>[]) => [
  session.started('08:59'),
  session.joined('p-ada', '08:59', ada),
  ...others,
  session.left('p-ada', '09:10'),
  session.ended('09:10'),
];
const unnamed = [
  expect.objectContaining({ participantId: null, displayName: 'Speaker 1', source: 'recognizer', confidence: null }),
];

describe('the speaker of a mixed recording is named', () => {
  test('who was alone in the session, in the transcription and in its files', async () => {
    const { acme, path, speakers } = await mixedMeeting((session) => withAda(session));
    expect(speakers).toEqual([
      expect.objectContaining({
        ...{ speaker: 'Speaker 1', participantId: 'p-ada', displayName: 'Ada Lovelace' },
        ...{ source: 'presence', confidence: 1 },
      }),
    ]);
    const { accessLink } = await linkTo(acme, path, 'txt');
    const text = await (await fetch(accessLink)).text();
    expect(text).toContain('] Ada Lovelace: ');
    expect(text).not.toContain('Speaker 1');
  });

  test('who was alone when the other had left, and although a recorder was there', async () => {
    const { speakers } = await mixedMeeting((session) => [
      ...withAda(session, session.joined('p-bob', '08:59'), session.left('p-bob', '08:59:40')),
      session.joined('rec', '08:59', { roleName: 'recorder' }),
      session.left('rec', '09:10'),
    ]);
    expect(speakers).toEqual([expect.objectContaining({ participantId: 'p-ada', source: 'presence' })]);
  });

  test('whose voice the platform detected at these times, by a clock that is five seconds late', async () => {
    const acme = organization();
    const { wav, said } = pausedMonologue();
    const feed = said.map(([from, to]) => [second(from + 5), second(to + 5)] as const);
    const { speakers } = await mixedMeeting(
      (session) => [
        ...withAda(session, session.joined('p-bob', '08:59'), session.left('p-bob', '09:10')),
        session.spoke('p-ada', ...feed),
      ],
      { acme, wav },
    );
    expect(speakers).toEqual([
      expect.objectContaining({ participantId: 'p-ada', displayName: 'Ada Lovelace', source: 'matched' }),
    ]);
    expect(speakers[0]?.confidence).toBeGreaterThanOrEqual(0.6);
  });
});

describe('the speaker of a mixed recording stays unnamed', () => {
  test.each<[string, Parameters<typeof mixedMeeting>[0]]>([
    [
      'two people were there',
      (session) => withAda(session, session.joined('p-bob', '08:59'), session.left('p-bob', '09:10')),
    ],
    ['a leave is missing', (session) => [...withAda(session).slice(0, 2), session.ended('09:10')]],
    ['a join is missing, and the leave came', (session) => withAda(session, session.left('p-bob', '09:05'))],
    ['the session is open', (session) => withAda(session).slice(0, -1)],
    [
      'an agent was there, which can be heard',
      (session) =>
        withAda(session, session.joined('bot', '08:59', { roleName: 'captioner' }), session.left('bot', '09:10')),
    ],
    [
      'the other had left less than fifteen seconds before',
      (session) => withAda(session, session.joined('p-bob', '08:59'), session.left('p-bob', '08:59:50')),
    ],
  ])('if %s', async (_why, events) => {
    expect((await mixedMeeting(events)).speakers).toEqual(unnamed);
  });

  test('if the other had left, but the recording is not as long as its dates say', async () => {
    const left = (session: SessionTeller) =>
      withAda(session, session.joined('p-bob', '08:58'), session.left('p-bob', '08:59'));
    expect((await mixedMeeting(left, { extraSeconds: 2 })).speakers).toEqual(unnamed);
    expect((await mixedMeeting((session) => withAda(session), { extraSeconds: 2 })).speakers).toMatchObject([
      { participantId: 'p-ada' },
    ]);
  });
});

test('the track of an agent is not transcribed, costs nothing and is not missing', async () => {
  const acme = organization();
  const session = sessionOf(acme, { roomName: '/agents' });
  const events = [
    ...withAda(session, session.joined('bot', '08:59', { roleName: 'captioner' }), session.left('bot', '09:10')),
  ];
  await send(...events);
  await untilCounted(acme, events);
  const recordingId = randomUUID();
  const tracks = await Promise.all(
    ['p-ada', 'bot', 'unknown'].map(async (participantId) => {
      const location = { bucket: String(endpoints.buckets.recordings), key: `${acme}/${recordingId}/${participantId}` };
      await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body: shortWav }));
      return { participantId, location, startDate: second(0), endDate: second(1.2) };
    }),
  );
  const { roomName, roomSessionId } = session;
  const dates = { startDate: second(0), endDate: second(1.2) };
  await sendRoomEvent(acme, 'recording.finished', { recordingId, roomName, roomSessionId, ...dates, tracks });
  const { path } = await createTranscription(acme, recordingId);

  const { speakers = [], missing, submittedSeconds } = await ended(acme, path);

  expect(speakers.map(({ participantId }) => participantId)).toEqual(['p-ada', 'unknown']);
  expect(missing).toBeUndefined();
  expect(submittedSeconds).toBeLessThanOrEqual(2.4); // without silence at the ends
});
