import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  FlacOutputFormat,
  MkvOutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WavOutputFormat,
  WebMOutputFormat,
} from 'mediabunny';

/** A packet to put into a file. */
export type MadePacket = { readonly data: Uint8Array; readonly at: number; readonly seconds: number };

type Codec = 'aac' | 'opus' | 'pcm-s16' | 'flac';

/** Containers of files that are made without an encoder. */
export const madeFormats = {
  mkv: () => new MkvOutputFormat(),
  mp4: () => new Mp4OutputFormat({ fastStart: false }),
  'fragmented mp4': () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
  ogg: () => new OggOutputFormat(),
  wav: () => new WavOutputFormat(),
  webm: () => new WebMOutputFormat({ appendOnly: true }),
  flac: () => new FlacOutputFormat(),
} satisfies Record<string, () => OutputFormat>;

const opusHead = new Uint8Array([...Buffer.from('OpusHead'), 1, 1, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0]);
const descriptions: Partial<Record<Codec, Uint8Array>> = { opus: opusHead, aac: new Uint8Array([0x11, 0x88]) };

/** Makes a file of packets that no decoder has to understand, with a track for each list of packets. */
export async function madeMedia(
  format: OutputFormat,
  codec: Codec,
  ...tracks: (readonly MadePacket[])[]
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const sources = tracks.map(() => new EncodedAudioPacketSource(codec));
  for (const source of sources) output.addAudioTrack(source);
  await output.start();
  const description = descriptions[codec];
  const config = {
    codec: codec === 'aac' ? 'mp4a.40.2' : codec,
    numberOfChannels: 1,
    sampleRate: codec === 'pcm-s16' ? 16_000 : 48_000,
    ...(description && { description }),
  };
  const all = tracks.flatMap((packets, track) => packets.map((packet) => ({ ...packet, track })));
  for (const { data, at, seconds, track } of all.toSorted((a, b) => a.at - b.at)) {
    await sources[track]?.add(new EncodedPacket(data, 'key', at, seconds), { decoderConfig: config });
  }
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

/** Opus packets of 20 ms. `isSilent` tells which ones have the two bytes of DTX; `isMissing` leaves packets out. */
export function opusPackets(
  seconds: number,
  {
    isSilent = never,
    isMissing = never,
  }: { isSilent?: (at: number) => boolean; isMissing?: (at: number) => boolean } = {},
): MadePacket[] {
  return Array.from({ length: Math.round(seconds * 50) }, (_, index) => index / 50)
    .filter((at) => !isMissing(at))
    .map((at) => ({ at, seconds: 0.02, data: isSilent(at) ? new Uint8Array([0xf8, 0]) : opusFrame(at) }));
}

const never = () => false;

/** A packet of 40 bytes that holds its own time, so that a test can find it again. */
function opusFrame(at: number): Uint8Array {
  const data = new Uint8Array(40).fill(1);
  data[0] = 0xf8;
  new DataView(data.buffer).setFloat64(8, at);
  return data;
}

/** The time that a packet of `opusPackets` holds. Undefined for silence. */
export function timeIn(data: Uint8Array): number | undefined {
  return data.byteLength === 40 ? new DataView(data.buffer, data.byteOffset).getFloat64(8) : undefined;
}

/** AAC packets of 1024 samples, with any content. */
export function aacPackets(seconds: number): MadePacket[] {
  const length = 1024 / 48_000;
  return Array.from({ length: Math.round(seconds / length) }, (_, index) => ({
    at: index * length,
    seconds: length,
    data: new Uint8Array(200).fill(index % 256),
  }));
}

/** PCM packets of 0.1 s at 16 kHz: a tone where `isLoud`, zeros elsewhere. */
export function pcmPackets(seconds: number, isLoud: (at: number) => boolean): MadePacket[] {
  return Array.from({ length: Math.round(seconds * 10) }, (_, index) => {
    const at = index / 10;
    const samples = Int16Array.from({ length: 1600 }, (_, sample) => (isLoud(at) ? 8000 * Math.sin(sample / 5) : 0));
    return { at, seconds: 0.1, data: new Uint8Array(samples.buffer) };
  });
}
