import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const speech = fileURLToPath(new URL('../../tools/local/sample/recording.wav', import.meta.url));
const run = promisify(execFile);

/** How files are coded, and how long they are. Two minutes are coded, and repeated. */
export const samples = {
  'AAC in MP4': { file: 'a.m4a', hours: 2, coding: ['-c:a', 'aac', '-ar', '48000', '-b:a', '96k'] },
  'Opus in Ogg': { file: 'a.ogg', hours: 2, coding: ['-c:a', 'libopus', '-b:a', '32k'] },
  'Opus in WebM': { file: 'a.webm', hours: 2, coding: ['-c:a', 'libopus', '-b:a', '32k'] },
  MP3: { file: 'a.mp3', hours: 2, coding: ['-c:a', 'libmp3lame', '-ar', '48000', '-b:a', '64k'] },
  FLAC: { file: 'a.flac', hours: 1, isCodedWhole: true, coding: ['-c:a', 'flac', '-ar', '48000', '-ac', '2'] },
  'WAV of 48 kHz in stereo': { file: 'a.wav', hours: 1, coding: ['-c:a', 'pcm_s16le', '-ar', '48000', '-ac', '2'] },
  'AAC and video in MKV': {
    file: 'a.mkv',
    hours: 1,
    coding: ['-map', '1:v', '-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '1M', '-c:a', 'aac', '-ar', '48000'],
  },
  // Its tables are the largest that are in memory.
  'AAC of 24 hours in MP4': { file: 'day.m4a', hours: 24, coding: ['-c:a', 'aac', '-ar', '48000', '-b:a', '64k'] },
} as const;

/** The name of a sample. */
export type SampleName = keyof typeof samples;

/** Makes a file of the length of a sample from speech, in a folder. Returns its path. */
export function makeSample(name: SampleName, folder: string): Promise<string> {
  return makeSpeech(samples[name], folder);
}

type Coding = {
  readonly file: string;
  readonly hours: number;
  readonly coding: readonly string[];
  readonly isCodedWhole?: boolean;
};

/** Makes a file of speech of a length, in a folder. Returns its path. */
export async function makeSpeech(sample: Coding, folder: string): Promise<string> {
  const { file, hours, coding, isCodedWhole = false } = sample; // the header of a repeated FLAC keeps its old length
  const [short, long] = [path.join(folder, `short-${file}`), path.join(folder, file)];
  const video = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=15'];
  const made = isCodedWhole ? [String(hours * 3600), long] : ['120', short];
  await ffmpeg('-stream_loop', '-1', '-i', speech, ...video, '-map', '0:a', ...coding, '-t', ...made);
  if (!isCodedWhole) await ffmpeg('-stream_loop', String(hours * 30 - 1), '-i', short, '-map', '0', '-c', 'copy', long);
  return long;
}

async function ffmpeg(...args: string[]): Promise<void> {
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args]);
}

/** The processor time of `ffmpeg -c copy` of the audio into another file, in seconds. */
export async function copySeconds(file: string, output: string): Promise<number> {
  const copy = `ffmpeg -nostdin -v error -y -i '${file}' -map 0:a:0 -c copy '${output}'; times`;
  const { stdout } = await run('bash', ['-c', copy]);
  if (statSync(output).size === 0) throw new Error('ffmpeg has copied nothing.');
  const [, children = ''] = stdout.trim().split('\n');
  return children.split(' ').reduce((sum, time) => sum + secondsOf(time), 0);
}

function secondsOf(time: string): number {
  const [, minutes = '0', seconds = '0'] = /^(\d+)m([\d.]+)s$/.exec(time) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
