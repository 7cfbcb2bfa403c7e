import { canSeeSilence, type MediaSpan } from '#shared/domain/media/media-plan.ts';
import { MediaError } from '#shared/domain/media/media-refusal.ts';
import { holeRules, silenceRules } from '#shared/domain/media/silence-gate.ts';
import type { MediaPacket, OpenMedia } from './containers/packet-reader.ts';
import { ofFile } from './file-faults.ts';
import { type Heard, hearing } from './heard-packets.ts';
import type { PieceWriter } from './piece-writer.ts';
import type { Preparation } from './preparation.ts';

type OpenPiece = {
  readonly index: number;
  readonly span: MediaSpan;
  readonly writer: PieceWriter;
};

/** The pieces that packets go into, from `first` on: one, or two in an overlap. */
export async function openPieces(preparation: Preparation, media: OpenMedia, first: number) {
  const { plan, track = 0, done, leaveOutSilence, jobSeconds, target, onPiece } = preparation;
  const audio = media.facts.audio[track];
  if (!audio) throw new MediaError('no_audio', 'The file has no such audio track.');
  const config = await ofFile(() => media.config(track));
  const { pieceWriter } = await import('./piece-writer.ts'); // late, because mediabunny is large, and few messages need it
  const hear = hearing(audio, leaveOutSilence && canSeeSilence(audio.codec));
  const rules = leaveOutSilence ? silenceRules : holeRules;
  let open: OpenPiece[] = [];
  let next = first;

  const begin = (at: number) => {
    while (next < plan.pieces.length && !done.has(next)) {
      const span = plan.pieces[next];
      if (!span || (next > 0 && at < span.from)) return;
      // The header may say too little: the last piece goes on to the end of the file.
      const isLast = next === plan.pieces.length - 1;
      const writer = pieceWriter(plan.output, audio, config, target(next), rules);
      open.push({ index: next, span: isLast ? { ...span, to: span.from + jobSeconds } : span, writer });
      next++;
    }
  };
  const finish = async ({ index, writer, span }: OpenPiece) => {
    const written = await ofFile(() => writer.complete());
    await onPiece({
      index,
      ...(written ?? { from: span.from, to: plan.pieces[index]?.to ?? span.to, bytes: 0, map: [] }),
    });
  };
  const write = async (packets: readonly Heard[]) => {
    for (const packet of packets) {
      // A piece that lies in a hole has ended before the packet behind the hole.
      for (const { writer, span } of open) if (packet.at < span.to) await writer.push(packet);
    }
  };

  return {
    /** The piece after those that are open or whole. */
    next: () => next,
    isEmpty: () => open.length === 0 && next > first,
    /** Whether a piece ends before a packet. */
    hasEnd: (at: number) => open.some(({ span }) => at >= span.to),
    /** Adds a packet to the pieces that it belongs to. Returns a promise only if there is something to wait for. */
    add(packet: MediaPacket): Promise<void> | undefined {
      begin(packet.at);
      const packets = hear(packet);
      const [piece] = open;
      const isOne = packets.length === 1 && open.length === 1 && packet.at < (piece?.span.to ?? 0);
      return isOne && packets[0] ? piece?.writer.push(packets[0]) : write(packets);
    },
    /** Ends the pieces that end before a time. Without packets left, the pieces that are still to come have none. */
    async close(at: number): Promise<void> {
      if (at === Number.POSITIVE_INFINITY) begin(at);
      const ended = open.filter(({ span }) => at >= span.to);
      for (const piece of ended) {
        await finish(piece);
        open = open.filter((other) => other !== piece);
      }
      if (next >= plan.pieces.length && open.length === 0 && at !== Number.POSITIVE_INFINITY) {
        throw new MediaError('unreadable', 'The file has more audio than its header says.');
      }
    },
    /** Discards the pieces that are not whole. */
    async abort(): Promise<void> {
      for (const { writer } of open) await writer.abort();
    },
  };
}
