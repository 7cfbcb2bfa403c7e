import type { FailureCode } from '../contracts/transcription.ts';

/** What came of starting a job. `busy`: come back later. `refused`: it never will start. */
export type JobStart = 'started' | 'busy' | { readonly refused: FailureCode };

/** A job as the engine tells it; `absent` where there is none. */
export type JobState = 'absent' | 'running' | 'completed' | { readonly failureReason: string };

/** What became of a job that is to go: gone, or not to be removed yet. */
export type JobRemoval = 'removed' | 'later';
