import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { RecordingLink } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { clientOf, codeOf, read } from '../../support/http/checked-api.ts';
import { deliver, liveSession } from '../../support/insights/live-sessions.ts';
import { endpoints, organization, s3 } from '../../support/machine.ts';
import { createTranscription, finishRecording, recordingEvent, shortWav } from '../../support/media/recordings.ts';

const linkTo = (organizationId: string, path: string, query = '') =>
  clientOf(organizationId)('GET', `${path}/recording-link${query}`);

/** A transcription that is in progress, or has ended: the link does not care. */
async function transcribed(acme: string, facts: Parameters<typeof finishRecording>[1] = {}) {
  const recording = await finishRecording(acme, { body: shortWav, ...facts });
  return { recording, ...(await createTranscription(acme, recording.recordingId)) };
}

test('a link plays the mixed file, in parts as players ask for them, and for nobody else', async () => {
  const [acme, other] = [organization(), organization()];
  const { path, recording } = await transcribed(acme);
  const before = Date.now();
  const { url, expiresAt, contentType } = read(RecordingLink, await linkTo(acme, path));

  expect(contentType).toBe('audio/wav');
  expect(Date.parse(expiresAt) - before).toBeGreaterThan(14.9 * 60_000);
  expect(Date.parse(expiresAt) - before).toBeLessThan(15.1 * 60_000);
  const whole = await fetch(url);
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(shortWav);
  expect(whole.headers.get('content-type')).toBe('audio/wav');
  expect(whole.headers.get('content-disposition')).toBe(`inline; filename=${recording.recordingId}.wav`);
  const part = await fetch(url, { headers: { range: 'bytes=0-3' } });
  expect([part.status, await part.text()]).toEqual([206, 'RIFF']);
  const of = new URL(url);
  of.pathname = of.pathname.replace(acme, other);
  expect((await fetch(of)).status, 'it opens no other file').not.toBe(200);
  const foreign = await linkTo(other, path);
  expect([foreign.status, codeOf(foreign)]).toEqual([404, 'transcription_not_found']);
});

test('a file that is missing, elsewhere, or of a deleted or live transcription has no link', async () => {
  const acme = organization();
  const { path, recording } = await transcribed(acme);
  await s3.send(new DeleteObjectCommand({ Bucket: recording.location.bucket, Key: recording.location.key }));
  const missing = await linkTo(acme, path);
  expect([missing.status, codeOf(missing)]).toEqual([404, 'recording_file_not_found']);

  const location = { bucket: String(endpoints.buckets.recordings), key: `elsewhere-${randomUUID()}.wav` };
  await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body: shortWav }));
  const outside = await linkTo(acme, (await transcribed(acme, { location, body: undefined })).path);
  expect([outside.status, codeOf(outside)]).toEqual([404, 'recording_file_not_found']);

  const live = liveSession(acme);
  await deliver('record-room-events', [live.finished()]);
  const ofLive = await linkTo(acme, live.path);
  expect([ofLive.status, codeOf(ofLive)]).toEqual([404, 'recording_file_not_found']);

  expect((await clientOf(acme)('DELETE', path)).status).toBe(204);
  const deleted = await linkTo(acme, path);
  expect([deleted.status, codeOf(deleted)]).toEqual([404, 'transcription_not_found']);
});

test('a link to a track names its participant, and a refusal says who has tracks', async () => {
  const acme = organization();
  const [recordingId, roomSessionId] = [randomUUID(), randomUUID()];
  const span = { startDate: '2026-03-01T09:00:00.000Z', endDate: '2026-03-01T09:00:31.000Z' };
  const keyOf = (name: string) => ({ bucket: endpoints.buckets.recordings, key: `${acme}/${recordingId}/${name}.wav` });
  for (const name of ['ada', 'bob']) {
    const { bucket: Bucket, key: Key } = keyOf(name);
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: shortWav, ContentType: 'audio/x-wav' }));
  }
  const tracks = ['ada', 'bob'].map((participantId) => ({ participantId, ...span, location: keyOf(participantId) }));
  const data = { recordingId, roomName: '/daily', roomSessionId, ...span, tracks };
  await deliver('record-room-events', [recordingEvent(acme, data)]);
  const { path } = await createTranscription(acme, recordingId);

  const { url, contentType } = read(RecordingLink, await linkTo(acme, path, '?participantId=bob'));
  expect(contentType).toBe('audio/x-wav');
  expect(decodeURIComponent(new URL(url).pathname)).toMatch(/\/bob\.wav$/);
  expect((await fetch(url)).status).toBe(200);
  for (const query of ['', '?participantId=eve']) {
    const refused = await linkTo(acme, path, query);
    expect([refused.status, codeOf(refused)]).toEqual([404, 'recording_file_not_found']);
    expect(refused.text).toContain('ada, bob');
  }
});
