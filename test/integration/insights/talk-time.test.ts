import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { TranscriptionDetail } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, read } from '../../support/http/checked-api.ts';
import { at, insightsOf, send, sessionOf, untilCounted } from '../../support/insights/insights.ts';
import { endpoints, organization, s3, sendRoomEvent, sqs } from '../../support/machine.ts';
import { createTranscription, ended, sampleWav } from '../../support/media/recordings.ts';
import { cutWav } from '../../support/media/wav.ts';

/** What each of them says of the sample, in its seconds, and when. */
const people = [
  { participantId: 'p-ada', from: 0, seconds: 4, begins: '09:00:00' },
  { participantId: 'p-ben', from: 4, seconds: 4.5, begins: '09:00:05' },
] as const;
const nothing = [null, null];

/** A session of Ada and Ben, whose microphones were recorded. */
async function meeting() {
  const acme = organization();
  const session = sessionOf(acme, { roomName: '/talk' });
  const joins = people.map(({ participantId }) => session.joined(participantId, '08:59'));
  const events = [session.started('08:59'), ...joins, session.ended('09:01')];
  await send(...events);
  await untilCounted(acme, events);
  const recordingId = randomUUID();
  const { roomName, roomSessionId } = session;
  const tracks = await Promise.all(
    people.map(async ({ participantId, from, seconds, begins }) => {
      const location = {
        bucket: String(endpoints.buckets.recordings),
        key: `${acme}/${recordingId}/${participantId}.wav`,
      };
      const Body = cutWav(sampleWav, from, from + seconds);
      await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body }));
      const endDate = new Date(Date.parse(at(begins)) + seconds * 1000).toISOString();
      return { participantId, location, startDate: at(begins), endDate };
    }),
  );
  const span = { startDate: at('09:00'), endDate: at('09:00:30') };
  await sendRoomEvent(acme, 'recording.finished', { recordingId, roomName, roomSessionId, ...span, tracks });
  const insights = insightsOf(acme);
  return {
    ...{ acme, session, recordingId },
    /** What insights tell of the session, of Ada and of Ben. */
    talk: async () => {
      const { results: sessions } = await insights.roomSessions({ roomName, roomSessionId });
      const { results: participants } = await insights.participants({ roomSessionId });
      return [...sessions, ...participants].map(({ spokenSeconds, spokenSource }) => [spokenSeconds, spokenSource]);
    },
  };
}

test('the talk time of a meeting with tracks follows its transcripts, their corrections and the count of the platform', {
  timeout: 180_000,
}, async () => {
  const { acme, session, recordingId, talk } = await meeting();
  const call = clientOf(acme);
  const transcript = (...seconds: readonly number[]) =>
    seconds.map((each) => [expect.closeTo(each, 2), 'transcript'] as const);
  const untilTold = (...expected: readonly unknown[]) => eventually(async () => expect(await talk()).toEqual(expected));
  expect(await talk()).toEqual([nothing, nothing, nothing]);

  const { path } = await createTranscription(acme, recordingId);
  await ended(acme, path);
  const { speakers = [] } = read(TranscriptionDetail, await call('GET', path));
  const [ada = 0, ben = 0] = speakers.map(({ spokenSeconds }) => spokenSeconds);
  expect(Math.min(ada, ben)).toBeGreaterThan(1);
  await untilTold(...transcript(ada + ben, ada, ben));

  const ofBen = `${path}/speakers/${encodeURIComponent('Speaker 2')}`;
  const correct = async (body: object) => expect((await call('PUT', ofBen, { body })).status).toBe(200);
  await correct({ participantId: 'p-ada' });
  await untilTold(...transcript(ada + ben, ada + ben), nothing);
  await correct({ displayName: 'A guest' });
  await untilTold(...transcript(ada, ada), nothing);
  expect((await call('DELETE', ofBen)).status).toBe(204);
  await untilTold(...transcript(ada + ben, ada, ben));

  const counted = session.updated('p-ben', '09:01', { spokenSeconds: 100 });
  await send(counted);
  await untilTold([expect.closeTo(ada + 100, 2), 'mixed'], ...transcript(ada), [100, 'platform']);
  await send(session.retracted(counted));
  await untilTold(...transcript(ada + ben, ada, ben));

  const { path: another } = await createTranscription(acme, recordingId);
  await ended(acme, another);
  await correct({ displayName: 'A guest' });
  await untilTold(...transcript(ada + ben, ada, ben)); // the other transcription says who it was
  expect((await call('DELETE', another)).status).toBe(204);
  await untilTold(...transcript(ada, ada), nothing);
  expect((await call('DELETE', path)).status).toBe(204);
  await untilTold(nothing, nothing, nothing);
});

test('the talk time of a session with a feed of activity is what was heard, and transcripts do not matter', async () => {
  const { acme, session, recordingId, talk } = await meeting();
  const { path } = await createTranscription(acme, recordingId);
  await ended(acme, path);
  await eventually(async () => expect(await talk()).toContainEqual([expect.any(Number), 'transcript']));
  const spoke = (from: string, to: string) => ({
    ...{ id: randomUUID(), type: 'room.client.spoke', organizationId: acme, createdAt: at(to) },
    data: { roomSessionId: session.roomSessionId, participantId: 'p-ada', intervals: [{ from: at(from), to: at(to) }] },
  });
  const feed = [spoke('09:00:00', '09:00:10'), spoke('09:00:05', '09:00:12.500'), spoke('09:00:20', '09:00:21')];
  const post = (QueueUrl: string | undefined, message: object) =>
    sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message) }));
  for (const event of [...feed, ...feed.slice(1)]) await post(endpoints.queues.networkSamples, event);
  // The worker asks for this itself, ten minutes later.
  const { roomSessionId } = session;
  await eventually(async () => {
    await post(endpoints.queues.transcriptChanges, { organizationId: acme, roomSessionId });
    expect(await talk()).toEqual([
      [expect.any(Number), 'mixed'],
      [13.5, 'activity'],
      [expect.any(Number), 'transcript'],
    ]);
  });
});
