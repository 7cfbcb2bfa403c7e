import { ListTranscriptionJobsCommand } from '@aws-sdk/client-transcribe';
import { expect, test } from 'vitest';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { organization, transcribe } from '../support/machine.ts';
import { finishRecording, shortWav } from '../support/media/recordings.ts';
import { documentOf, line, recordedMedia, textOf, transcribed } from './recorded.ts';

const seconds = 20;
const text = 'The second question is about money.';
const spoken = { from: 0, to: seconds, lines: [line('kal16', 1, text), line('kal16', 12, text)] };
const video = ['-f', 'lavfi', '-i', `testsrc=size=320x240:rate=10:duration=${seconds}`];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const both = [...video, '-map', '0', '-map', '1', ...h264, '-c:a', 'aac'];
const opus = ['-c:a', 'libopus', '-ar', '48000'];
const key = '0123456789abcdef0123456789abcdef';
const cenc = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', key, '-encryption_kid', key];

type Hostile = { readonly extension: string; readonly code: FailureCode; readonly body: () => Promise<Buffer> };

/** The first half of a file. */
async function half(extension: string, coding: readonly string[]): Promise<Buffer> {
  const whole = await recordedMedia(spoken, extension, coding);
  return whole.subarray(0, whole.byteLength / 2);
}

const files: Readonly<Record<string, Hostile>> = {
  'an MP4 that was cut off before its index': {
    extension: 'mp4',
    code: 'media_unreadable',
    body: () => half('mp4', both),
  },
  'an MP4 that was cut off after its index': {
    extension: 'mp4',
    code: 'media_unreadable',
    body: () => half('mp4', [...both, '-movflags', '+faststart']),
  },
  'an MKV that was cut off, with a length in its header': {
    extension: 'mkv',
    code: 'media_unreadable',
    body: () => half('mkv', both),
  },
  'a WAV that was cut off': { extension: 'wav', code: 'media_unreadable', body: () => half('wav', []) },
  'an Ogg with Vorbis that was cut off': {
    extension: 'ogg',
    code: 'media_unreadable',
    body: () => half('ogg', ['-c:a', 'libvorbis']),
  },
  'a video without sound': {
    extension: 'mkv',
    code: 'no_audio',
    body: () => recordedMedia(spoken, 'mkv', [...video, '-map', '1', ...h264]),
  },
  'an MP4 without sound': {
    extension: 'mp4',
    code: 'no_audio',
    body: () => recordedMedia(spoken, 'mp4', [...video, '-map', '1', ...h264]),
  },
  'an encrypted MP4': {
    extension: 'mp4',
    code: 'media_encrypted',
    body: () => recordedMedia(spoken, 'mp4', ['-c:a', 'aac', ...cenc]),
  },
  'a text with the name of a video': {
    extension: 'mp4',
    code: 'unsupported_media',
    body: async () => Buffer.from('Not a video.'),
  },
  'an empty file': { extension: 'webm', code: 'media_unreadable', body: async () => Buffer.alloc(0) },
  'an MKV with AC-3': {
    extension: 'mkv',
    code: 'unsupported_media',
    body: () => recordedMedia(spoken, 'mkv', ['-c:a', 'ac3']),
  },
  'a WebM whose header claims an element of exabytes': {
    extension: 'webm',
    code: 'media_unreadable',
    body: async () => {
      const whole = await recordedMedia(spoken, 'webm', opus);
      whole.fill(0xff, whole.indexOf('\x16\x54\xae\x6b', 0, 'latin1') + 5, whole.indexOf('A_OPUS'));
      return whole;
    },
  },
  'an MP4 whose index claims four billion samples': {
    extension: 'mp4',
    code: 'media_unreadable',
    body: async () => {
      const whole = await recordedMedia(spoken, 'mp4', ['-c:a', 'aac', '-movflags', '+faststart']);
      whole.writeUInt32BE(0xffff_fff0, whole.indexOf('stsz') + 12);
      return whole;
    },
  },
};

test.concurrent.each(Object.entries(files))(
  '%s fails with its code, and starts no job',
  async (_, { extension, code, body }) => {
    const acme = organization();
    const { recordingId } = await finishRecording(acme, { body: await body(), extension });

    const { transcription } = await transcribed(acme, recordingId);

    expect(transcription).toMatchObject({ state: 'failed', failure: { code } });
    const jobs = await transcribe.send(new ListTranscriptionJobsCommand({ JobNameContains: `.${acme}.` }));
    expect(jobs.TranscriptionJobSummaries).toEqual([]);
  },
);

/** Half of their bytes has all of the first sentence. */
const streams = {
  FLAC: { extension: 'flac', coding: [] },
  MP3: { extension: 'mp3', coding: [] },
  'Ogg with Opus': { extension: 'ogg', coding: opus },
  'live WebM': { extension: 'webm', coding: [...opus, '-live', '1'] },
};

test.concurrent.each(Object.entries(streams))(
  '%s needs no end: a file that was cut off has its words until there',
  async (_, made) => {
    const acme = organization();
    const body = await half(made.extension, made.coding);
    const { recordingId } = await finishRecording(acme, { body, extension: made.extension });

    const { path, transcription } = await transcribed(acme, recordingId);

    expect(transcription.state).toBe('ready');
    expect(textOf(await documentOf(acme, path))).toMatch(/question/i);
  },
);

test('a file with the name of another format is read by what it is', async () => {
  const acme = organization();
  const { recordingId } = await finishRecording(acme, { body: shortWav, extension: 'mp4' });

  const { transcription } = await transcribed(acme, recordingId);

  expect(transcription.state).toBe('ready');
});
