import type { MediaSpan } from '../../domain/media-plan.ts';
import { MediaError } from '../../domain/media-refusal.ts';
import { fileFault, ofCall, ofFile } from './file-faults.ts';
import { openJoined } from './joined-media.ts';
import { openPieces } from './open-pieces.ts';
import type { MediaPacket, OpenMedia, PacketReader } from './packet-reader.ts';
import type { Preparation, PreparationOutcome } from './preparation.ts';

/** How often the time is checked: every few seconds of audio. */
const packetsBetweenChecks = 256;
/** More packets than 24 hours can have: 400 a second. */
const mostPackets = 24 * 3600 * 400;

/**
 * Copies the packets of an audio track, of one file or of several that follow each other, into pieces, without decoding them. Stops cleanly if the time runs out: a
 * piece that is not whole is discarded. Throws a MediaError for a broken file; the pieces before it are whole.
 */
export async function prepareMedia(preparation: Preparation): Promise<PreparationOutcome> {
  const { files, plan, done, signal } = preparation;
  const outcome = { isFinished: true, packets: 0 };
  const media = await openJoined(files, signal);
  try {
    let index = nextPiece(plan.pieces, done, 0);
    while (index < plan.pieces.length && outcome.isFinished) {
      const next = await prepareRun(preparation, media, index, outcome);
      index = nextPiece(plan.pieces, done, next);
    }
    const { reads, bytes } = media.counted();
    return { ...outcome, reads, bytesRead: bytes };
  } finally {
    media.close();
  }
}

function nextPiece(pieces: readonly MediaSpan[], done: ReadonlySet<number>, from: number): number {
  let index = from;
  while (index < pieces.length && done.has(index)) index++;
  return index;
}

/** Prepares neighbouring pieces in one pass: packets of an overlap go into both. Returns the piece after the last one. */
async function prepareRun(
  preparation: Preparation,
  media: OpenMedia,
  first: number,
  outcome: { isFinished: boolean; packets: number },
): Promise<number> {
  const { plan, track = 0, done, hasTimeLeft, signal } = preparation;
  const pieces = await openPieces(preparation, media, first);
  const reader = await ofFile(() => media.packetsFrom(track, plan.pieces[first]?.from ?? 0));
  try {
    for (let count = 1; ; count++) {
      const packet = await nextPacket(reader);
      if (!packet) break;
      if (++outcome.packets > mostPackets) throw new MediaError('unreadable', 'The file has too many packets.');
      if (pieces.hasEnd(packet.at)) await pieces.close(packet.at);
      if (pieces.isEmpty() && done.has(pieces.next())) return pieces.next();
      await addPacket(pieces, packet);
      if (count % packetsBetweenChecks !== 0) continue;
      await ofCall(() => signal.throwIfAborted());
      outcome.isFinished = hasTimeLeft();
      if (!outcome.isFinished) return pieces.next();
    }
    await pieces.close(Number.POSITIVE_INFINITY);
    return pieces.next();
  } finally {
    await pieces.abort();
  }
}

function addPacket(pieces: { readonly add: (packet: MediaPacket) => Promise<void> | undefined }, packet: MediaPacket) {
  try {
    const added = pieces.add(packet);
    return added && ofFile(() => added);
  } catch (error) {
    throw fileFault(error);
  }
}

function nextPacket(reader: PacketReader): MediaPacket | undefined | Promise<MediaPacket | undefined> {
  try {
    const found = reader.next();
    return found instanceof Promise ? ofFile(() => found) : found;
  } catch (error) {
    throw fileFault(error);
  }
}
