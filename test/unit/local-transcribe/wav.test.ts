import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InvalidWav, readMono, readWavLayout, UnsupportedWavCodec } from '#tools/local/transcribe/wav.ts';
import { buildWav } from '../../support/wav.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wav-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function decode(wav: Buffer, framesPerBlock?: number): Promise<number[]> {
  const path = join(folder, 'file.wav');
  await writeFile(path, wav);
  const file = await open(path);
  try {
    const layout = await readWavLayout(file);
    const samples: number[] = [];
    for await (const block of readMono(file, layout, framesPerBlock)) samples.push(...block);
    return samples;
  } finally {
    await file.close();
  }
}

const float32 = (...values: number[]): Buffer => Buffer.from(Float32Array.from(values).buffer);

test.each([
  { name: '8-bit', bits: 8, codec: 1, samples: Buffer.from([0, 128, 192]) },
  { name: '16-bit', bits: 16, codec: 1, samples: Buffer.from([0x00, 0x80, 0, 0, 0x00, 0x40]) },
  { name: '24-bit', bits: 24, codec: 1, samples: Buffer.from([0, 0, 0x80, 0, 0, 0, 0, 0, 0x40]) },
  { name: '32-bit', bits: 32, codec: 1, samples: Buffer.from([0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x40]) },
  { name: 'float', bits: 32, codec: 3, samples: float32(-1, 0, 0.5) },
])('$name samples are read between -1 and 1', async ({ bits, codec, samples }) => {
  expect(await decode(buildWav({ samples, bits, codec }))).toEqual([-1, 0, 0.5]);
});

test('two channels are mixed to one', async () => {
  const samples = float32(1, 0, -0.5, -0.5);
  expect(await decode(buildWav({ samples, bits: 32, codec: 3, channels: 2 }))).toEqual([0.5, -0.5]);
});

test('blocks of any size give the same samples', async () => {
  const wav = buildWav({ samples: float32(0.125, 0.25, 0.5, 0.75, 1), bits: 32, codec: 3 });
  expect(await decode(wav, 2)).toEqual(await decode(wav));
});

test('floats that are no numbers or out of range are tamed', async () => {
  const samples = float32(Number.NaN, Number.POSITIVE_INFINITY, 3, -3);
  expect(await decode(buildWav({ samples, bits: 32, codec: 3 }))).toEqual([0, 0, 1, -1]);
});

test('an extensible format chunk names its codec inside, and other chunks are skipped', async () => {
  const format = Buffer.alloc(48);
  format.write('fmt ', 'latin1');
  format.writeUInt32LE(40, 4);
  format.writeUInt16LE(0xfffe, 8);
  format.writeUInt16LE(1, 10);
  format.writeUInt32LE(16_000, 12);
  format.writeUInt16LE(16, 22);
  format.writeUInt16LE(1, 32);
  const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
  const data = Buffer.from('data\x02\0\0\0\0\x40', 'latin1');
  expect(await decode(Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), list, format, data]))).toEqual([0.5]);
});

const sound = buildWav({ samples: Buffer.alloc(1000) });

test.each([
  { name: 'an empty file', file: Buffer.alloc(0) },
  { name: 'text', file: Buffer.from('This is not a recording at all, it is text.') },
  { name: 'a header alone', file: sound.subarray(0, 12) },
  { name: 'a broken format chunk', file: sound.subarray(0, 30) },
  { name: 'no data chunk', file: sound.subarray(0, 36) },
  { name: 'a file cut short', file: sound.subarray(0, 700) },
  { name: 'a data chunk of 4 GB', file: buildWav({ samples: Buffer.alloc(10), claimedBytes: 0xffffffff }) },
  { name: 'no channels', file: buildWav({ samples: Buffer.alloc(10), channels: 0 }) },
  { name: 'a sample rate of zero', file: buildWav({ samples: Buffer.alloc(10), sampleRate: 0 }) },
  { name: 'data before the format', file: Buffer.from('RIFF\0\0\0\0WAVEdata\0\0\0\0', 'latin1') },
  {
    name: 'ten thousand empty chunks',
    file: Buffer.from(`RIFF\0\0\0\0WAVE${'junk\0\0\0\0'.repeat(10_000)}`, 'latin1'),
  },
])('$name is no WAV file', async ({ file }) => {
  await expect(decode(file)).rejects.toThrow(InvalidWav);
});

test('a codec of another kind is told apart from a broken file', async () => {
  await expect(decode(buildWav({ samples: Buffer.alloc(10), codec: 7, bits: 8 }))).rejects.toThrow(UnsupportedWavCodec);
});

test('any change of the header gives samples or one of the two errors', async () => {
  const change = fc.tuple(fc.nat(43), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const file = Buffer.from(sound);
      for (const [offset, value] of changes) file[offset] = value;
      const outcome = await decode(file).catch((error: unknown) => error);
      expect(Array.isArray(outcome) || outcome instanceof InvalidWav || outcome instanceof UnsupportedWavCodec).toBe(
        true,
      );
    }),
  );
});
