import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAILURE_REASONS } from '#tools/local/transcribe/failure.ts';
import { findProgram } from '#tools/local/transcribe/find-program.ts';
import { findRecognizer } from '#tools/local/transcribe/recognizer.ts';
import { runProgram } from '#tools/local/transcribe/run-program.ts';
import {
  type MediaBuckets,
  startMediaBuckets,
  startTranscribeServer,
  type TranscribeServer,
} from '../support/local-transcribe.ts';
import { buildWav, cutWav } from '../support/wav.ts';
import { wordErrorRate } from '../support/word-error-rate.ts';

const SAMPLE = new URL('../../tools/local/sample/', import.meta.url);
const FFMPEG = findProgram('ffmpeg', process.env.PATH ?? '');

let buckets: MediaBuckets;
let transcribe: TranscribeServer;
let sample: Buffer;
/** The sample's first sentence: about four seconds, ten words. */
let clip: Buffer;

beforeAll(async () => {
  buckets = await startMediaBuckets();
  transcribe = await startTranscribeServer(buckets, { dataDir: join(buckets.folder, 'main') });
  sample = await readFile(new URL('recording.wav', SAMPLE));
  clip = cutWav(sample, 0, 4.3);
  await buckets.putRecording('clip.wav', clip);
});

afterAll(async () => {
  await transcribe.stop();
  await buckets.stop();
});

test.each([
  { name: 'empty', file: Buffer.alloc(0), reason: FAILURE_REASONS.invalidMedia },
  { name: 'text', file: Buffer.from('Meeting notes, not a recording.'), reason: FAILURE_REASONS.invalidMedia },
  {
    name: 'mp3-named-wav',
    file: Buffer.from('ID3\x04 and so on'),
    reason: FAILURE_REASONS.formatMismatch,
    format: 'wav' as const,
  },
  { name: 'silent', file: buildWav({ samples: Buffer.alloc(64_000) }), reason: FAILURE_REASONS.noSpeech },
  { name: 'short', file: buildWav({ samples: Buffer.alloc(3_200) }), reason: FAILURE_REASONS.tooShort },
  {
    name: 'fast',
    file: buildWav({ samples: Buffer.alloc(64_000), sampleRate: 96_000 }),
    reason: FAILURE_REASONS.invalidSampleRate,
  },
  {
    name: 'surround',
    file: buildWav({ samples: Buffer.alloc(64_000), channels: 6 }),
    reason: FAILURE_REASONS.tooManyChannels,
  },
  {
    name: 'absurd',
    file: buildWav({ samples: Buffer.alloc(64_000), claimedBytes: 0xfffffff0 }),
    reason: FAILURE_REASONS.invalidMedia,
  },
])('$name media fail with a reason', async ({ name, file, reason, format }) => {
  await buckets.putRecording(`${name}.wav`, file);
  await transcribe.start(name, `${name}.wav`, format === undefined ? {} : { MediaFormat: format });
  const job = await transcribe.waitFor(name, 'FAILED');
  expect(job.FailureReason).toBe(reason);
  expect(job.Transcript?.TranscriptFileUri).toBeUndefined();
});

test('a recording cut short fails', async () => {
  await buckets.putRecording('cut.wav', sample.subarray(0, 200_000));
  await transcribe.start('cut', 'cut.wav');
  expect((await transcribe.waitFor('cut', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.invalidMedia);
});

test('a recording or a bucket that is not there fails', async () => {
  await transcribe.start('missing', 'no-such.wav');
  await transcribe.start('nowhere', 'clip.wav', { OutputBucketName: 'no-such-bucket' });
  expect((await transcribe.waitFor('missing', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.missingMedia);
  expect((await transcribe.waitFor('nowhere', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.unwritableOutput);
});

test('silence in a given language is an empty transcript', async () => {
  await buckets.putRecording('quiet.wav', buildWav({ samples: Buffer.alloc(64_000) }));
  await transcribe.start('quiet', 'quiet.wav', { IdentifyLanguage: false, LanguageCode: 'en-GB' });
  await transcribe.waitFor('quiet', 'COMPLETED');
  const { results } = await buckets.getTranscript('quiet.json');
  expect(results).toMatchObject({ transcripts: [{ transcript: '' }], items: [], audio_segments: [] });
});

test('other containers go through ffmpeg', async () => {
  const wav = join(buckets.folder, 'clip.wav');
  const mp4 = join(buckets.folder, 'clip.mp4');
  await writeFile(wav, clip);
  if (FFMPEG === undefined) await writeFile(mp4, '\0\0\0\x20ftypisom');
  else await runProgram(FFMPEG, ['-y', '-i', wav, '-ar', '44100', '-ac', '2', mp4], AbortSignal.timeout(20_000));
  await buckets.putRecording('clip.mp4', await readFile(mp4));
  await transcribe.start('container', 'clip.mp4');
  const job = await transcribe.waitFor('container', 'COMPLETED', 'FAILED');
  if (FFMPEG === undefined) {
    expect(job.FailureReason).toBe(FAILURE_REASONS.noFfmpeg);
    return;
  }
  expect(job).toMatchObject({ TranscriptionJobStatus: 'COMPLETED', MediaFormat: 'mp4' });
  const { results } = await buckets.getTranscript('container.json');
  expect(
    wordErrorRate(
      'Good morning everyone, and thank you for joining this meeting.',
      results.transcripts[0]?.transcript ?? '',
    ),
  ).toBeLessThanOrEqual(0.3);
});

test('a container that is broken inside fails', async () => {
  await buckets.putRecording('broken.mp4', Buffer.from(`\0\0\0\x20ftypisom${'x'.repeat(5_000)}`, 'latin1'));
  await transcribe.start('broken', 'broken.mp4');
  const { FailureReason: reason } = await transcribe.waitFor('broken', 'FAILED');
  expect(reason).toBe(FFMPEG === undefined ? FAILURE_REASONS.noFfmpeg : FAILURE_REASONS.invalidMedia);
});

test('what is missing on the machine is said in the reason', async () => {
  const programs = join(buckets.folder, 'programs');
  await mkdir(programs);
  const recognizer = findRecognizer();
  if (recognizer === undefined) throw new Error('npm run setup has not been run');
  await symlink(recognizer.command, join(programs, recognizer.command.split('/').at(-1) ?? ''));
  await buckets.putRecording('talk.flac', Buffer.from('fLaC'));

  const bare = await startTranscribeServer(buckets, { dataDir: join(buckets.folder, 'bare'), searchPath: '' });
  await bare.start('no-recognizer', 'clip.wav');
  expect((await bare.waitFor('no-recognizer', 'FAILED')).FailureReason).toContain('npm run setup');
  await bare.stop();

  const wavOnly = await startTranscribeServer(buckets, {
    dataDir: join(buckets.folder, 'wav-only'),
    searchPath: programs,
  });
  await wavOnly.start('no-ffmpeg', 'talk.flac');
  expect((await wavOnly.waitFor('no-ffmpeg', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.noFfmpeg);
  await wavOnly.stop();
});
