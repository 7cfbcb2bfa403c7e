import type { MissingSpan, TranscriptDocument } from '../../../client/types.ts';
import type { ReadTurn } from './turns.ts';

/** What the view needs of a transcript's file. The words of 24 hours are ten times as much, and stay with the worker. */
export type ReadDocument = {
  readonly turns: readonly ReadTurn[];
  readonly missing: readonly MissingSpan[];
  /** The date of time 0. */
  readonly clockStartDate: string;
};

/** Reads the file of the format `json`. Throws if it is not one. */
export function readDocument(text: string): ReadDocument {
  const { turns, missing, clockStartDate, startDate } = JSON.parse(text) as TranscriptDocument;
  return {
    turns: turns.map(({ speaker, startSeconds, endSeconds, text: said }) => ({
      speaker,
      startSeconds,
      endSeconds,
      text: said,
    })),
    missing: missing ?? [],
    clockStartDate: clockStartDate ?? startDate,
  };
}
