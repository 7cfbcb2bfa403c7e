import type { MediaPlan } from '#shared/domain/media/media-plan.ts';
import type { PreparedPiece } from '#shared/domain/media/prepared-piece.ts';
import type { PlacedMedia } from './joined-media.ts';
import type { MediaTarget } from './media-target.ts';

/** What is to be prepared, and where it goes. */
export type Preparation = {
  /** The files in their order. Spans and times are seconds from the beginning of the first one. */
  readonly files: readonly PlacedMedia[];
  readonly plan: Extract<MediaPlan, { kind: 'prepare' }>;
  /** Which of `facts.audio` is prepared: the first one by default. Some recorders write a track for each participant. */
  readonly track?: number;
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
