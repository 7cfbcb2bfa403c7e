/** A packet with its place in the original. `hasSpeech` is true if the packet may hold speech. */
export type HeardPacket = { readonly at: number; readonly seconds: number; readonly hasSpeech: boolean };

/** When silence is left out. */
export type SilenceRules = {
  /** Shorter silence stays. */
  readonly shortestSilence: number;
  /** How much of a silence stays beside speech, on each side. */
  readonly kept: number;
  /** Shorter speech inside silence is none: an encoder with DTX refreshes its noise with single packets. */
  readonly shortestSpeech: number;
};

/** The rules for tracks. */
export const silenceRules: SilenceRules = { shortestSilence: 2, kept: 0.5, shortestSpeech: 0.1 };

/** The rules for mixed files: only holes are left out, and single packets stay. */
export const holeRules: SilenceRules = { ...silenceRules, shortestSpeech: 0 };

/** Times of packets are sums of fractions. */
const epsilon = 1e-6;

/**
 * Passes packets through, and leaves out silence between speech. Holds at most `shortestSilence` of packets back. Packets
 * come in order; missing packets are silence.
 */
export function silenceGate<Packet extends HeardPacket>(rules: SilenceRules = silenceRules) {
  const { shortestSilence, kept, shortestSpeech } = rules;
  let held: Packet[] = [];
  let speechEnd = Number.NEGATIVE_INFINITY;
  let runStart = 0;
  let runSeconds = 0;

  /** Drops held packets that no future speech can bring back. */
  const forget = (now: number) => {
    if (now - speechEnd < shortestSilence) return;
    const earliest = now - runSeconds - kept - shortestSpeech;
    if ((held[0]?.at ?? earliest) < earliest - shortestSilence) held = held.filter(({ at }) => at >= earliest);
  };

  const release = (from: number): Packet[] => {
    const out = held.filter(({ at }) => at >= from - epsilon);
    held = [];
    return out;
  };

  return {
    /** Takes the next packet, and returns the packets that are to be written now. */
    push(packet: Packet): readonly Packet[] {
      const end = packet.at + packet.seconds;
      if (packet.hasSpeech && runSeconds === 0) runStart = packet.at;
      runSeconds = packet.hasSpeech ? runSeconds + packet.seconds : 0;
      held.push(packet);
      const isLong = runSeconds >= shortestSpeech - epsilon || runStart - speechEnd < shortestSpeech;
      if (packet.hasSpeech && isLong) {
        const isShortSilence = runStart - speechEnd < shortestSilence;
        speechEnd = end;
        return release(isShortSilence ? Number.NEGATIVE_INFINITY : runStart - kept);
      }
      if (end <= speechEnd + kept + epsilon) return release(Number.NEGATIVE_INFINITY);
      forget(end);
      return [];
    },
  };
}
