import { variableInteger } from './ebml.ts';

/** The frames of a block (RFC 9559, section 10.3). A lace has at most 256. Broken laces have no frames. */
export function framesOf(data: Uint8Array, flags: number): readonly Uint8Array[] {
  const lacing = (flags >> 1) & 3;
  if (lacing === 0) return [data];
  const count = (data[0] ?? 0) + 1;
  const sizes = lacing === 2 ? fixedSizes(data, count) : (lacing === 1 ? xiphSizes : ebmlSizes)(data, count);
  if (!sizes) return [];
  const frames: Uint8Array[] = [];
  let start = sizes.start;
  for (const size of sizes.sizes) {
    frames.push(data.subarray(start, start + size));
    start += size;
  }
  frames.push(data.subarray(start));
  return frames;
}

/** The sizes of all frames but the last, and where the first frame begins. */
type Sizes = { readonly sizes: readonly number[]; readonly start: number };

function fixedSizes(data: Uint8Array, count: number): Sizes {
  const size = Math.floor((data.byteLength - 1) / count);
  return { sizes: Array.from({ length: count - 1 }, () => size), start: 1 };
}

function xiphSizes(data: Uint8Array, count: number): Sizes | undefined {
  const sizes: number[] = [];
  let start = 1;
  while (sizes.length < count - 1) {
    let size = 0;
    let byte = 255;
    while (byte === 255) {
      byte = data[start++] ?? -1;
      size += byte;
    }
    if (byte < 0) return undefined;
    sizes.push(size);
  }
  return fits(data, { sizes, start });
}

function ebmlSizes(data: Uint8Array, count: number): Sizes | undefined {
  const sizes: number[] = [];
  let start = 1;
  let size = 0;
  while (sizes.length < count - 1) {
    const next = variableInteger(data, start);
    if (!next) return undefined;
    // The first size stands for itself. The others are differences, around the middle of what their bytes hold.
    size = sizes.length === 0 ? next.value : size + next.value - (2 ** (7 * next.bytes - 1) - 1);
    if (size < 0) return undefined;
    sizes.push(size);
    start += next.bytes;
  }
  return fits(data, { sizes, start });
}

function fits(data: Uint8Array, sizes: Sizes): Sizes | undefined {
  const total = sizes.sizes.reduce((sum, size) => sum + size, sizes.start);
  return total <= data.byteLength ? sizes : undefined;
}
