import type { MediaFacts } from '#shared/domain/media/media-plan.ts';

/** An encoded packet with its place in the file, in seconds. */
export type MediaPacket = { readonly data: Uint8Array; readonly at: number; readonly seconds: number };

/** Reads the packets of an audio track in order. */
export type PacketReader = {
  /** Returns the next packet, without a promise if it is in memory. Undefined after the last one. */
  readonly next: () => MediaPacket | undefined | Promise<MediaPacket | undefined>;
};

/** A file whose headers have been read. Tracks are numbered as in `facts.audio`. */
export type OpenMedia = {
  readonly facts: MediaFacts;
  /** What a container needs to know about the codec: the WebCodecs configuration of an audio track. */
  readonly config: (track: number) => Promise<AudioDecoderConfig>;
  /** Reads packets from the one that plays at a time. Goes there without reading what lies before, if the container allows it. */
  readonly packetsFrom: (track: number, seconds: number) => Promise<PacketReader>;
  readonly close: () => void;
};

/** Times of packets are sums of fractions. */
const epsilon = 1e-6;

/** Skips the packets that end before a time. */
export async function skipUntil(reader: PacketReader, seconds: number): Promise<PacketReader> {
  if (seconds <= 0) return reader; // the first packet of Vorbis has no length, but decoders need it
  let held: MediaPacket | undefined;
  for (;;) {
    const found = reader.next();
    held = found instanceof Promise ? await found : found;
    if (!held || held.at + held.seconds > seconds + epsilon) break;
  }
  return {
    next() {
      const packet = held;
      if (packet === undefined) return reader.next();
      held = undefined;
      return packet;
    },
  };
}
