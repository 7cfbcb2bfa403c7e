import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { startFauxqs } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspectMedia } from '#shared/adapters/media/inspect-media.ts';
import { pinObject, s3File } from '#shared/adapters/media/s3-file.ts';
import { s3Upload } from '#shared/adapters/media/s3-upload.ts';
import { mixedFileLimits, planMedia } from '#shared/domain/media/media-plan.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { succeed } from '../../support/client/run-program.ts';
import { mediaPrograms, runFfmpeg } from '../../support/media/ffmpeg.ts';
import { memoryFile } from '../../support/media/media-files.ts';
import { prepared } from '../../support/media/prepared-pieces.ts';

const sample = new URL('../../../tools/local/sample/recording.wav', import.meta.url).pathname;
const seconds = 5;
const { signal } = new AbortController();

/** The files that ffmpeg makes, how it codes them, and what comes out of them. */
const files = [
  {
    name: 'a.mp4',
    coding: ['-map', '1:v', '-c:v', 'mpeg4', '-c:a', 'aac'],
    container: 'mp4',
    codec: 'aac',
    output: 'mp4',
  },
  { name: 'a.m4a', coding: ['-c:a', 'aac'], container: 'mp4', codec: 'aac', output: 'mp4' },
  { name: 'a.mov', coding: ['-c:a', 'aac'], container: 'quicktime', codec: 'aac', output: 'mp4' },
  { name: 'a.webm', coding: ['-c:a', 'libopus', '-ar', '48000'], container: 'webm', codec: 'opus', output: 'ogg' },
  {
    name: 'live.webm',
    coding: ['-c:a', 'libopus', '-ar', '48000', '-live', '1'],
    container: 'webm',
    codec: 'opus',
    output: 'ogg',
  },
  {
    name: 'a.mkv',
    coding: ['-map', '1:v', '-c:v', 'mpeg4', '-c:a', 'aac'],
    container: 'matroska',
    codec: 'aac',
    output: 'mp4',
  },
  { name: 'a.mka', coding: ['-c:a', 'libvorbis'], container: 'matroska', codec: 'vorbis', output: 'ogg' },
  { name: 'a.ogg', coding: ['-c:a', 'libopus', '-ar', '48000'], container: 'ogg', codec: 'opus', output: 'ogg' },
  { name: 'vorbis.ogg', coding: ['-c:a', 'libvorbis'], container: 'ogg', codec: 'vorbis', output: 'ogg' },
  { name: 'a.mp3', coding: ['-c:a', 'libmp3lame'], container: 'mp3', codec: 'mp3', output: 'mp3' },
  { name: 'a.flac', coding: ['-c:a', 'flac'], container: 'flac', codec: 'flac', output: 'flac' },
  { name: 'a.wav', coding: ['-c:a', 'pcm_s16le'], container: 'wav', codec: 'pcm-s16', output: 'wav' },
  { name: 'a.aac', coding: ['-c:a', 'aac'], container: 'adts', codec: 'aac', output: 'mp4' },
] as const;

let folder: string;
let fauxqs: Awaited<ReturnType<typeof startFauxqs>>;
let s3: S3Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-'));
  const outputs = files.flatMap(({ name, coding }) => [
    '-map',
    '0:a',
    ...coding,
    '-t',
    String(seconds),
    join(folder, name),
  ]);
  await runFfmpeg('-i', sample, '-f', 'lavfi', '-i', 'color=size=16x16', ...outputs);
  fauxqs = await startFauxqs({ port: 0, logger: false });
  s3 = new S3Client({ ...clientSettings(`http://127.0.0.1:${fauxqs.port}`), forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: 'media' }));
});

afterAll(async () => {
  s3.destroy();
  await fauxqs.stop();
  await rm(folder, { recursive: true });
});

/** The sizes and hashes of the packets of files, as ffmpeg reads them. It also decodes all of them, and fails for an error. */
async function packetsOf(...paths: string[]): Promise<string[][]> {
  const inputs = paths.flatMap((path) => ['-i', path]);
  const copies = paths.flatMap((path, index) => ['-map', `${index}:a`, '-c', 'copy', '-f', 'framemd5', `${path}.txt`]);
  const decoded = paths.flatMap((_, index) => ['-map', `${index}:a`, '-f', 'null', '-']);
  await succeed(mediaPrograms.ffmpeg, ['-nostdin', '-v', 'error', '-xerror', '-y', ...inputs, ...copies, ...decoded], {
    folder,
  });
  const lists = paths.map(async (path) => {
    const lines = (await readFile(`${path}.txt`, 'utf8'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    return lines.map((line) => line.split(',').slice(4, 6).join().trim());
  });
  return Promise.all(lists);
}

test.each(files)('$name is recognized by its content, and cut into pieces with the same packets', async (file) => {
  const path = join(folder, file.name);
  const content = memoryFile(await readFile(path));
  const { facts, reads } = await inspectMedia(content, signal);
  expect(facts).toMatchObject({ container: file.container, audio: [{ codec: file.codec, channels: 1 }] });
  expect(facts.hasVideo).toBe(file.coding.some((option) => option === '-c:v'));
  expect(facts.seconds).toBeCloseTo(seconds, 0);
  expect(reads).toBeLessThanOrEqual(3);

  const { plan, pieces } = await prepared(content, { jobSeconds: 3, pieceSeconds: 3, overlapSeconds: 0 });
  expect(plan.output).toBe(file.output);
  const paths = pieces.map(({ index }) => join(folder, `${file.name}-${index}.${plan.output}`));
  for (const [index, { content: piece }] of pieces.entries()) await writeFile(paths[index] ?? '', piece ?? '');
  const [original = [], ...parts] = await packetsOf(path, ...paths);
  expect(parts.length).toBe(2);
  // ffmpeg cuts PCM into packets of its own, and counts the headers of AAC without a container.
  if (file.codec === 'pcm-s16') {
    const sound = await Promise.all([path, ...paths].map(soundIn));
    expect(Buffer.concat(sound.slice(1)).equals(sound[0] ?? Buffer.alloc(0))).toBe(true);
  } else if (file.container === 'adts') expect(parts.flat().length).toBe(original.length);
  else expect(parts.flat()).toEqual(original);
});

/** The samples of a WAV file. */
async function soundIn(path: string): Promise<Buffer> {
  const wav = await readFile(path);
  const data = wav.indexOf('data') + 8;
  return wav.subarray(data, data + wav.readUInt32LE(data - 4));
}

describe('a file in S3', () => {
  const put = async (key: string, name: string) => {
    await s3.send(new PutObjectCommand({ Bucket: 'media', Key: key, Body: await readFile(join(folder, name)) }));
    const pinned = await pinObject(s3, { bucket: 'media', key }, signal);
    if (typeof pinned === 'string') throw new Error(`S3 has no ${key}: ${pinned}`);
    return pinned;
  };

  test('is inspected in ranges and prepared into another object', async () => {
    const file = s3File(s3, await put('a.mkv', 'a.mkv'));
    const target = () => s3Upload(s3, { bucket: 'media', key: 'work/0' }, signal);
    const { pieces } = await prepared(file, {}, { target });
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'media', Key: 'work/0' }));
    const made = memoryFile((await Body?.transformToByteArray()) ?? new Uint8Array());
    expect(made.bytes).toBe(pieces[0]?.bytes);
    const { facts } = await inspectMedia(made, signal);
    expect(planMedia(facts, mixedFileLimits)).toEqual({ kind: 'as_is', container: 'mp4' });
  });

  test('that is replaced while it is read is an error', async () => {
    const file = s3File(s3, await put('replaced.ogg', 'a.ogg'));
    await put('replaced.ogg', 'vorbis.ogg');
    await expect(inspectMedia(file, signal)).rejects.toMatchObject({ code: 'replaced' });
  });

  test('that is removed while it is read, or that does not exist, is told apart', async () => {
    const pinned = await put('removed.ogg', 'a.ogg');
    const gone = s3File(s3, { ...pinned, key: 'nothing.ogg' });
    await expect(inspectMedia(gone, signal)).rejects.toMatchObject({ code: 'replaced' });
    expect(await pinObject(s3, { bucket: 'media', key: 'nothing.ogg' }, signal)).toBe('missing');
  });
});
