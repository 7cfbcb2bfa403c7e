import type { MediaSource } from '../media-source.ts';

/** About half a minute of frames. The rest of a larger file is taken to be alike. */
const sampledBytes = 256 * 1024;
const samplesInFrame = 1024;

/** Estimates the length of AAC without a container (ADTS) by the size of its first frames. */
export async function adtsSeconds(source: MediaSource, sampleRate: number): Promise<number> {
  const { bytes } = await source.read(0, sampledBytes);
  let position = firstFrame(bytes);
  const start = position;
  let frames = 0;
  while (isFrame(bytes, position)) {
    const [, , , high = 0, middle = 0, low = 0] = bytes.subarray(position, position + 6);
    const length = ((high & 3) << 11) | (middle << 3) | (low >> 5);
    if (length < 7) break;
    position += length;
    frames++;
  }
  if (frames === 0) return 0;
  return (frames * samplesInFrame * (source.bytes - start)) / ((position - start) * sampleRate);
}

function firstFrame(bytes: Uint8Array): number {
  const limit = Math.min(bytes.byteLength, 64 * 1024);
  for (let position = 0; position < limit; position++) if (isFrame(bytes, position)) return position;
  return bytes.byteLength;
}

function isFrame(bytes: Uint8Array, position: number): boolean {
  return bytes[position] === 0xff && ((bytes[position + 1] ?? 0) & 0xf6) === 0xf0 && position + 6 < bytes.byteLength;
}
