import { canSeeSilence, type MediaPlan, type MediaSpan } from '../../domain/media-plan.ts';
import { MediaError } from '../../domain/media-refusal.ts';
import type { TimeMap } from '../../domain/media-time-map.ts';
import { hearing } from './heard-packets.ts';
import { openMedia } from './inspect-media.ts';
import { type MediaFile, mediaSource, wholeBudget } from './media-source.ts';
import type { MediaPacket, OpenMedia } from './packet-reader.ts';
import { pieceWriter } from './piece-writer.ts';
import type { MediaTarget } from './s3-upload.ts';

/** A piece of a file that Transcribe can read. Its times are seconds of the original, exact to a packet. */
export type PreparedPiece = MediaSpan & {
  readonly index: number;
  /** The size of its file. 0 if the piece has no packets but silent ones: then there is no file. */
  readonly bytes: number;
  /** Where each second of its file lies in the original. */
  readonly map: TimeMap;
};

/** What is to be prepared, and where it goes. */
export type Preparation = {
  readonly file: MediaFile;
  readonly plan: Extract<MediaPlan, { kind: 'prepare' }>;
  /** Leaves out silence where the codec shows it. For tracks of one participant. */
  readonly leaveOutSilence: boolean;
  /** The longest file of one job: the last piece may be this long if the header of the file said too little. */
  readonly jobSeconds: number;
  /** The pieces that are there already. Nothing is read for them. */
  readonly done: ReadonlySet<number>;
  /** Opens the file of a piece. */
  readonly target: (index: number) => MediaTarget;
  /** Called as soon as a piece is whole. */
  readonly onPiece: (piece: PreparedPiece) => Promise<void>;
  /** False if too little time is left to go on. */
  readonly hasTimeLeft: () => boolean;
  readonly signal: AbortSignal;
};

/** How far the preparation came, and what it took. */
export type PreparationOutcome = {
  /** False if the time ran out. Another run goes on after the pieces that `onPiece` has seen. */
  readonly isFinished: boolean;
  readonly packets: number;
  readonly reads: number;
  readonly bytesRead: number;
};

/** How often the time is checked: every few seconds of audio. */
const packetsBetweenChecks = 256;
/** More packets than 24 hours can have: 400 a second. */
const mostPackets = 24 * 3600 * 400;

/**
 * Copies the packets of the first audio track into pieces, without decoding them. Stops cleanly if the time runs out: a
 * piece that is not whole is discarded. Throws a MediaError for a broken file; the pieces before it are whole.
 */
export async function prepareMedia(preparation: Preparation): Promise<PreparationOutcome> {
  const { file, plan, done, signal } = preparation;
  const source = mediaSource(file, wholeBudget(file.bytes), signal);
  const media = await openMedia(source);
  const outcome = { isFinished: true, packets: 0 };
  try {
    let index = nextPiece(plan.pieces, done, 0);
    while (index < plan.pieces.length && outcome.isFinished) {
      const next = await prepareRun(preparation, media, index, outcome);
      index = nextPiece(plan.pieces, done, next);
    }
    const { reads, bytes } = source.counted();
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

type Writer = ReturnType<typeof pieceWriter>;
type OpenPiece = { readonly index: number; readonly span: MediaSpan; readonly writer: Writer };

/** Prepares neighbouring pieces in one pass: packets of an overlap go into both. Returns the piece after the last one. */
async function prepareRun(
  preparation: Preparation,
  media: OpenMedia,
  first: number,
  outcome: { isFinished: boolean; packets: number },
): Promise<number> {
  const { plan, done, leaveOutSilence, jobSeconds, hasTimeLeft, signal } = preparation;
  const [audio] = media.facts.audio;
  if (!audio) throw new MediaError('no_audio', 'The file has no audio track.');
  const config = await media.config();
  const { pieces } = plan;
  const hear = hearing(audio, leaveOutSilence && canSeeSilence(audio.codec));
  const reader = await media.packetsFrom(pieces[first]?.from ?? 0);
  let open: OpenPiece[] = [];
  let next = first;

  const openPieces = (at: number) => {
    for (let span = pieces[next]; span && !done.has(next) && (next === 0 || at >= span.from); span = pieces[next]) {
      const isLast = next === pieces.length - 1;
      const writer = pieceWriter(plan.output, audio, config, preparation.target(next));
      open.push({ index: next, span: isLast ? { ...span, to: span.from + jobSeconds } : span, writer });
      next++;
    }
  };
  const closePieces = async (at: number) => {
    for (const piece of open.filter(({ span }) => at >= span.to)) await finish(preparation, piece);
    open = open.filter(({ span }) => at < span.to);
  };
  const take = async (packet: MediaPacket) => {
    openPieces(packet.at);
    await closePieces(packet.at);
    for (const heard of hear(packet)) for (const { writer } of open) await writer.push(heard);
  };

  try {
    for (let count = 1; ; count++) {
      const read = reader.next();
      const packet = read instanceof Promise ? await read : read;
      if (!packet) break;
      if (++outcome.packets > mostPackets) throw new MediaError('unreadable', 'The file has too many packets.');
      await take(packet);
      if (open.length === 0 && (next >= pieces.length || done.has(next))) break;
      if (count % packetsBetweenChecks !== 0) continue;
      signal.throwIfAborted();
      if (!hasTimeLeft()) {
        outcome.isFinished = false;
        break;
      }
    }
    if (outcome.isFinished) {
      openPieces(Number.POSITIVE_INFINITY);
      await closePieces(Number.POSITIVE_INFINITY);
    }
    return next;
  } finally {
    for (const { writer } of open) await writer.abort();
  }
}

async function finish({ onPiece, plan }: Preparation, { index, writer }: OpenPiece): Promise<void> {
  const written = await writer.complete();
  const planned = plan.pieces[index] ?? { from: 0, to: 0 };
  await onPiece({ index, ...(written ?? { ...planned, bytes: 0, map: [] }) });
}
