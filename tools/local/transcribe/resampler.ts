/** Changes the sample rate of a stream of audio; blocks of any size go in, what is ready comes out. */
export type Resampler = {
  push(block: Float32Array): Float32Array;
  flush(): Float32Array;
};

// 16 zero crossings each side with a Hann window keeps aliases more than 40 dB down, well under what a
// recognizer with 16-bit input could hear.
const ZERO_CROSSINGS = 16;
const PASSBAND = 0.95;

/** A windowed-sinc resampler between any two rates in whole hertz; equal rates pass through untouched. */
export function createResampler(fromRate: number, toRate: number): Resampler {
  if (fromRate === toRate) return { push: (block) => block, flush: () => new Float32Array(0) };
  const divisor = greatestCommonDivisor(fromRate, toRate);
  const up = toRate / divisor;
  const down = fromRate / divisor;
  const cutoff = PASSBAND * Math.min(1, toRate / fromRate);
  const half = Math.ceil(ZERO_CROSSINGS / cutoff);
  const filters = buildFilters(up, half, cutoff);

  // `pending` starts with silence so that the first output is centred on the first input.
  let pending: Float32Array = new Float32Array(half - 1);
  // Position of the next output, in input samples from the start of `pending`, and the fraction in 1/up.
  let index = 0;
  let phase = 0;

  const push = (block: Float32Array): Float32Array => {
    const input = concatenate(pending, block);
    const output = new Float32Array(Math.ceil((input.length * up) / down) + 1);
    let count = 0;
    for (; index + 2 * half <= input.length; count += 1) {
      output[count] = convolve(input, index, filters, phase * 2 * half, 2 * half);
      phase += down;
      index += Math.floor(phase / up);
      phase %= up;
    }
    const consumed = Math.min(index, input.length);
    pending = input.slice(consumed);
    index -= consumed;
    return output.subarray(0, count);
  };
  return { push, flush: () => push(new Float32Array(half)) };
}

function convolve(
  input: Float32Array,
  start: number,
  filters: Float32Array,
  filterStart: number,
  taps: number,
): number {
  let sum = 0;
  for (let tap = 0; tap < taps; tap += 1) sum += (input[start + tap] ?? 0) * (filters[filterStart + tap] ?? 0);
  return sum;
}

/** One filter of 2 * half taps for each of the `up` fractional positions, each with a gain of one. */
function buildFilters(up: number, half: number, cutoff: number): Float32Array {
  const taps = 2 * half;
  const filters = new Float32Array(up * taps);
  for (let phase = 0; phase < up; phase += 1) {
    const filter = filters.subarray(phase * taps, (phase + 1) * taps);
    let gain = 0;
    for (let tap = 0; tap < taps; tap += 1) {
      const distance = tap - (half - 1) - phase / up;
      const weight = sinc(distance * cutoff) * (0.5 + 0.5 * Math.cos((Math.PI * distance) / half));
      filter[tap] = weight;
      gain += weight;
    }
    for (let tap = 0; tap < taps; tap += 1) filter[tap] = (filter[tap] ?? 0) / gain;
  }
  return filters;
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function concatenate(first: Float32Array, second: Float32Array): Float32Array {
  const joined = new Float32Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
