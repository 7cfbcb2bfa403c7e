import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  NotFoundError,
  RoomscribeError,
  type Transcription,
  type TranscriptionDetail,
  TranscriptionFailedError,
} from '#client/index.ts';
import { transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { roomscribeOf } from '../../support/client/typed-client.ts';
import { organization } from '../../support/machine.ts';
import { finishRecording, readyTranscription, registered, shortWav, unheard } from '../../support/media/recordings.ts';

/** The error of a failed call. */
const failure = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error);

describe('a recording', () => {
  const acme = organization();
  const { transcriptions } = roomscribeOf(acme);
  let ready: TranscriptionDetail;
  const looks: Transcription['state'][] = [];
  let recordingId: string;

  beforeAll(async () => {
    recordingId = (await finishRecording(acme, { body: unheard(shortWav), roomName: '/client' })).recordingId;
    ready = await transcriptions.createAndWait(
      { recordingId },
      { onProgress: ({ state }) => looks.push(state), timeoutMs: 50_000 },
    );
  });

  test('is transcribed by one call before its event arrives, with progress reports', () => {
    expect(ready).toMatchObject({ state: 'ready', roomName: '/client', type: 'RECORDING_TRANSCRIPTION' });
    expect(looks.at(0)).toBe('in_progress');
    expect(looks.at(-1)).toBe('ready');
  });

  test('is found by its id and by filters', async () => {
    expect(await transcriptions.get(ready.transcriptionId)).toEqual(ready);
    const { speakers: _, language: __, options: ___, ...listed } = ready;
    expect(await transcriptions.list({ recordingId }).toArray()).toEqual([listed]);
    expect(await transcriptions.list({ state: 'failed' }).toArray()).toEqual([]);
  });

  test.each(transcriptFormats)('is downloaded as %s', async (format) => {
    const answer = await transcriptions.download(ready.transcriptionId, { format });
    expect(answer.headers.get('content-type')).toMatch(/^(text|application)\//);
    const text = await answer.text();
    expect(text).not.toBe('');
    expect(await transcriptions.downloadText(ready.transcriptionId, { format })).toBe(text);
  });

  test('is downloaded as turns', async () => {
    const document = await transcriptions.downloadDocument(ready.transcriptionId);
    expect(document).toMatchObject({ transcriptionId: ready.transcriptionId, roomName: '/client' });
    const [turn] = document.turns;
    expect(turn).toEqual({
      speaker: expect.any(String),
      startSeconds: expect.any(Number),
      endSeconds: expect.any(Number),
      text: expect.stringMatching(/\w/),
      words: expect.any(Array),
    });
    expect(document.speakers).toEqual(ready.speakers);
  });

  test('has a link that is valid for the requested time', async () => {
    const before = Date.now();
    const { accessLink, expires } = await transcriptions.createAccessLink(ready.transcriptionId, {
      format: 'vtt',
      validForSeconds: 60,
    });
    expect(expires - before).toBeGreaterThan(0);
    expect(expires).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(await (await fetch(accessLink)).text()).toMatch(/^WEBVTT/);
  });
});

test('a speaker gets a name, and loses it again', async () => {
  const acme = organization();
  const { transcriptions } = roomscribeOf(acme);
  const { transcriptionId: id } = await readyTranscription(acme);
  const { speakers = [] } = await transcriptions.get(id);
  const [{ speaker = '' } = {}] = speakers;
  expect(await transcriptions.correctSpeaker(id, speaker, { displayName: 'Ada' })).toMatchObject({
    ...{ speaker, displayName: 'Ada', source: 'corrected' },
  });
  await transcriptions.undoSpeakerCorrection(id, speaker);
  expect((await transcriptions.get(id)).speakers).toEqual(speakers);
  const unknown = transcriptions.correctSpeaker(id, 'Speaker 9', { displayName: 'Ada' });
  expect(await failure(unknown)).toMatchObject({ name: 'NotFoundError', code: 'speaker_not_found' });
  expect(await failure(transcriptions.undoSpeakerCorrection(id, '..'))).toBeInstanceOf(TypeError);
});

test('two creations with the same idempotency key create one transcription', async () => {
  const acme = organization();
  const { transcriptions } = roomscribeOf(acme);
  const { recordingId } = await finishRecording(acme, { body: 'no sound' });
  await registered(acme, recordingId);
  const idempotencyKey = randomUUID();
  const first = await transcriptions.create({ recordingId }, { idempotencyKey });
  const failed = await failure(transcriptions.wait(first.transcriptionId));
  expect(failed).toBeInstanceOf(TranscriptionFailedError);
  expect(await transcriptions.create({ recordingId }, { idempotencyKey })).toEqual(first);
  expect(await transcriptions.create({ recordingId })).not.toEqual(first);
});

test('a failed transcription throws an error with the transcription and its failure', async () => {
  const acme = organization();
  const { recordingId } = await finishRecording(acme);
  const failed = await failure(roomscribeOf(acme).transcriptions.createAndWait({ recordingId }));
  expect(failed).toBeInstanceOf(TranscriptionFailedError);
  expect(failed).toMatchObject({
    code: 'transcription_failed',
    message: expect.stringMatching(/\.$/),
    transcription: { state: 'failed', failure: { code: 'recording_missing' } },
  });
});

test('creation throws NotFoundError if the recording stays unknown', async () => {
  const { transcriptions } = roomscribeOf(organization());
  const unknown = { recordingId: randomUUID() };
  const failed = await failure(transcriptions.createAndWait(unknown, { recordingWithinMs: 0 }));
  expect(failed).toBeInstanceOf(NotFoundError);
  expect(failed).toMatchObject({ code: 'recording_not_found', status: 404, requestId: expect.stringMatching(/./) });
  expect(await failure(transcriptions.create(unknown))).toMatchObject({ code: 'recording_not_found' });
});

test('waiting ends at once if its signal is aborted', async () => {
  const acme = organization();
  const { recordingId } = await finishRecording(acme, { body: shortWav });
  const stop = new AbortController();
  const reason = new Error('enough');
  const waiting = roomscribeOf(acme).transcriptions.createAndWait(
    { recordingId },
    { signal: stop.signal, onProgress: () => stop.abort(reason) },
  );
  expect(await failure(waiting)).toBe(reason);
});

test('a deleted transcription is gone, and deleting it again succeeds', async () => {
  const acme = organization();
  const { transcriptions } = roomscribeOf(acme);
  const { transcriptionId } = await readyTranscription(acme);
  await transcriptions.delete(transcriptionId);
  await transcriptions.delete(transcriptionId);
  await transcriptions.bulkDelete([transcriptionId, randomUUID()]);
  expect(await failure(transcriptions.get(transcriptionId))).toMatchObject({ code: 'transcription_not_found' });
  expect(await failure(transcriptions.download(transcriptionId))).toBeInstanceOf(RoomscribeError);
});

test('the error for an invalid request names every invalid field', async () => {
  const { transcriptions } = roomscribeOf(organization());
  const query = { limit: 101, state: 'done' };
  expect(await failure(Reflect.apply(transcriptions.list, transcriptions, [query]).page())).toMatchObject({
    name: 'InvalidRequestError',
    issues: [
      { path: 'state', message: expect.stringContaining('in_progress') },
      { path: 'limit', message: expect.stringContaining('100') },
    ],
  });
});
