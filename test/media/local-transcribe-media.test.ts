import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MediaFormat } from '@aws-sdk/client-transcribe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAILURE_REASONS } from '#tools/local/transcribe/failure.ts';
import { findRecognizer } from '#tools/local/transcribe/transcript/recognizer.ts';
import { runFfmpeg } from '../support/media/ffmpeg.ts';
import { buildWav, cutWav } from '../support/media/wav.ts';
import {
  type MediaBuckets,
  startMediaBuckets,
  startTranscribeServer,
  type TranscribeServer,
} from '../support/transcriptions/local-transcribe.ts';

const SAMPLE = new URL('../../tools/local/sample/', import.meta.url);

let buckets: MediaBuckets;
let transcribe: TranscribeServer;
let sample: Buffer;

beforeAll(async () => {
  buckets = await startMediaBuckets();
  transcribe = await startTranscribeServer(buckets, { dataDir: join(buckets.folder, 'main') });
  sample = await readFile(new URL('recording.wav', SAMPLE));
  await buckets.putRecording('clip.wav', cutWav(sample, 0, 1.2)); // any speech
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
])('the job of a recording named "$name" fails with its reason', async ({ name, file, reason, format }) => {
  await buckets.putRecording(`${name}.wav`, file);
  await transcribe.start(name, `${name}.wav`, format === undefined ? {} : { MediaFormat: format });
  const job = await transcribe.waitFor(name, 'FAILED');
  expect(job.FailureReason).toBe(reason);
  expect(job.Transcript?.TranscriptFileUri).toBeUndefined();
});

test('the job of a truncated recording fails', async () => {
  await buckets.putRecording('cut.wav', sample.subarray(0, 200_000));
  await transcribe.start('cut', 'cut.wav');
  expect((await transcribe.waitFor('cut', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.invalidMedia);
});

test('a job with a missing recording or a missing bucket fails', async () => {
  await transcribe.start('missing', 'no-such.wav');
  await transcribe.start('nowhere', 'clip.wav', { OutputBucketName: 'no-such-bucket' });
  expect((await transcribe.waitFor('missing', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.missingMedia);
  expect((await transcribe.waitFor('nowhere', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.unwritableOutput);
});

test('silence in a given language produces an empty transcript', async () => {
  await buckets.putRecording('quiet.wav', buildWav({ samples: Buffer.alloc(64_000) }));
  await transcribe.start('quiet', 'quiet.wav', { IdentifyLanguage: false, LanguageCode: 'en-GB' });
  await transcribe.waitFor('quiet', 'COMPLETED');
  const { results } = await buckets.getTranscript('quiet.json');
  expect(results).toMatchObject({ transcripts: [{ transcript: '' }], items: [], audio_segments: [] });
});

// How ffmpeg encodes the clip. Debian's ffmpeg reads AMR but does not write it, so that clip is a file.
const encodings: Record<MediaFormat, readonly string[] | URL> = {
  amr: new URL('../support/media/clip.amr', import.meta.url),
  flac: ['-c:a', 'flac'],
  m4a: ['-c:a', 'aac', '-ar', '44100', '-ac', '2'],
  mp3: ['-c:a', 'libmp3lame'],
  mp4: ['-f', 'lavfi', '-i', 'color=size=16x16', '-shortest', '-c:v', 'mpeg4', '-c:a', 'aac'],
  ogg: ['-c:a', 'libvorbis'],
  wav: ['-c:a', 'pcm_mulaw', '-ar', '8000'],
  webm: ['-c:a', 'libopus', '-ar', '48000'],
};

async function encodeClip(name: string, encoding: readonly string[]): Promise<Buffer> {
  const [wav, file] = [join(buckets.folder, 'first-words.wav'), join(buckets.folder, name)];
  await writeFile(wav, cutWav(sample, 0, 1.2));
  await runFfmpeg('-i', wav, ...encoding, file);
  return readFile(file);
}

test.each(Object.values(MediaFormat))('speech in %s is recognized', async (format) => {
  const encoding = encodings[format];
  const key = `speech.${format}`;
  await buckets.putRecording(key, encoding instanceof URL ? await readFile(encoding) : await encodeClip(key, encoding));
  await transcribe.start(`speech-${format}`, key, { MediaFormat: format });
  const job = await transcribe.waitFor(`speech-${format}`, 'COMPLETED', 'FAILED');
  expect(job).toMatchObject({ TranscriptionJobStatus: 'COMPLETED', MediaFormat: format });
  const { results } = await buckets.getTranscript(`speech-${format}.json`);
  expect(results.transcripts[0]?.transcript).toMatch(/morning/i);
});

test('the job of a corrupt container fails', async () => {
  await buckets.putRecording('broken.mp4', Buffer.from(`\0\0\0\x20ftypisom${'x'.repeat(5_000)}`, 'latin1'));
  await transcribe.start('broken', 'broken.mp4');
  expect((await transcribe.waitFor('broken', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.invalidMedia);
});

test('a job fails if the sample rate differs from the requested one', async () => {
  await transcribe.start('rate', 'clip.wav', { MediaSampleRateHertz: 44_100 });
  expect((await transcribe.waitFor('rate', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.sampleRateMismatch);
});

test('the failure reason names the program that is not installed', async () => {
  const programs = join(buckets.folder, 'programs');
  await mkdir(programs);
  const recognizer = findRecognizer();
  if (recognizer === undefined) throw new Error('This test needs PocketSphinx: run npm run setup.');
  await symlink(recognizer.command, join(programs, basename(recognizer.command)));

  const bare = await startTranscribeServer(buckets, { dataDir: join(buckets.folder, 'bare'), searchPath: '' });
  await bare.start('no-recognizer', 'clip.wav');
  expect((await bare.waitFor('no-recognizer', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.noRecognizer);
  await bare.stop();

  const deaf = await startTranscribeServer(buckets, { dataDir: join(buckets.folder, 'deaf'), searchPath: programs });
  await deaf.start('no-ffmpeg', 'clip.wav');
  expect((await deaf.waitFor('no-ffmpeg', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.noFfmpeg);
  await deaf.stop();
});
