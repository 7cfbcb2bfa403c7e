import type { FileHandle } from 'node:fs/promises';

/** The sample layouts this decoder reads: what a WAV file's header says about each sample. */
export type SampleEncoding = 'int8' | 'int16' | 'int24' | 'int32' | 'float32';

/** Where the samples of a WAV file stand and how to read them; checked against the file's real size. */
export type WavLayout = {
  encoding: SampleEncoding;
  channels: number;
  sampleRate: number;
  dataOffset: number;
  frames: number;
};

/** The file is not a WAV file, or breaks off before what its header promises. */
export class InvalidWav extends Error {
  override name = 'InvalidWav';
}

/** The file is a sound WAV file whose codec this decoder does not read (mu-law, ADPCM, 64-bit float...). */
export class UnsupportedWavCodec extends Error {
  override name = 'UnsupportedWavCodec';
}

const CODEC_PCM = 1;
const CODEC_FLOAT = 3;
const CODEC_EXTENSIBLE = 0xfffe;
const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const LONGEST_FORMAT_CHUNK = 40;
// Real files carry a handful; a hostile one could hold millions of empty chunks.
const MOST_CHUNKS = 1000;

const ENCODINGS: Record<string, SampleEncoding> = {
  [`${CODEC_PCM}/8`]: 'int8',
  [`${CODEC_PCM}/16`]: 'int16',
  [`${CODEC_PCM}/24`]: 'int24',
  [`${CODEC_PCM}/32`]: 'int32',
  [`${CODEC_FLOAT}/32`]: 'float32',
};

const BYTES_PER_SAMPLE: Record<SampleEncoding, number> = { int8: 1, int16: 2, int24: 3, int32: 4, float32: 4 };

/** How many bytes one sample of every channel takes. */
const bytesPerFrame = (layout: Pick<WavLayout, 'encoding' | 'channels'>): number =>
  BYTES_PER_SAMPLE[layout.encoding] * layout.channels;

/**
 * Reads a WAV file's header. Throws InvalidWav where any chunk claims more than the file holds, so that
 * a truncated file is never taken for a short one.
 */
export async function readWavLayout(file: FileHandle): Promise<WavLayout> {
  const { size } = await file.stat();
  const riff = await readExactly(file, 0, RIFF_HEADER_BYTES);
  if (riff.toString('latin1', 0, 4) !== 'RIFF' || riff.toString('latin1', 8, 12) !== 'WAVE') {
    throw new InvalidWav('no RIFF/WAVE header');
  }
  let format: Buffer | undefined;
  let offset = RIFF_HEADER_BYTES;
  for (let chunk = 0; chunk < MOST_CHUNKS && offset + CHUNK_HEADER_BYTES <= size; chunk += 1) {
    const header = await readExactly(file, offset, CHUNK_HEADER_BYTES);
    const id = header.toString('latin1', 0, 4);
    const length = header.readUInt32LE(4);
    const start = offset + CHUNK_HEADER_BYTES;
    if (start + length > size) throw new InvalidWav(`chunk at ${offset} is longer than the file`);
    if (id === 'fmt ') format = await readExactly(file, start, Math.min(length, LONGEST_FORMAT_CHUNK));
    if (id === 'data') {
      if (format === undefined) throw new InvalidWav('data before format');
      return layoutOf(format, start, length);
    }
    offset = start + length + (length % 2);
  }
  throw new InvalidWav('no data chunk');
}

function layoutOf(format: Buffer, dataOffset: number, dataBytes: number): WavLayout {
  if (format.length < 16) throw new InvalidWav('format chunk too short');
  const bits = format.readUInt16LE(14);
  const outerCodec = format.readUInt16LE(0);
  const isExtensible = outerCodec === CODEC_EXTENSIBLE && format.length >= LONGEST_FORMAT_CHUNK;
  // The first two bytes of an extensible file's sub-format are the codec.
  const codec = isExtensible ? format.readUInt16LE(24) : outerCodec;
  const channels = format.readUInt16LE(2);
  const sampleRate = format.readUInt32LE(4);
  if (channels === 0 || sampleRate === 0) throw new InvalidWav('no channels or no sample rate');
  const encoding = ENCODINGS[`${codec}/${bits}`];
  if (encoding === undefined) throw new UnsupportedWavCodec(`codec ${codec} with ${bits} bits`);
  const frames = Math.floor(dataBytes / bytesPerFrame({ encoding, channels }));
  return { encoding, channels, sampleRate, dataOffset, frames };
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead < length) throw new InvalidWav(`ends at byte ${position + bytesRead}`);
  return buffer;
}

/** Reads the file's samples block by block, mixed to one channel, each between -1 and 1. */
export async function* readMono(
  file: FileHandle,
  layout: WavLayout,
  framesPerBlock = 65_536,
): AsyncGenerator<Float32Array> {
  const frameBytes = bytesPerFrame(layout);
  for (let frame = 0; frame < layout.frames; frame += framesPerBlock) {
    const frames = Math.min(framesPerBlock, layout.frames - frame);
    const block = await readExactly(file, layout.dataOffset + frame * frameBytes, frames * frameBytes);
    yield mixToMono(block, layout, frames);
  }
}

function mixToMono(block: Buffer, { encoding, channels }: WavLayout, frames: number): Float32Array {
  const mono = new Float32Array(frames);
  const read = READERS[encoding];
  const step = BYTES_PER_SAMPLE[encoding];
  for (let frame = 0; frame < frames; frame += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) sum += read(block, (frame * channels + channel) * step);
    mono[frame] = sum / channels;
  }
  return mono;
}

const READERS: Record<SampleEncoding, (block: Buffer, offset: number) => number> = {
  // 8-bit WAV is the only unsigned one: silence is 128.
  int8: (block, offset) => (block.readUInt8(offset) - 128) / 128,
  int16: (block, offset) => block.readInt16LE(offset) / 32_768,
  int24: (block, offset) => block.readIntLE(offset, 3) / 8_388_608,
  int32: (block, offset) => block.readInt32LE(offset) / 2_147_483_648,
  float32: (block, offset) => {
    const sample = block.readFloatLE(offset);
    return Number.isFinite(sample) ? Math.max(-1, Math.min(1, sample)) : 0;
  },
};
