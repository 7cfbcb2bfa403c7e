/** The length in milliseconds of a frame for each configuration of the TOC byte (RFC 6716, table 2). */
const frameMs = [
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60], // SILK
  ...[10, 20, 10, 20], // hybrid
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20], // CELT
];

/** An Opus packet holds at most 120 ms (RFC 6716, section 3.2.5). */
const longestMs = 120;

/** The length of an Opus packet in seconds by its TOC byte, or 0 if it is not a valid packet. */
export function opusSeconds(packet: Uint8Array): number {
  const [toc] = packet;
  if (toc === undefined) return 0;
  const ms = (frameMs[toc >> 3] ?? 0) * frameCount(packet, toc & 3);
  return ms <= longestMs ? ms / 1000 : 0;
}

function frameCount(packet: Uint8Array, code: number): number {
  if (code === 0) return 1;
  return code === 3 ? (packet[1] ?? 0) & 0x3f : 2;
}

/** Whether an Opus packet may hold speech. With DTX, an encoder sends at most three bytes for silence. */
export function opusHasSpeech(packet: Uint8Array): boolean {
  return packet.length > 3;
}

/** The length of one packet of `opusSilence`. */
export const opusSilenceSeconds = 0.02;

/** 20 ms of silence for one or two channels, as other encoders send it too. */
export function opusSilence(channels: number): Uint8Array {
  return new Uint8Array([channels === 1 ? 0xf8 : 0xfc, 0xff, 0xfe]);
}
