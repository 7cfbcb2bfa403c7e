import { opusSeconds } from '../../domain/opus-packet.ts';

const pcmBytes: Readonly<Record<string, number>> = {
  'pcm-u8': 1,
  'pcm-s16': 2,
  'pcm-s24': 3,
  'pcm-s32': 4,
  'pcm-f32': 4,
  'pcm-f64': 8,
};

/** The length of a packet in seconds by its codec. Undefined for codecs whose packets differ in length: the next packet tells. */
export function packetSeconds(
  {
    codec = '',
    channels,
    sampleRate,
  }: { readonly codec: string | undefined; readonly channels: number; readonly sampleRate: number },
  packet: Uint8Array,
): number | undefined {
  if (codec === 'opus') return opusSeconds(packet);
  if (codec === 'aac') return 1024 / sampleRate;
  if (codec === 'mp3') return (sampleRate < 32_000 ? 576 : 1152) / sampleRate;
  const bytes = pcmBytes[codec];
  return bytes === undefined ? undefined : packet.byteLength / (bytes * channels * sampleRate);
}
