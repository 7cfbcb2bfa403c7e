import type { FileLocation } from '#shared/contracts/events.ts';
import type { Inspected, PlannedFile, SourcePlan } from '#shared/domain/media/planned-file.ts';
import type { PreparedPiece } from '#shared/domain/media/prepared-piece.ts';

/** Finds out what files are by their content: by their head, their tables and their end. */
export type MediaInspector = {
  /** `unfinished`: finding it out takes more reads or time than this function may take. */
  inspect(location: FileLocation): Promise<Inspected | 'unfinished'>;
};

/** What is to be prepared of a source, and who waits for it. */
export type PieceRequest = {
  readonly files: readonly PlannedFile[];
  readonly plan: Extract<SourcePlan, { kind: 'prepare' }>;
  /** Leaves out silence where the codec shows it. */
  readonly leaveOutSilence: boolean;
  /** The indexes of the pieces that are there already. */
  readonly done: ReadonlySet<number>;
  /** Where the file of a piece goes. */
  readonly target: (index: number) => FileLocation;
  /** Called as soon as the file of a piece is whole. */
  readonly onPiece: (piece: PreparedPiece) => Promise<void>;
  /** False if no more should be prepared now. A piece that is not whole is discarded then. */
  readonly goesOn: () => boolean;
};

/** Copies audio into files that Transcribe takes. */
export type MediaPreparer = {
  /** Prepares the pieces that are not done. Throws a MediaError for a broken file; the pieces before it are whole. */
  prepare(request: PieceRequest): Promise<{ readonly bytesRead: number }>;
};
