import type { AudioFacts } from '#shared/domain/media/media-plan.ts';
import { opusSeconds } from '#shared/domain/media/opus-packet.ts';
import { pcmSampleBytes } from '#shared/domain/media/pcm-codecs.ts';

type CodecFacts = Pick<AudioFacts, 'codec' | 'channels' | 'sampleRate'>;

/** The bytes of one moment of PCM, of all channels. Undefined for other codecs. */
export function pcmFrameBytes({ codec = '', channels }: CodecFacts): number | undefined {
  const bytes = pcmSampleBytes[codec];
  return bytes && bytes * channels;
}

/** The length of a packet in seconds by its codec. Undefined for codecs whose packets differ in length: the next packet tells. */
export function packetSeconds(audio: CodecFacts, packet: Uint8Array): number | undefined {
  const { codec, sampleRate } = audio;
  if (codec === 'opus') return opusSeconds(packet);
  if (codec === 'aac') return 1024 / sampleRate;
  if (codec === 'mp3') return (sampleRate < 32_000 ? 576 : 1152) / sampleRate;
  const frameBytes = pcmFrameBytes(audio);
  return frameBytes && packet.byteLength / (frameBytes * sampleRate);
}
