import { expect, test } from 'vitest';
import { createResampler } from '#tools/local/transcribe/resampler.ts';

const tone = (hertz: number, rate: number, seconds = 0.5): Float32Array =>
  Float32Array.from({ length: Math.round(rate * seconds) }, (_, index) =>
    Math.sin((2 * Math.PI * hertz * index) / rate),
  );

function resample(input: Float32Array, from: number, blockSize = input.length): Float32Array {
  const resampler = createResampler(from, 16_000);
  const output: number[] = [];
  for (let start = 0; start < input.length; start += blockSize) {
    output.push(...resampler.push(input.subarray(start, start + blockSize)));
  }
  output.push(...resampler.flush());
  return Float32Array.from(output);
}

/** The largest difference, without the edges where the sound starts and stops abruptly. */
function largestDifference(a: Float32Array, b: Float32Array): number {
  let largest = 0;
  for (let index = 500; index < Math.min(a.length, b.length) - 500; index += 1) {
    largest = Math.max(largest, Math.abs((a[index] ?? 0) - (b[index] ?? 0)));
  }
  return largest;
}

test.each([8_000, 11_025, 22_050, 44_100, 44_099, 48_000])(
  'a tone at %i Hz comes out as the same tone, in time',
  (rate) => {
    const output = resample(tone(1_000, rate), rate);
    expect(Math.abs(output.length - 8_000)).toBeLessThanOrEqual(1);
    expect(largestDifference(output, tone(1_000, 16_000))).toBeLessThan(0.01);
  },
);

test('what 16 kHz cannot carry is removed, not folded back', () => {
  const output = resample(tone(11_000, 48_000), 48_000);
  expect(largestDifference(output, new Float32Array(output.length))).toBeLessThan(0.01);
});

test('blocks of any size give the same sound', () => {
  const input = tone(440, 44_100, 0.1);
  expect(resample(input, 44_100, 37)).toEqual(resample(input, 44_100));
});

test('equal rates pass through', () => {
  const input = tone(440, 16_000, 0.01);
  expect(resample(input, 16_000)).toEqual(input);
});
