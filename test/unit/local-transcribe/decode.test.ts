import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeMedia } from '#tools/local/transcribe/decode.ts';
import { FAILURE_REASONS } from '#tools/local/transcribe/failure.ts';
import { createMediaStore } from '#tools/local/transcribe/media-store.ts';
import { buildWav } from '../../support/wav.ts';

const { signal } = new AbortController();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decode-'));
});
afterAll(() => rm(folder, { recursive: true }));

const decode = (path: string, format: 'wav' | 'mp3' = 'wav') =>
  decodeMedia(path, format, join(folder, 'samples.raw'), { ffmpeg: undefined, signal });

test('more than four hours are too long, and are told so without reading them', async () => {
  const path = join(folder, 'long.wav');
  const dataBytes = 8_000 * (4 * 60 * 60 + 1);
  await writeFile(path, buildWav({ samples: Buffer.alloc(0), bits: 8, sampleRate: 8_000, claimedBytes: dataBytes }));
  await truncate(path, 44 + dataBytes);
  await expect(decode(path)).rejects.toThrow(FAILURE_REASONS.tooLong);
});

test.each([
  { seconds: 0, reason: FAILURE_REASONS.invalidMedia },
  { seconds: 0.49, reason: FAILURE_REASONS.tooShort },
])('$seconds s of sound fail', async ({ seconds, reason }) => {
  const path = join(folder, 'short.wav');
  await writeFile(path, buildWav({ samples: Buffer.alloc(16_000 * seconds * 2) }));
  await expect(decode(path)).rejects.toThrow(reason);
});

test('half a second is long enough', async () => {
  const path = join(folder, 'enough.wav');
  await writeFile(path, buildWav({ samples: Buffer.alloc(16_000) }));
  expect(await decode(path)).toEqual({ durationSeconds: 0.5, sampleRate: 16_000 });
});

test('what only ffmpeg can decode says so where there is none', async () => {
  const path = join(folder, 'telephone.wav');
  await writeFile(path, buildWav({ samples: Buffer.alloc(16_000), codec: 7, bits: 8 }));
  await expect(decode(path)).rejects.toThrow(FAILURE_REASONS.noFfmpeg);
  await expect(decode(path, 'mp3')).rejects.toThrow(FAILURE_REASONS.noFfmpeg);
});

test('more than 2 GB are too large, and are not fetched', async () => {
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
