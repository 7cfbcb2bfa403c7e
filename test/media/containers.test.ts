import { expect, test } from 'vitest';
import { organization } from '../support/machine.ts';
import { finishRecording } from '../support/media/recordings.ts';
import { wordErrorRate } from '../support/transcriptions/word-error-rate.ts';
import { documentOf, line, recordedMedia, textOf, transcribed } from './recorded.ts';

const acme = organization();
const text = 'The second question is about money.';
const seconds = 5;
const spoken = { from: 0, to: seconds, lines: [line('kal16', 1, text)] };

const video = ['-f', 'lavfi', '-i', `testsrc=size=320x240:rate=10:duration=${seconds}`, '-map', '0', '-map', '1'];
const h264 = [...video, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const opus = ['-c:a', 'libopus', '-ar', '48000'];

const containers = {
  'MP4 with video': { extension: 'mp4', coding: [...h264, '-c:a', 'aac'] },
  'MP4 whose index is at its end, after video': {
    extension: 'mp4',
    coding: [...h264, '-c:a', 'aac', '-movflags', '-faststart'],
  },
  'MOV with video': { extension: 'mov', coding: [...h264, '-c:a', 'aac'] },
  'WebM with Opus': { extension: 'webm', coding: opus },
  'WebM with VP8 and Opus': {
    extension: 'webm',
    coding: [...video, '-c:v', 'libvpx', '-deadline', 'realtime', ...opus],
  },
  'MKV with video and AAC': { extension: 'mkv', coding: [...h264, '-c:a', 'aac'] },
  'MKA with Opus': { extension: 'mka', coding: opus },
  MP3: { extension: 'mp3', coding: ['-c:a', 'libmp3lame'] },
  'Ogg with Opus': { extension: 'ogg', coding: opus },
  'Ogg with Vorbis': { extension: 'ogg', coding: ['-c:a', 'libvorbis'] },
  FLAC: { extension: 'flac', coding: ['-c:a', 'flac'] },
  WAV: { extension: 'wav', coding: ['-c:a', 'pcm_s16le', '-ar', '48000', '-ac', '2'] },
  M4A: { extension: 'm4a', coding: ['-c:a', 'aac', '-ar', '44100'] },
  'AAC in ADTS': { extension: 'aac', coding: ['-c:a', 'aac'] },
};

test.concurrent.each(Object.entries(containers))(
  '%s becomes a transcript with its words',
  async (_, { extension, coding }) => {
    const body = await recordedMedia(spoken, extension, coding);
    const { recordingId } = await finishRecording(acme, { body, extension, filename: `meeting.${extension}` });

    const { path, transcription } = await transcribed(acme, recordingId);

    expect(transcription).toMatchObject({ state: 'ready' });
    const document = await documentOf(acme, path);
    expect(wordErrorRate(text, textOf(document))).toBeLessThanOrEqual(0.2);
    expect(document.turns[0]?.startSeconds).toBeGreaterThan(0.7);
    expect(document.turns[0]?.startSeconds).toBeLessThan(1.5);
  },
);
