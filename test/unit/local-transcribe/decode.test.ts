import { chmod, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaFormat } from '@aws-sdk/client-transcribe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURE_REASONS } from '#tools/local/transcribe/failure.ts';
import { decodeMedia } from '#tools/local/transcribe/media/decode.ts';
import { createMediaStore } from '#tools/local/transcribe/media/media-store.ts';
import { mediaPrograms, runFfmpeg } from '../../support/media/ffmpeg.ts';
import { buildWav, type WavParts } from '../../support/media/wav.ts';

const { signal } = new AbortController();

let folder: string;
let samples: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decode-'));
  samples = join(folder, 'samples.raw');
});
afterAll(() => rm(folder, { recursive: true }));

const decode = (path: string, format: MediaFormat = 'wav') =>
  decodeMedia(path, format, samples, { programs: mediaPrograms, signal });

async function decodeWav(wav: Buffer) {
  const path = join(folder, 'file.wav');
  await writeFile(path, wav);
  return decode(path);
}

describe('a WAV file', () => {
  test.each<[string, Omit<WavParts, 'samples'>]>([
    ['8-bit', { bits: 8 }],
    ['24-bit', { bits: 24 }],
    ['32-bit float', { bits: 32, codec: 3 }],
    ['mu-law', { bits: 8, codec: 7 }],
    ['stereo 44.1 kHz', { channels: 2, sampleRate: 44_100 }],
  ])('with %s samples is decoded to 16-bit mono at 16 kHz', async (_, parts) => {
    const { bits = 16, channels = 1, sampleRate = 16_000 } = parts;
    const wav = buildWav({ samples: Buffer.alloc((sampleRate * channels * bits) / 8), ...parts });
    expect(await decodeWav(wav)).toEqual({ sampleRate, files: [samples] });
    expect((await stat(samples)).size).toBe(32_000);
  });

  test('with two channels has a file for each of them if they are to be split, and one for their mix otherwise', async () => {
    const loudLeft = Buffer.alloc(64_000);
    for (let at = 0; at < loudLeft.length; at += 4) loudLeft.writeInt16LE(1_000, at);
    const path = join(folder, 'split.wav');
    await writeFile(path, buildWav({ samples: loudLeft, channels: 2 }));
    const programs = mediaPrograms;
    const { files } = await decodeMedia(path, 'wav', samples, { programs, signal, splitChannels: true });
    const [left, right] = await Promise.all(files.map((file) => readFile(file)));
    expect(files).toEqual([`${samples}.0`, `${samples}.1`]);
    expect([left?.length, left?.readInt16LE(16_000), right?.length]).toEqual([32_000, 1_000, 32_000]);
    expect(right?.some((byte) => byte !== 0)).toBe(false);
    expect(await decodeWav(buildWav({ samples: loudLeft, channels: 2 }))).toMatchObject({ files: [samples] });
  });

  test('with one channel has one file, also if channels are to be split', async () => {
    const path = join(folder, 'mono.wav');
    await writeFile(path, buildWav({ samples: Buffer.alloc(32_000) }));
    const programs = mediaPrograms;
    const { files } = await decodeMedia(path, 'wav', samples, { programs, signal, splitChannels: true });
    expect(files).toEqual([samples]);
  });

  test('of half a second is long enough', async () => {
    expect((await decodeWav(buildWav({ samples: Buffer.alloc(16_000) }))).sampleRate).toBe(16_000);
  });

  test('of less than half a second is too short', async () => {
    await expect(decodeWav(buildWav({ samples: Buffer.alloc(15_680) }))).rejects.toThrow(FAILURE_REASONS.tooShort);
  });

  test('of more than four hours is too long and is not decoded', async () => {
    const path = join(folder, 'long.wav');
    const dataBytes = 8_000 * (4 * 60 * 60 + 1);
    await writeFile(path, buildWav({ samples: Buffer.alloc(0), bits: 8, sampleRate: 8_000, claimedBytes: dataBytes }));
    await truncate(path, 44 + dataBytes);
    const programs = { ...mediaPrograms, ffmpeg: '/bin/false' };
    const decoding = decodeMedia(path, 'wav', samples, { programs, signal });
    await expect(decoding).rejects.toThrow(FAILURE_REASONS.tooLong);
  });

  const sound = buildWav({ samples: Buffer.alloc(32_000) });
  test.each<[string, Buffer]>([
    ['is empty', Buffer.alloc(0)],
    ['is text', Buffer.from('This is not a recording at all, it is text.')],
    ['ends after the RIFF header', sound.subarray(0, 12)],
    ['ends in the format chunk', sound.subarray(0, 30)],
    ['has no data chunk', sound.subarray(0, 36)],
    ['has no sound', buildWav({ samples: Buffer.alloc(0) })],
    ['lacks its last byte', sound.subarray(0, -1)],
    ['is cut between two packets of ffmpeg', sound.subarray(0, 44 + 4 * 4096)],
    ['claims 4 GB of sound', buildWav({ samples: Buffer.alloc(32_000), claimedBytes: 0xffffffff })],
    ['claims to have no sound', buildWav({ samples: Buffer.alloc(32_000), claimedBytes: 0 })],
    ['has no channels', buildWav({ samples: Buffer.alloc(32_000), channels: 0 })],
    ['has a sample rate of zero', buildWav({ samples: Buffer.alloc(32_000), sampleRate: 0 })],
    ['has data before its format', Buffer.from('RIFF\0\0\0\0WAVEdata\x02\0\0\0\0\0', 'latin1')],
    ['has ten thousand empty chunks', Buffer.from(`RIFF\0\0\0\0WAVE${'junk\0\0\0\0'.repeat(10_000)}`, 'latin1')],
  ])('that %s is invalid', async (_, file) => {
    await expect(decodeWav(file)).rejects.toThrow(FAILURE_REASONS.invalidMedia);
  });
});

describe('a file of another format', () => {
  test('has the limits of a WAV file', async () => {
    const fast = join(folder, 'fast.flac');
    await runFfmpeg('-f', 'lavfi', '-i', 'sine=sample_rate=96000:duration=1', fast);
    await expect(decode(fast, 'flac')).rejects.toThrow(FAILURE_REASONS.invalidSampleRate);

    const surround = join(folder, 'surround.m4a');
    await runFfmpeg('-f', 'lavfi', '-i', 'sine=duration=1', '-ac', '6', surround);
    await expect(decode(surround, 'm4a')).rejects.toThrow(FAILURE_REASONS.tooManyChannels);

    const short = join(folder, 'short.mp3');
    await runFfmpeg('-f', 'lavfi', '-i', 'sine=duration=0.3', short);
    await expect(decode(short, 'mp3')).rejects.toThrow(FAILURE_REASONS.tooShort);
  });

  test('without an audio stream is invalid', async () => {
    const video = join(folder, 'video.mp4');
    await runFfmpeg('-f', 'lavfi', '-i', 'color=size=16x16:duration=1', '-c:v', 'mpeg4', video);
    await expect(decode(video, 'mp4')).rejects.toThrow(FAILURE_REASONS.invalidMedia);
  });
});

describe('ffmpeg', () => {
  test('does not follow a playlist to another file', async () => {
    await writeFile(join(folder, 'secret.wav'), buildWav({ samples: Buffer.alloc(32_000) }));
    const playlist = join(folder, 'playlist.mp3');
    await writeFile(playlist, 'ffconcat version 1.0\nfile secret.wav\n');
    await expect(decode(playlist, 'mp3')).rejects.toThrow(FAILURE_REASONS.invalidMedia);
  });

  test('may read files only and no network address', async () => {
    const calls = join(folder, 'calls');
    const record = async (name: 'ffmpeg' | 'ffprobe') => {
      const script = join(folder, name);
      await writeFile(script, `#!/bin/sh\necho "$@" >> ${calls}\nexec ${mediaPrograms[name]} "$@"\n`);
      await chmod(script, 0o755);
      return script;
    };
    const programs = { ffmpeg: await record('ffmpeg'), ffprobe: await record('ffprobe') };
    const path = join(folder, 'recorded.wav');
    await writeFile(path, buildWav({ samples: Buffer.alloc(32_000) }));
    await decodeMedia(path, 'wav', samples, { programs, signal });
    const restricted = expect.stringContaining(`-protocol_whitelist file -f wav -i file:${path}`);
    expect((await readFile(calls, 'utf8')).trim().split('\n')).toEqual([restricted, restricted]);
  });

  test('is killed when the job is canceled', async () => {
    const pidFile = join(folder, 'pid');
    const hanging = join(folder, 'hanging');
    await writeFile(hanging, `#!/bin/sh\necho $$ > ${pidFile}.new\nmv ${pidFile}.new ${pidFile}\nexec sleep 60\n`);
    await chmod(hanging, 0o755);
    const path = join(folder, 'cancelled.wav');
    await writeFile(path, buildWav({ samples: Buffer.alloc(32_000) }));
    const cancelling = new AbortController();
    const programs = { ...mediaPrograms, ffmpeg: hanging };
    const decoding = decodeMedia(path, 'wav', samples, { programs, signal: cancelling.signal });
    await expect.poll(() => readFile(pidFile, 'utf8').catch(() => ''), { timeout: 10_000 }).not.toBe('');
    cancelling.abort();
    await expect(decoding).rejects.toThrow('aborted');
    const pid = Number(await readFile(pidFile, 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

test('a file of more than 2 GB is too large and is not downloaded', async () => {
  const s3 = createServer((_, response) => {
    response.writeHead(200, { 'content-length': 2 * 1024 ** 3 + 1 });
    response.write('RIFF');
  });
  await new Promise<void>((resolve) => s3.listen(0, '127.0.0.1', resolve));
  const { port } = s3.address() as AddressInfo;
  const store = createMediaStore({ s3Url: `http://127.0.0.1:${port}`, region: 'us-east-1' });
  const download = store.download('s3://recordings/huge.wav', join(folder, 'huge.wav'), signal);
  await expect(download).rejects.toThrow(FAILURE_REASONS.tooLarge);
  store.close();
  s3.closeAllConnections();
  await new Promise((resolve) => s3.close(resolve));
});
