import type { MediaSpan } from '#shared/domain/media/media-plan.ts';
import { MediaError } from '#shared/domain/media/media-refusal.ts';
import type { MediaPacket, OpenMedia, PacketReader } from './containers/packet-reader.ts';
import { fileFault, ofCall, ofFile } from './file-faults.ts';
import { type JoinedMedia, openJoined } from './joined-media.ts';
import type { MediaFile } from './media-source.ts';
import { openPieces } from './open-pieces.ts';
import type { Preparation, PreparationOutcome } from './preparation.ts';

/** How often the time is checked: every few seconds of audio. */
const packetsBetweenChecks = 256;
/** More packets than 24 hours can have: 400 a second. */
const mostPackets = 24 * 3600 * 400;

/**
 * Copies the packets of an audio track, of one file or of several that follow each other, into pieces, without decoding them. Stops cleanly
 * if the time runs out, also while it looks for a packet, or if its signal times out: a piece that is not whole is discarded. Throws a
 * MediaError for a broken file; the pieces before it are whole.
 */
export async function prepareMedia(preparation: Preparation): Promise<PreparationOutcome> {
  const { files, plan, done, hasTimeLeft, signal } = preparation;
  const outcome = { isFinished: true, packets: 0 };
  let media: JoinedMedia | undefined;
  try {
    const timed = files.map(({ file, offset }) => ({ file: whileTimeIsLeft(file, hasTimeLeft), offset }));
    media = await openJoined(timed, signal);
    let index = nextPiece(plan.pieces, done, 0);
    while (index < plan.pieces.length && outcome.isFinished) {
      const next = await prepareRun(preparation, media, index, outcome);
      index = nextPiece(plan.pieces, done, next);
    }
  } catch (error) {
    if (error instanceof MediaError || !(error instanceof TimeIsUp || hasTimedOut(signal))) throw error;
    outcome.isFinished = false;
  } finally {
    media?.close();
  }
  const { reads, bytes } = media?.counted() ?? { reads: 0, bytes: 0 };
  return { ...outcome, reads, bytesRead: bytes };
}

/** A reader looks for the next packet of a large file for minutes if there is none. */
class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
}

/** The file, of which nothing more is read once the time is up. */
function whileTimeIsLeft({ bytes, readRange }: MediaFile, hasTimeLeft: () => boolean): MediaFile {
  return {
    bytes,
    async readRange(start, end, signal) {
      if (!hasTimeLeft()) throw new TimeIsUp();
      return readRange(start, end, signal);
    },
  };
}

/** A call of a service has hung. The error that it then throws has many forms. */
function hasTimedOut({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.name === 'TimeoutError';
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
