import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DeleteTranscriptionJobCommand,
  GetTranscriptionJobCommand,
  TranscribeClient,
} from '@aws-sdk/client-transcribe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FAILURE_REASONS } from '#tools/local/transcribe/failure.ts';
import { cutWav } from '../support/media/wav.ts';
import {
  type MediaBuckets,
  startMediaBuckets,
  startTranscribeServer,
  type TranscribeServer,
} from '../support/transcriptions/local-transcribe.ts';
import { wordErrorRate } from '../support/transcriptions/word-error-rate.ts';

const SAMPLE = new URL('../../tools/local/sample/', import.meta.url);
const NOT_FOUND = "The requested job couldn't be found. Check the job name and try your request again.";

let buckets: MediaBuckets;
let transcribe: TranscribeServer;
let sample: Buffer;

beforeAll(async () => {
  buckets = await startMediaBuckets();
  transcribe = await startTranscribeServer(buckets, { dataDir: join(buckets.folder, 'main') });
  sample = await readFile(new URL('recording.wav', SAMPLE));
  await buckets.putRecording('sample.wav', sample);
  // The first words of the sample: any speech.
  await buckets.putRecording('clip.wav', cutWav(sample, 0, 1.2));
  await buckets.putRecording('empty.wav', Buffer.alloc(0));
});

afterAll(async () => {
  await transcribe.stop();
  await buckets.stop();
});

const remove = (name: string) =>
  transcribe.client.send(new DeleteTranscriptionJobCommand({ TranscriptionJobName: name }));

test('the sample is transcribed with few errors, in the document format of Amazon Transcribe', async () => {
  const started = await transcribe.start('sample', 'sample.wav', { OutputKey: 'org-1/' });
  expect(started.TranscriptionJob).toMatchObject({ TranscriptionJobName: 'sample', TranscriptionJobStatus: 'QUEUED' });
  const job = await transcribe.waitFor('sample', 'COMPLETED', 'FAILED');
  expect(job).toMatchObject({
    TranscriptionJobStatus: 'COMPLETED',
    LanguageCode: 'en-US',
    IdentifyLanguage: true,
    IdentifiedLanguageScore: 1,
    MediaFormat: 'wav',
    MediaSampleRateHertz: 16_000,
    Media: { MediaFileUri: 's3://recordings/sample.wav' },
    Transcript: { TranscriptFileUri: `${buckets.s3Url}/transcripts/org-1/sample.json` },
    Settings: { ShowSpeakerLabels: true, MaxSpeakerLabels: 10 },
  });
  expect(job.CreationTime).toBeInstanceOf(Date);
  expect(job.CompletionTime?.getTime()).toBeGreaterThan(job.StartTime?.getTime() ?? Number.NaN);

  const { results } = await buckets.getTranscript('org-1/sample.json');
  const text = await readFile(new URL('recording.txt', SAMPLE), 'utf8');
  expect(wordErrorRate(text, results.transcripts[0]?.transcript ?? '')).toBeLessThanOrEqual(0.2);
  expect(results.audio_segments).toHaveLength(text.trim().split('\n').length);
  const lengthSeconds = (sample.length - 44) / 32_000;
  const ends = results.speaker_labels?.segments.map((segment) => Number(segment.end_time)) ?? [];
  expect(ends).toEqual([...ends].sort((a, b) => a - b));
  expect(ends.at(-1)).toBeLessThanOrEqual(lengthSeconds);
  expect(ends.at(-1)).toBeGreaterThan(lengthSeconds - 2);
});

test('the client finds the server through its own environment variable', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_TRANSCRIBE', transcribe.url);
  const client = new TranscribeClient({ region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
  const answer = client.send(new GetTranscriptionJobCommand({ TranscriptionJobName: 'never-started' }));
  await expect(answer).rejects.toMatchObject({ name: 'NotFoundException', message: NOT_FOUND });
  client.destroy();
  vi.unstubAllEnvs();
});

test('a job name stays taken until its job has ended and is deleted', async () => {
  await transcribe.start('taken', 'clip.wav');
  const conflict = {
    name: 'ConflictException',
    message: 'The requested job name already exists. Use a different job name.',
  };
  await expect(transcribe.start('taken', 'clip.wav')).rejects.toMatchObject(conflict);
  await expect(remove('taken')).rejects.toMatchObject({
    name: 'BadRequestException',
    message: expect.stringContaining('job is in progress'),
  });
  await transcribe.waitFor('taken', 'COMPLETED');
  await expect(transcribe.start('taken', 'clip.wav')).rejects.toMatchObject(conflict);
  await remove('taken');
  await expect(transcribe.get('taken')).rejects.toMatchObject({ name: 'NotFoundException', message: NOT_FOUND });
  await expect(remove('taken')).rejects.toMatchObject({ name: 'BadRequestException', message: NOT_FOUND });
});

test('an invalid request starts no job', async () => {
  const refused = transcribe.start('no-language', 'clip.wav', { IdentifyLanguage: false });
  await expect(refused).rejects.toMatchObject({
    name: 'BadRequestException',
    message: 'The language code is missing. Either add a language code or turn on language identification.',
  });
  await expect(transcribe.get('no-language')).rejects.toMatchObject({ name: 'NotFoundException' });
});

test('the end of a job is emitted once, in the format of EventBridge', async () => {
  await transcribe.start('told', 'empty.wav');
  await transcribe.waitFor('told', 'FAILED');
  const told = () => transcribe.events.filter((event) => event.detail.TranscriptionJobName === 'told');
  await vi.waitFor(() => expect(told()).toHaveLength(1));
  expect(told()).toEqual([
    {
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'Transcribe Job State Change',
      source: 'aws.transcribe',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'us-east-1',
      resources: [],
      detail: {
        TranscriptionJobName: 'told',
        TranscriptionJobStatus: 'FAILED',
        FailureReason: FAILURE_REASONS.invalidMedia,
      },
    },
  ]);
});

test('a failing listener does not block the next job', async () => {
  const emit = vi.fn().mockRejectedValue(new Error('no listener'));
  const server = await startTranscribeServer(buckets, { dataDir: join(buckets.folder, 'deaf'), emit });
  await server.start('first', 'empty.wav');
  await server.start('second', 'empty.wav');
  await server.waitFor('second', 'FAILED');
  await vi.waitFor(() => expect(emit).toHaveBeenCalledTimes(2));
  await server.stop();
});

test('jobs above the limit are rejected until one has ended', async () => {
  const server = await startTranscribeServer(buckets, { dataDir: join(buckets.folder, 'small'), maxJobs: 1 });
  await server.start('only', 'clip.wav');
  await expect(server.start('other', 'clip.wav')).rejects.toMatchObject({ name: 'LimitExceededException' });
  await server.waitFor('only', 'COMPLETED');
  await server.start('other', 'empty.wav');
  await server.stop();
});

test('jobs run side by side as far as there are cores, in the order of their starts', async () => {
  const server = await startTranscribeServer(buckets, { dataDir: join(buckets.folder, 'cores'), jobsAtOnce: 2 });
  const stateOf = async (name: string) => (await server.get(name))?.TranscriptionJobStatus;
  for (const name of ['one', 'two', 'three']) await server.start(name, 'sample.wav');
  await vi.waitFor(
    async () => expect([await stateOf('one'), await stateOf('two')]).toEqual(['IN_PROGRESS', 'IN_PROGRESS']),
    {
      timeout: 30_000,
    },
  );
  expect(await stateOf('three')).toBe('QUEUED');
  await server.stop();
});

test('jobs that were running or waiting when the process ended run after the next start', async () => {
  const dataDir = join(buckets.folder, 'restarted');
  const first = await startTranscribeServer(buckets, { dataDir, jobsAtOnce: 1 });
  await first.start('done', 'empty.wav');
  await first.waitFor('done', 'FAILED');
  await buckets.putRecording('talk.wav', sample);
  await first.start('running', 'talk.wav');
  await first.start('waiting', 'clip.wav');
  await first.waitFor('running', 'IN_PROGRESS');
  const stoppedAt = Date.now();
  await first.stop();
  expect(Date.now() - stoppedAt).toBeLessThan(2_000);

  // The second run reads the recording again: a short one keeps the test quick.
  await buckets.putRecording('talk.wav', cutWav(sample, 0, 1.2));
  const second = await startTranscribeServer(buckets, { dataDir });
  for (const name of ['running', 'waiting']) await second.waitFor(name, 'COMPLETED');
  expect(await second.get('done')).toMatchObject({ TranscriptionJobStatus: 'FAILED' });
  const names = [...first.events, ...second.events].map((event) => event.detail.TranscriptionJobName);
  await vi.waitFor(() => expect(second.events).toHaveLength(2));
  expect(names.sort()).toEqual(['done', 'running', 'waiting']);
  await second.stop();
});

test.each([
  {
    name: 'an unknown operation',
    target: 'Transcribe.ListVocabularies',
    body: '{}',
    code: 'UnknownOperationException',
  },
  { name: 'invalid JSON', target: 'Transcribe.GetTranscriptionJob', body: '{', code: 'SerializationException' },
  { name: 'null', target: 'Transcribe.GetTranscriptionJob', body: 'null', code: 'SerializationException' },
  { name: 'an array', target: 'Transcribe.StartTranscriptionJob', body: '[]', code: 'SerializationException' },
  {
    name: 'wrong types',
    target: 'Transcribe.StartTranscriptionJob',
    body: '{"TranscriptionJobName":{}}',
    code: 'BadRequestException',
  },
])('the server answers $name with an error of the protocol', async ({ target, body, code }) => {
  const response = await fetch(transcribe.url, { method: 'POST', headers: { 'x-amz-target': target }, body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ __type: code });
});

test('the start fails cleanly if the port is taken', async () => {
  const port = Number(new URL(transcribe.url).port);
  const started = startTranscribeServer(buckets, { dataDir: join(buckets.folder, 'second'), port });
  await expect(started).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
