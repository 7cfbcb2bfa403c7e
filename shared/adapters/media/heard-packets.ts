import type { AudioFacts } from '#shared/domain/media/media-plan.ts';
import { opusHasSpeech, opusSilence, opusSilenceSeconds } from '#shared/domain/media/opus-packet.ts';
import { pcmHasSpeech } from '#shared/domain/media/pcm-energy.ts';
import type { MediaPacket } from './containers/packet-reader.ts';

/** A packet, and whether it may hold speech. */
export type Heard = MediaPacket & { readonly hasSpeech: boolean };

/** Timestamps are rounded to a millisecond. A smaller gap is no hole. */
const smallestHole = 0.015;
/** How much of each side of a hole is filled. The gate keeps less. */
const filledSeconds = 1;

/** Returns a function that tells whether packets hold speech, and fills holes of Opus with silent packets. */
export function hearing({ codec, channels }: AudioFacts, leaveOutSilence: boolean) {
  const hasSpeech = leaveOutSilence ? speechTest(codec) : () => true;
  // An Opus packet for more than two channels has several streams in it.
  const silence = codec === 'opus' && channels <= 2 ? opusSilence(channels) : undefined;
  let end: number | undefined;
  return (packet: MediaPacket): readonly Heard[] => {
    const heard = { data: packet.data, at: packet.at, seconds: packet.seconds, hasSpeech: hasSpeech(packet.data) };
    const from = end;
    end = packet.at + packet.seconds;
    if (!silence || from === undefined || packet.at - from < smallestHole) return [heard];
    return [...silentPackets(silence, from, packet.at), heard];
  };
}

function speechTest(codec: string | undefined): (data: Uint8Array) => boolean {
  if (codec === 'opus') return opusHasSpeech;
  if (codec === 'pcm-s16' || codec === 'pcm-f32') return (data) => pcmHasSpeech(codec, data);
  return () => true;
}

function silentPackets(data: Uint8Array, from: number, to: number): Heard[] {
  const silent = (at: number) => ({ data, at, seconds: opusSilenceSeconds, hasSpeech: false });
  const count = Math.round((to - from) / opusSilenceSeconds);
  const filled = Math.round(filledSeconds / opusSilenceSeconds);
  if (count <= 2 * filled)
    return Array.from({ length: count }, (_, index) => silent(from + index * opusSilenceSeconds));
  return Array.from({ length: 2 * filled }, (_, index) =>
    silent(index < filled ? from + index * opusSilenceSeconds : to - (2 * filled - index) * opusSilenceSeconds),
  );
}
