import type { MediaSpan } from './media-plan.ts';
import type { TimeMap } from './media-time-map.ts';

/** A piece of a source that Transcribe can read. Its times are seconds of the original, exact to a packet. */
export type PreparedPiece = MediaSpan & {
  readonly index: number;
  /** The size of its file. 0 if the piece has no packets but silent ones: then there is no file. */
  readonly bytes: number;
  /** Where each second of its file lies in the original. */
  readonly map: TimeMap;
};
