import type { PiiEntityType } from '@aws-sdk/client-transcribe';
import type { HeardWord, Utterance } from './pocketsphinx-output.ts';

/** A word of a transcript. Filters and redaction say what is shown instead of what was heard. */
export type SpokenWord = HeardWord & {
  readonly shown?: string;
  readonly isFiltered?: true;
  readonly redacted?: PiiEntityType;
};

/** What was heard on each channel. Without channel identification, everything is heard on one. */
export type Speech = readonly (readonly SpokenWord[][])[];

/** Changes each utterance, and drops those that have no words left. */
export const mapUtterances = (speech: Speech, change: (utterance: SpokenWord[]) => SpokenWord[]): Speech =>
  speech.map((utterances) => utterances.map(change).filter((utterance) => utterance.length > 0));

/** How many seconds of speech the utterances last together. */
export const secondsOf = (utterances: readonly Utterance[]): number =>
  utterances.reduce((sum, words) => sum + (words.at(-1)?.endSeconds ?? 0) - (words[0]?.startSeconds ?? 0), 0);
